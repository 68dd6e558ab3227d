//! The words that all views use: changes with a sign and a unit, dates, commits, lists.

use longrun_protocol::{Configuration, Width};

use crate::history::compare::{Comparison, Extreme, FieldChange};
use crate::text;

/// What stands for a value that there is none of.
pub const NONE: &str = "-";

/// Digits of a commit id that are shown.
const COMMIT_SHOWN: usize = 7;

/// Digits of another digest that are shown.
const DIGEST_SHOWN: usize = 12;

/// Characters of a date that are shown: to the minute.
const DATE_SHOWN: usize = 16;

/// Most things that a line lists.
const LISTED_MAX: usize = 6;

/// Columns whose values are digests.
const DIGESTS: [&str; 3] = ["fft_plans", "build_key", "worker_digest"];

/// Ratio from which a change is a number of times and not a percentage.
const TIMES: f64 = 1e4;

/// A ratio as a change: `+1.2 %`, `-0.3 %`, `0.0 %`; `1.20e7 times` where no percentage helps.
pub fn percent(ratio: f64) -> String {
    if ratio >= TIMES {
        return format!("{ratio:.2e} times");
    }
    let shown = format!("{:+.1} %", (ratio - 1.0) * 100.0);
    match shown.as_str() {
        "+0.0 %" | "-0.0 %" => "0.0 %".to_owned(),
        _ => shown,
    }
}

/// A ratio, or that there is none.
pub fn change(ratio: Option<f64>) -> String {
    ratio.map_or(NONE.to_owned(), percent)
}

/// A change and the number of configurations that it was taken over.
pub fn comparison(comparison: &Comparison) -> String {
    let shown = change(comparison.ratio);
    format!("{shown} (shared {})", comparison.shared)
}

/// The ends of what was averaged, where there is more than one.
pub fn extremes(comparison: &Comparison) -> Option<String> {
    let (Some(worst), Some(best)) = (&comparison.worst, &comparison.best) else {
        return None;
    };
    let named = |extreme: &Extreme| format!("{} {}", extreme.configuration, percent(extreme.ratio));
    (comparison.shared > 1).then(|| format!("worst {}, best {}", named(worst), named(best)))
}

/// A date to the minute, in UTC.
pub fn date(date: &str) -> String {
    let text = date.replace('T', " ");
    text.chars().take(DATE_SHOWN).collect()
}

/// The beginning of a commit, marked where uncommitted changes were measured or may have been.
pub fn commit(commit: &str, dirty: Option<bool>) -> String {
    let mark = match dirty {
        Some(true) => "*",
        Some(false) => "",
        None => "?",
    };
    let shown: String = commit.chars().take(COMMIT_SHOWN).collect();
    format!("{shown}{mark}")
}

/// `1 thread`, `16 threads`, `device`.
pub fn width(width: Width) -> String {
    match width {
        Width::Device => "device".to_owned(),
        Width::Threads(threads) => text::counted(threads as usize, "thread"),
    }
}

/// `1.20 s to 1.25 s`.
pub fn range(min_s: Option<f64>, max_s: Option<f64>) -> String {
    let shown = |value: Option<f64>| value.map_or("unknown".to_owned(), text::seconds);
    match (min_s, max_s) {
        (None, None) => NONE.to_owned(),
        (min_s, max_s) => format!("{} to {}", shown(min_s), shown(max_s)),
    }
}

/// Something, or that there is none.
pub fn or_none(value: Option<impl ToString>) -> String {
    value.map_or(NONE.to_owned(), |value| value.to_string())
}

/// Accepted and rejected steps, as `track` shows them: `656+1`, and `656` where none was rejected.
pub fn steps(accepted: Option<u64>, rejected: Option<u64>) -> String {
    match (accepted, rejected) {
        (None, None) => NONE.to_owned(),
        (Some(accepted), Some(0)) => accepted.to_string(),
        (accepted, rejected) => {
            let shown =
                |count: Option<u64>| count.map_or("?".to_owned(), |count| count.to_string());
            format!("{}+{}", shown(accepted), shown(rejected))
        }
    }
}

/// `yes`, `no`, `unknown`.
pub fn flag(value: Option<bool>) -> String {
    let word = match value {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    word.to_owned()
}

/// Columns that differ, each with both values: `revision 1 -> 2, integrator multistep -> rk`.
pub fn fields(fields: &[FieldChange]) -> String {
    let shown: Vec<String> = fields
        .iter()
        .map(|field| {
            let value = |value: &Option<String>| value_of(field.field, value.as_deref());
            let (before, after) = (value(&field.before), value(&field.after));
            format!("{} {before} -> {after}", field.field)
        })
        .collect();
    shown.join(", ")
}

/// The value of a column, a digest by its beginning.
pub fn value_of(field: &str, value: Option<&str>) -> String {
    match value {
        None => "unknown".to_owned(),
        Some("") => "none".to_owned(),
        Some(digest) if DIGESTS.contains(&field) => digest.chars().take(DIGEST_SHOWN).collect(),
        Some(value) => value.to_owned(),
    }
}

/// Names in a row, up to a bound.
pub fn listed<T: ToString>(items: &[T]) -> String {
    let shown: Vec<String> = items.iter().take(LISTED_MAX).map(T::to_string).collect();
    match items.len().saturating_sub(LISTED_MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A line about configurations, where there are any.
pub fn about(what: &str, configurations: &[Configuration]) -> Option<String> {
    let some = !configurations.is_empty();
    some.then(|| format!("{what}: {}", listed(configurations)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign_and_a_unit() {
        for (ratio, expected) in [
            (1.0, "0.0 %"),
            (1.012, "+1.2 %"),
            (0.5, "-50.0 %"),
            (37.0, "+3600.0 %"),
            (0.9999, "0.0 %"),
            (1.0001, "0.0 %"),
            (1e4, "1.00e4 times"),
            (f64::MAX, "1.80e308 times"),
        ] {
            assert_eq!(percent(ratio), expected);
        }
        assert_eq!(change(None), "-");
    }

    #[test]
    fn what_is_unknown_is_said_to_be() {
        assert_eq!(value_of("os", None), "unknown");
        assert_eq!(value_of("tolerances", Some("")), "none");
        assert_eq!(flag(None), "unknown");
        assert_eq!(range(None, Some(1.0)), "unknown to 1.00 s");
        assert_eq!(range(None, None), "-");
    }

    #[test]
    fn steps_are_accepted_and_rejected_ones() {
        for (accepted, rejected, expected) in [
            (Some(656), Some(1), "656+1"),
            (Some(656), Some(0), "656"),
            (Some(656), None, "656+?"),
            (None, Some(1), "?+1"),
            (None, None, "-"),
        ] {
            assert_eq!(steps(accepted, rejected), expected);
        }
    }

    #[test]
    fn long_lists_end_with_how_many_more() {
        let names: Vec<String> = (1..=8).map(|name| format!("n{name}")).collect();
        assert_eq!(listed(&names), "n1, n2, n3, n4, n5, n6 and 2 more");
    }

    #[test]
    fn digests_are_shown_by_their_beginning() {
        let digest = "0123456789abcdef";
        assert_eq!(value_of("build_key", Some(digest)), "0123456789ab");
        assert_eq!(value_of("os", Some(digest)), digest);
    }
}
