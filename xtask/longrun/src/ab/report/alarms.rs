//! How often equal programs are called changed: what the method states about itself. Pure.

use longrun_measure::paired::looks::EQUIVALENCE_ALPHA;
use serde::Serialize;

use crate::ab::kept::record::{Compared, Header, Standing};
use crate::ab::report::figures::probability;
use crate::ab::verdicts::judge::confirms;

/// Probabilities that equal programs are called changed, at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alarms {
    /// One configuration.
    pub configuration: f64,
    /// Any of all configurations.
    pub any: f64,
    /// The suite.
    pub suite: f64,
    /// Configurations that can be compared.
    pub configurations: usize,
    /// Whether a change was confirmed on fresh observations.
    pub confirmed: bool,
}

impl Alarms {
    /// Those of a comparison with this header.
    pub fn of(header: &Header) -> Alarms {
        let alpha = header.options.alpha;
        let comparable = |compared: &&Compared| compared.standing == Standing::Comparable;
        let configurations = header.configurations.iter().filter(comparable).count();
        let confirmed = confirms(header);
        // Fresh observations come to one given sign by chance with half of their level.
        let configuration = match confirmed {
            true => alpha * EQUIVALENCE_ALPHA / 2.0,
            false => alpha,
        };
        // A few thousand configurations at most.
        let any = (configuration * configurations as f64).min(1.0);
        Alarms {
            configuration,
            any,
            suite: alpha,
            configurations,
            confirmed,
        }
    }

    /// One sentence.
    pub fn sentence(&self) -> String {
        let one = probability(self.configuration);
        if self.configurations <= 1 {
            return format!("equal programs are called changed in at most {one} of comparisons");
        }
        let how = match self.confirmed {
            true => "as a change was confirmed on fresh observations",
            false => "as no change was confirmed on fresh observations",
        };
        format!(
            "equal programs are called changed in at most {} of comparisons, in any of {} \
             configurations ({one} each, {how}); the suite in at most {}",
            probability(self.any),
            self.configurations,
            probability(self.suite)
        )
    }
}
