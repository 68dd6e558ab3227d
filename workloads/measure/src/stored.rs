//! What a run says beside a baseline that was kept.
//!
//! Minutes or months lie between the two, so nothing is paired, and a machine that drifts looks
//! like a change: `ab` is for small ones. [`compare`] is a function of the numbers of both sides;
//! the first of these steps that applies decides, and every reason of that step is named.
//!
//! 1. the baseline or the run does not have it: new, [`missing`];
//! 2. the fingerprints differ: incomparable;
//! 3. the run was not the work that it should have been: invalid;
//! 4. too few samples, no time, no spread, too much spread or a warning on either side:
//!    inconclusive;
//! 5. the thresholds of the policy: regressed, improved, pass, or inconclusive where they do not
//!    say;
//! 6. where a side was sampled in several processes, what those say one by one: a verdict that they
//!    do not bear out is inconclusive.
//!
//! There is no test of significance. With enough samples everything is significant; what is asked
//! is whether a change is large enough to care, and clear of the noise. A pass is asked for the
//! opposite: that such a change can be excluded.

mod decision;
mod facts;
mod policy;
mod processes;
mod reason;

use longrun_protocol::duet::Side;

use crate::sampling::is_a_note;
use crate::statistics::SPREAD_SAMPLES_MIN;
use decision::decide;
use facts::{Times, is_time};
use processes::Processes;

pub use facts::{RunFacts, StoredFacts};
pub use policy::{Change, Policy, STANDARD_ERRORS_MIN, Thresholds};
pub use reason::{Held, Reason};

/// What is said of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The baseline does not have it.
    New,
    /// The run does not have it.
    Missing,
    /// The times are of different machines, or of different work.
    Incomparable,
    /// The run has no time that counts.
    Invalid,
    /// The numbers do not say.
    Inconclusive,
    /// Slower.
    Regressed,
    /// Faster. One that nobody can explain is a suspected error of measurement first.
    Improved,
    /// Not changed by as much as counts.
    Pass,
}

impl Verdict {
    /// The word in files and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::New => "new",
            Verdict::Missing => "missing",
            Verdict::Incomparable => "incomparable",
            Verdict::Invalid => "invalid",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Regressed => "regressed",
            Verdict::Improved => "improved",
            Verdict::Pass => "pass",
        }
    }
}

/// A verdict, why, and the numbers that there were.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// Every reason of the step that decided, at least one. Of a pass, the thresholds that were not
    /// reached; of what they leave open, the one that was missed.
    pub reasons: Vec<Reason>,
    /// How the medians differ. None where they may not be compared, or are no times.
    pub difference: Option<Difference>,
}

/// How two medians differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// `run / baseline`.
    pub ratio: f64,
    /// `(run - baseline) / baseline`; positive where the run is slower.
    pub relative: f64,
    /// Their distance over the larger robust sigma of the two sides; none where both are zero. A
    /// sigma is the spread of single samples, so three of them are far more than three standard
    /// errors of the medians.
    pub sigmas: Option<f64>,
    /// Standard error of `relative`, from those of both medians, where both are known. It calls no
    /// change; a pass asks how far it reaches.
    pub standard_error: Option<f64>,
}

impl Comparison {
    fn of(verdict: Verdict, reason: Reason) -> Self {
        Comparison {
            verdict,
            reasons: vec![reason],
            difference: None,
        }
    }

    /// The reasons in words.
    pub fn reason(&self) -> String {
        let words: Vec<String> = self.reasons.iter().map(Reason::to_string).collect();
        words.join("; ")
    }
}

/// Of what the baseline has and the run does not.
pub fn missing() -> Comparison {
    Comparison::of(Verdict::Missing, Reason::NotInRun)
}

/// Compares a run with the entry of the baseline, if there is one.
pub fn compare(entry: Option<&StoredFacts>, run: &RunFacts, thresholds: &Thresholds) -> Comparison {
    let Some(entry) = entry else {
        return Comparison::of(Verdict::New, Reason::NotInBaseline);
    };
    if entry.fingerprint.is_none() || entry.fingerprint != run.fingerprint {
        let reason = Reason::OtherFingerprint {
            baseline: entry.fingerprint.clone(),
            run: run.fingerprint.clone(),
        };
        return Comparison::of(Verdict::Incomparable, reason);
    }
    if let Some(why) = &run.broken_witness {
        return Comparison::of(Verdict::Invalid, Reason::BrokenWitness(why.clone()));
    }
    let sides = Sides::of(entry, run);
    let difference = sides.difference();
    let mut doubts = sides.doubts(thresholds);
    doubts.extend(warnings(entry, run, &doubts));
    let (verdict, reasons) = match &difference {
        Some(difference) if doubts.is_empty() => {
            let found = decide(difference, thresholds);
            sides.borne_out(found, difference, thresholds)
        }
        _ => (Verdict::Inconclusive, doubts),
    };
    Comparison {
        verdict,
        reasons,
        difference,
    }
}

/// The numbers of both sides.
struct Sides<'a> {
    baseline: Times,
    /// None without samples.
    run: Option<Times>,
    processes: Processes<'a>,
}

impl<'a> Sides<'a> {
    fn of(entry: &'a StoredFacts, run: &'a RunFacts) -> Self {
        Sides {
            baseline: Times::of_baseline(entry),
            run: run.statistics.as_ref().map(Times::of_run),
            processes: Processes {
                baseline: &entry.process_medians_ns,
                run: &run.process_medians_ns,
            },
        }
    }

    fn all(&self) -> impl Iterator<Item = (Side, Times)> {
        let run = self.run.map(|run| (Side::Candidate, run));
        [(Side::Baseline, self.baseline)].into_iter().chain(run)
    }

    /// None where a side has no time.
    fn difference(&self) -> Option<Difference> {
        let (baseline, run) = (self.baseline, self.run?);
        if !baseline.are_times() || !run.are_times() {
            return None;
        }
        let distance_ns = run.median_ns - baseline.median_ns;
        let sigma_ns = baseline.robust_sigma().max(run.robust_sigma());
        let ratio = run.median_ns / baseline.median_ns;
        // No number without a spread, nor with one, in a file, that is next to nothing.
        let sigmas = distance_ns.abs() / sigma_ns;
        let errors = baseline.standard_error().zip(run.standard_error());
        Some(Difference {
            ratio,
            relative: distance_ns / baseline.median_ns,
            sigmas: sigmas.is_finite().then_some(sigmas),
            standard_error: errors
                .map(|(base, run)| libm::hypot(run, ratio * base) / baseline.median_ns),
        })
    }

    /// What keeps the numbers from being read.
    fn doubts(&self, thresholds: &Thresholds) -> Vec<Reason> {
        let mut doubts = Vec::new();
        if !thresholds.are_valid() {
            doubts.push(Reason::InvalidThresholds);
        }
        let needed = thresholds.samples_min.max(SPREAD_SAMPLES_MIN);
        let counts = [
            (Side::Baseline, self.baseline.samples),
            (Side::Candidate, self.run.map_or(0, |run| run.samples)),
        ];
        let few = counts.into_iter().filter(|(_, samples)| *samples < needed);
        doubts.extend(few.map(|(side, samples)| Reason::FewSamples {
            side,
            samples,
            needed,
        }));
        doubts.extend(self.few_processes(thresholds));
        let timeless = self.all().filter(|(side, times)| {
            let medians_ns = match side {
                Side::Baseline => self.processes.baseline,
                Side::Candidate => self.processes.run,
            };
            !times.are_times() || !medians_ns.iter().all(|ns| is_time(*ns))
        });
        doubts.extend(timeless.map(|(side, _)| Reason::NotATime { side }));
        let spread = self.difference().map(|difference| difference.sigmas);
        if spread == Some(None) {
            doubts.push(Reason::NoSpread);
        }
        doubts.extend(self.all().filter_map(|(side, times)| {
            let excess = thresholds.noise.exceeded(&times.noise()?)?;
            Some(Reason::Noisy { side, excess })
        }));
        doubts
    }

    /// Sides with too few processes, where one has several.
    fn few_processes(&self, thresholds: &Thresholds) -> Vec<Reason> {
        let processes = &self.processes;
        if !processes.are_several() || processes.chance() <= thresholds.chance_max {
            return Vec::new();
        }
        let needed = processes::needed(thresholds.chance_max);
        let counts = [
            (Side::Baseline, processes.baseline.len()),
            (Side::Candidate, processes.run.len()),
        ];
        let few = counts.into_iter().filter(|(_, count)| *count < needed);
        // One process is kept as none: the samples are all of it.
        few.map(|(side, count)| Reason::FewProcesses {
            side,
            processes: count.max(1),
            needed,
        })
        .collect()
    }

    /// A verdict, unless the processes of the sides contradict it.
    fn borne_out(
        &self,
        found: (Verdict, Vec<Reason>),
        difference: &Difference,
        thresholds: &Thresholds,
    ) -> (Verdict, Vec<Reason>) {
        let processes = &self.processes;
        let Some(run) = self.run.filter(|_| processes.are_several()) else {
            return found;
        };
        let contradicted = match found.0 {
            Verdict::Regressed | Verdict::Improved => (!processes.are_apart()).then(|| {
                let relative = difference.relative;
                Reason::Mixed { relative }
            }),
            Verdict::Pass => {
                let distance = processes.farthest(self.baseline.median_ns, run.median_ns);
                let limit = thresholds.astray();
                let astray = Held {
                    found: distance,
                    limit,
                    reached: distance <= limit,
                };
                (!astray.reached).then_some(Reason::Astray(astray))
            }
            _ => None,
        };
        match contradicted {
            Some(reason) => (Verdict::Inconclusive, vec![reason]),
            None => found,
        }
    }
}

/// Warnings of both sides that leave nothing to compare and that the numbers do not say as well.
fn warnings(entry: &StoredFacts, run: &RunFacts, said: &[Reason]) -> Vec<Reason> {
    let counts = |side: Side, code: &str| {
        let is_said = |reason: &Reason| reason.side() == Some(side) && reason.code() == code;
        !is_a_note(code) && !said.iter().any(is_said)
    };
    let of_run = run.warning;
    let of_run = of_run.filter(|warning| counts(Side::Candidate, warning.code()));
    let kept = entry.warning.as_deref();
    let kept = kept.filter(|code| counts(Side::Baseline, code));
    let kept = kept.map(|code| Reason::BaselineWarned(code.to_owned()));
    of_run.map(Reason::Warned).into_iter().chain(kept).collect()
}

#[cfg(test)]
mod tests;
