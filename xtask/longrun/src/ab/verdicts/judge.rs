//! The rules of a comparison, and the ledgers that they are applied to.

use std::collections::BTreeMap;

use longrun_measure::acceptance::PAIRS_MIN;
use longrun_measure::paired::{Level, Looks, Rule};
use longrun_protocol::registry::Metric;

use super::ledger::Ledger;
use super::suite::{self, Member};
use super::timing::{Demands, Rules, timed};
use super::{ConfigurationVerdict, Verdicts, Word, about_numbers};
use crate::ab::kept::record::{Compared, Ending, Header, Observation, Options, Standing};

/// Judges a comparison as its observations come in. Each is looked at once.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    header: &'a Header,
    rules: Vec<Rules>,
    suite: Rule,
    ledgers: BTreeMap<(u32, usize), Ledger>,
}

impl<'a> Judge<'a> {
    /// A judge of the comparison with this header, that has seen nothing.
    pub fn new(header: &'a Header) -> Self {
        let mut known = KnownLooks::default();
        let options = &header.options;
        let rules = header.configurations.iter();
        let rules = rules.map(|compared| Rules {
            screen: rule(&mut known, rounds_asked(options), options.alpha, compared),
            fresh: Rule {
                looks: known.sequential(compared.observations_max, options.alpha),
                margin: compared.margin,
            },
        });
        let rules = rules.collect();
        Judge {
            header,
            rules,
            suite: suite_rule(&mut known, header),
            ledgers: BTreeMap::new(),
        }
    }

    /// The rule of configuration `index`.
    pub fn rule(&self, index: usize) -> Option<&Rule> {
        self.rules.get(index).map(|rules| &rules.screen)
    }

    /// Looks at one more observation.
    pub fn add(&mut self, one: &Observation) {
        let Some(compared) = self.header.configurations.get(one.configuration) else {
            return;
        };
        let key = (one.comparison, one.configuration);
        self.ledgers.entry(key).or_default().add(compared, one);
    }

    /// The verdicts of comparison `number` by what has been seen.
    pub fn verdicts(&self, number: u32, ending: Option<Ending>) -> Verdicts {
        let empty = Ledger::default();
        let all = self.header.configurations.iter().zip(&self.rules);
        let configurations: Vec<ConfigurationVerdict> = all
            .enumerate()
            .map(|(index, (compared, rules))| {
                let ledger = self.ledgers.get(&(number, index)).unwrap_or(&empty);
                self.verdict(compared, rules, ledger, ending.is_some())
            })
            .collect();
        let members = self.header.configurations.iter().zip(&configurations);
        let members = members.filter(|(_, verdict)| verdict.is_timed());
        let members: Vec<Member<'_>> = members
            .map(|(compared, verdict)| Member { compared, verdict })
            .collect();
        let suite = suite::verdict(&self.suite, &members, ending.is_some());
        Verdicts {
            configurations,
            suite,
            ending,
        }
    }

    fn verdict(
        &self,
        compared: &Compared,
        rules: &Rules,
        ledger: &Ledger,
        ended: bool,
    ) -> ConfigurationVerdict {
        if let Some((word, notes)) = self.untimed(compared, ledger) {
            return ConfigurationVerdict::untimed(word, notes, ledger);
        }
        let options = &self.header.options;
        let demands = Demands {
            confirm: self.confirms(),
            second_opinion: options.confirm.is_some(),
            observations_min: observations_min(options.gate),
            ended,
        };
        let timed = timed(rules, compared.metric, ledger, demands);
        let mut notes = timed.notes;
        notes.extend(about_numbers(compared, ledger));
        ConfigurationVerdict {
            word: timed.word,
            measured: Some(timed.measured),
            confirmation: timed.confirmation,
            second_opinion: timed.second_opinion,
            difference: ledger.tally.difference().clone(),
            load: ledger.load,
            notes,
            need: timed.need,
            ledger: ledger.clone(),
        }
    }

    /// The word of a configuration whose time says nothing, with the reasons.
    fn untimed(&self, compared: &Compared, ledger: &Ledger) -> Option<(Word, Vec<String>)> {
        let options = &self.header.options;
        match &compared.standing {
            Standing::New => return Some((Word::New, vec!["not in the baseline".to_owned()])),
            Standing::Missing => {
                return Some((Word::Missing, vec!["not in the candidate".to_owned()]));
            }
            Standing::Changed { reasons } => {
                return Some((Word::ChangedConfiguration, reasons.clone()));
            }
            Standing::Comparable => {}
        }
        if self.header.build_difference.same && options.aa.is_none() {
            return Some((Word::SameBuild, Vec::new()));
        }
        if let Some(reason) = &ledger.failure {
            return Some((Word::Failed, vec![reason.clone()]));
        }
        let resolved = ledger.tally.resolved_differences();
        if !resolved.is_empty() {
            return Some((Word::ChangedConfiguration, resolved.to_vec()));
        }
        let reasons = ledger.tally.reasons(compared);
        (!reasons.is_empty()).then_some((Word::ResultsDiffer, reasons))
    }

    /// Whether a change is confirmed on fresh observations: where several configurations are timed,
    /// one of them is called changed by chance more often than the level says. A fixed number of
    /// rounds leaves no room for it.
    fn confirms(&self) -> bool {
        confirms(self.header)
    }
}

/// Whether a change in this comparison is confirmed on fresh observations.
pub fn confirms(header: &Header) -> bool {
    let comparable = |compared: &&Compared| compared.standing == Standing::Comparable;
    let several = header.configurations.iter().filter(comparable).count() > 1;
    several && header.options.rounds.is_none()
}

/// Looks that were computed at one level, by number: many configurations have the same.
#[derive(Debug, Default)]
pub struct KnownLooks {
    sequential: BTreeMap<u32, Looks>,
    fixed: BTreeMap<usize, Looks>,
}

impl KnownLooks {
    fn sequential(&mut self, observations_max: u32, alpha: f64) -> Looks {
        let looks = self.sequential.entry(observations_max);
        let max = usize::try_from(observations_max).unwrap_or(usize::MAX);
        looks
            .or_insert_with(|| Looks::sequential(max, alpha))
            .clone()
    }

    fn fixed(&mut self, rounds: usize, alpha: f64) -> Looks {
        let looks = self.fixed.entry(rounds);
        looks.or_insert_with(|| Looks::fixed(rounds, alpha)).clone()
    }
}

/// Observations of each configuration that are made whatever is decided.
pub fn observations_min(gate: bool) -> usize {
    match gate {
        true => PAIRS_MIN,
        false => 0,
    }
}

/// Rounds that are made where an exact number was asked for; the gate needs its pairs whatever that
/// is.
pub fn rounds_made(rounds: Option<u32>, gate: bool) -> Option<usize> {
    let rounds = usize::try_from(rounds?).unwrap_or(usize::MAX);
    Some(rounds.max(observations_min(gate)))
}

/// The same for a comparison with these options.
pub fn rounds_asked(options: &Options) -> Option<usize> {
    rounds_made(options.rounds, options.gate)
}

/// The rule of one configuration: `rounds` exactly, where they were asked for.
pub fn rule(
    known: &mut KnownLooks,
    rounds: Option<usize>,
    alpha: f64,
    compared: &Compared,
) -> Rule {
    let looks = match rounds {
        Some(rounds) => known.fixed(rounds, alpha),
        None => known.sequential(compared.observations_max, alpha),
    };
    Rule {
        looks,
        margin: compared.margin,
    }
}

/// Smallest change, as a log-ratio, that the last look of a rule calls where one observation has a
/// robust standard deviation of `sd`. CPU time shares the level with its guard.
pub fn visible(rule: &Rule, metric: Metric, sd: f64) -> f64 {
    let level = match metric {
        Metric::Cpu => Level::Shared,
        Metric::Wall => Level::Whole,
    };
    rule.visible(level, sd)
}

/// The rule of the suite: as many rounds as every configuration may have, and the widest margin.
fn suite_rule(known: &mut KnownLooks, header: &Header) -> Rule {
    let comparable = header.configurations.iter();
    let comparable = comparable.filter(|compared| compared.standing == Standing::Comparable);
    let rounds = comparable.clone().map(|compared| compared.observations_max);
    let rounds = rounds.min().unwrap_or(1);
    let looks = match rounds_asked(&header.options) {
        Some(rounds) => known.fixed(rounds, header.options.alpha),
        None => known.sequential(rounds, header.options.alpha),
    };
    Rule {
        looks,
        margin: comparable
            .map(|compared| compared.margin)
            .fold(0.0, f64::max),
    }
}
