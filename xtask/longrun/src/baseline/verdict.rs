//! How verdicts look. What they are is decided in `longrun-measure`.

pub use longrun_measure::stored::Verdict;

use crate::colour::Tone;

/// Two characters before a name, so that nobody has to see colours.
pub fn marker(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Regressed => "!!",
        Verdict::Improved => "++",
        Verdict::Inconclusive => "??",
        Verdict::New
        | Verdict::Missing
        | Verdict::Incomparable
        | Verdict::Invalid
        | Verdict::Pass => "  ",
    }
}

/// What its colour means.
pub fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Regressed | Verdict::Invalid => Tone::Bad,
        Verdict::Improved => Tone::Good,
        Verdict::Inconclusive | Verdict::Incomparable => Tone::Doubtful,
        Verdict::New | Verdict::Missing | Verdict::Pass => Tone::Muted,
    }
}
