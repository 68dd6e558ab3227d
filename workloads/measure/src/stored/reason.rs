//! Why a comparison ended as it did.

use std::fmt;

use longrun_protocol::duet::Side;

use crate::sampling::Warning;
use crate::statistics::Excess;

/// One reason for a verdict. `Candidate` is this run.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The baseline has no entry of that name.
    NotInBaseline,
    /// The run has no result of that name.
    NotInRun,
    /// The fingerprints differ, or one is unknown.
    OtherFingerprint {
        /// The baseline's.
        baseline: Option<String>,
        /// That of this run.
        run: Option<String>,
    },
    /// The run did not do the work that it should have done.
    BrokenWitness(String),
    /// The limits of the policy make no sense.
    InvalidThresholds,
    /// A side has too few samples.
    FewSamples {
        /// Which.
        side: Side,
        /// How many there are.
        samples: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The median of a side is not above zero, or its spread is no number.
    NotATime {
        /// Which.
        side: Side,
    },
    /// Neither side shows a spread: the clock does not resolve it.
    NoSpread,
    /// This run carries a warning.
    Warned(Warning),
    /// The baseline's entry carries one, of this code.
    BaselineWarned(String),
    /// A side varies too much.
    Noisy {
        /// Which.
        side: Side,
        /// How much.
        excess: Excess,
    },
    /// The medians differ by as large a part as counts, or by less.
    Relative(Held),
    /// They differ by as many sigmas as count, or by fewer.
    Sigmas(Held),
    /// They differ by as large a part as counts, and not by as many sigmas.
    Unclear {
        /// Part of the baseline's median.
        relative: f64,
        /// The sigmas.
        sigmas: Held,
    },
    /// They differ by less than counts, and so much cannot be excluded.
    NotExcluded {
        /// Part of the baseline's median.
        relative: f64,
        /// The part that counts.
        limit: f64,
        /// Standard error of `relative`; none where the middle half of a side is alike.
        standard_error: Option<f64>,
    },
    /// Their ratio, slower over faster, is beyond what is allowed, or not.
    Ratio(Held),
    /// A side was sampled in too few processes to tell them apart.
    FewProcesses {
        /// Which.
        side: Side,
        /// How many there are.
        processes: usize,
        /// How many of each side are needed.
        needed: usize,
    },
    /// The medians differ by as much as counts, but some processes of a side are within the other.
    Mixed {
        /// Part of the baseline's median.
        relative: f64,
    },
    /// The medians are as close as counts, but some process is far from the other side.
    Astray(Held),
}

/// A number, its limit, and which side of it the number is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The number.
    pub found: f64,
    /// The limit.
    pub limit: f64,
    /// Whether the number is what the limit asks for.
    pub reached: bool,
}

impl Reason {
    /// A stable word for files: the threshold that decided, or that left it open, where one did.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::NotInBaseline => "not_in_baseline",
            Reason::NotInRun => "not_in_run",
            Reason::OtherFingerprint { .. } => "other_fingerprint",
            Reason::BrokenWitness(_) => "broken_witness",
            Reason::InvalidThresholds => "invalid_thresholds",
            Reason::FewSamples { .. } => "few_samples",
            Reason::NotATime { .. } => "not_a_time",
            Reason::NoSpread => "no_spread",
            Reason::Warned(_) => "warned",
            Reason::BaselineWarned(_) => "baseline_warned",
            Reason::Noisy { .. } => "noisy",
            Reason::Relative(_) => "relative",
            Reason::Sigmas(_) | Reason::Unclear { .. } => "sigmas",
            Reason::NotExcluded { .. } => "standard_error",
            Reason::Ratio(_) => "ratio",
            Reason::FewProcesses { .. } => "few_processes",
            Reason::Mixed { .. } => "mixed_processes",
            Reason::Astray(_) => "astray_process",
        }
    }

    /// The side that it is about, where it is about one.
    pub fn side(&self) -> Option<Side> {
        match self {
            Reason::FewSamples { side, .. }
            | Reason::NotATime { side }
            | Reason::FewProcesses { side, .. }
            | Reason::Noisy { side, .. } => Some(*side),
            Reason::Warned(_) => Some(Side::Candidate),
            Reason::BaselineWarned(_) => Some(Side::Baseline),
            _ => None,
        }
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Baseline => "the baseline",
        Side::Candidate => "this run",
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotInBaseline => write!(
                out,
                "the baseline has no entry for it; save one to compare with next time"
            ),
            Reason::NotInRun => write!(
                out,
                "the baseline has it and this run does not; what is renamed loses its baseline"
            ),
            Reason::OtherFingerprint { baseline, run } => {
                let word = |print: &Option<String>| match print {
                    Some(print) => format!("`{print}`"),
                    None => "something unknown".to_owned(),
                };
                write!(
                    out,
                    "the baseline was measured on {} and this run on {}; save a baseline here",
                    word(baseline),
                    word(run)
                )
            }
            Reason::BrokenWitness(why) => write!(out, "it has no time that counts: {why}"),
            Reason::InvalidThresholds => write!(out, "the limits of the policy make no sense"),
            Reason::FewSamples {
                side,
                samples,
                needed,
            } => write!(
                out,
                "{} has {samples} of the {needed} samples that are needed",
                side_word(*side)
            ),
            Reason::NotATime { side } => {
                let side = side_word(*side);
                write!(out, "the median and the spread of {side} are no times")
            }
            Reason::NoSpread => write!(
                out,
                "all samples of the middle half are alike on both sides: the clock does not \
                 resolve them"
            ),
            Reason::Warned(warning) => write!(out, "{warning}"),
            Reason::BaselineWarned(code) => write!(
                out,
                "the baseline was saved with the warning `{code}`; save one that has none"
            ),
            Reason::Noisy { side, excess } => write!(out, "{}: {excess}", side_word(*side)),
            Reason::Relative(held) => relative(out, held),
            Reason::Sigmas(held) => sigmas(out, held),
            Reason::Unclear { relative, sigmas } => unclear(out, *relative, sigmas),
            Reason::NotExcluded {
                relative,
                limit,
                standard_error,
            } => not_excluded(out, *relative, *limit, *standard_error),
            Reason::Ratio(held) => ratio(out, held),
            Reason::FewProcesses {
                side,
                processes,
                needed,
            } => few_processes(out, *side, *processes, *needed),
            Reason::Mixed { relative } => mixed(out, *relative),
            Reason::Astray(held) => astray(out, held),
        }
    }
}

fn relative(out: &mut fmt::Formatter<'_>, held: &Held) -> fmt::Result {
    let (found, limit) = (100.0 * held.found, 100.0 * held.limit);
    match held.reached {
        true => write!(out, "{found:+.2} % reaches {limit:.2} %"),
        false => write!(out, "{found:+.2} % is less than {limit:.2} %"),
    }
}

fn sigmas(out: &mut fmt::Formatter<'_>, held: &Held) -> fmt::Result {
    let Held { found, limit, .. } = held;
    match held.reached {
        true => write!(out, "{found:.2} sigmas reach {limit:.2}"),
        false => write!(out, "{found:.2} sigmas are fewer than {limit:.2}"),
    }
}

/// More samples are not the advice: they make the median surer, and no sample less scattered.
fn unclear(out: &mut fmt::Formatter<'_>, relative: f64, held: &Held) -> fmt::Result {
    write!(out, "{:+.2} % may be a change, but ", 100.0 * relative)?;
    sigmas(out, held)?;
    write!(
        out,
        "; measure on a quieter machine, in longer blocks, or with `ab`"
    )
}

fn not_excluded(
    out: &mut fmt::Formatter<'_>,
    relative: f64,
    limit: f64,
    standard_error: Option<f64>,
) -> fmt::Result {
    let (found, limit) = (100.0 * relative, 100.0 * limit);
    match standard_error {
        Some(error) => write!(
            out,
            "{found:+.2} % with a standard error of {:.2} % does not exclude {limit:.2} %; take \
             more samples, measure on a quieter machine, or use `ab`",
            100.0 * error
        ),
        None => write!(
            out,
            "{found:+.2} % does not exclude {limit:.2} %: the middle half of a side is alike, so \
             its median has no standard error; let a block have more operations"
        ),
    }
}

fn ratio(out: &mut fmt::Formatter<'_>, held: &Held) -> fmt::Result {
    let Held { found, limit, .. } = held;
    match held.reached {
        true => write!(out, "a ratio of {found:.3} is beyond {limit:.2}"),
        false => write!(out, "a ratio of {found:.3} is within {limit:.2}"),
    }
}

fn few_processes(
    out: &mut fmt::Formatter<'_>,
    side: Side,
    processes: usize,
    needed: usize,
) -> fmt::Result {
    write!(
        out,
        "{} was sampled in {processes} of the {needed} processes that are needed to tell a change \
         from what differs between them",
        side_word(side)
    )
}

fn mixed(out: &mut fmt::Formatter<'_>, relative: f64) -> fmt::Result {
    write!(
        out,
        "{:+.2} % may be a change, but processes of one side are within the other; measure on a \
         quieter machine, or use `ab`",
        100.0 * relative
    )
}

fn astray(out: &mut fmt::Formatter<'_>, held: &Held) -> fmt::Result {
    write!(
        out,
        "a process of one side is {:.2} % from the median of the other, which is more than \
         {:.2} %; measure on a quieter machine, or use `ab`",
        100.0 * held.found,
        100.0 * held.limit
    )
}
