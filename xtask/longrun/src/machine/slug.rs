//! The name of a hardware set: CPU model, production width, cloud family. Pure.
//!
//! It names a file of history, so it must stay the same for the same hardware for years and is
//! made of nothing but model words: never a host name.

use crate::digest;

/// Name of a model that is not known.
const UNKNOWN: &str = "unknown";

/// Longest model part; file names have limits.
const MODEL_CHARS_MAX: usize = 80;

/// Digits of the digest that stands for what is cut off a longer one.
const DIGEST_CHARS: usize = 8;

/// Words that say nothing about the model.
const EMPTY_WORDS: [&str; 4] = ["cpu", "cpus", "processor", "processors"];

/// Marks that are not part of a name.
const MARKS: [&str; 5] = ["(r)", "(tm)", "(c)", "®", "™"];

/// How old models spell the number of their cores.
const NUMBER_WORDS: [&str; 7] = ["single", "dual", "triple", "quad", "six", "eight", "twelve"];

/// `amd-epyc-7763-16c`, `arm-neoverse-v2-16c-aws-m8g`. Always matches `[a-z0-9-]+`.
pub fn slug(model: Option<&str>, width: u32, cloud_family: Option<&str>) -> String {
    let model = model.map(model_words).filter(|words| !words.is_empty());
    let mut slug = model.unwrap_or_else(|| UNKNOWN.to_owned());
    slug.push_str(&format!("-{width}c"));
    let family = cloud_family.map(dashed).filter(|family| !family.is_empty());
    if let Some(family) = family {
        slug.push('-');
        slug.push_str(&family);
    }
    slug
}

/// Whether a hardware set is named after no model.
pub fn is_unknown(slug: &str) -> bool {
    let rest = slug.strip_prefix(UNKNOWN);
    rest.is_some_and(|rest| rest.starts_with('-'))
}

/// The words of a model name that name the model, joined by dashes.
fn model_words(model: &str) -> String {
    let mut text = model.to_lowercase();
    for mark in MARKS {
        text = text.replace(mark, " ");
    }
    // What follows is the nominal frequency.
    let name = text.split('@').next().unwrap_or_default();
    let words: Vec<String> = name
        .split_whitespace()
        .filter(|word| !says_nothing(word))
        .map(dashed)
        .filter(|word| !word.is_empty())
        .collect();
    let mut joined = words.join("-");
    if joined.len() > MODEL_CHARS_MAX {
        let digest = digest::of_bytes(joined.as_bytes());
        // Only ASCII is left, so any length is a boundary.
        joined.truncate(MODEL_CHARS_MAX - DIGEST_CHARS - 1);
        let kept = joined.trim_end_matches('-');
        return format!("{kept}-{digest:.DIGEST_CHARS$}");
    }
    joined
}

fn says_nothing(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    EMPTY_WORDS.contains(&word) || is_core_count(word) || is_frequency(word)
}

/// `64-core`, `quad-core`.
fn is_core_count(word: &str) -> bool {
    let number = word
        .strip_suffix("-cores")
        .or_else(|| word.strip_suffix("-core"));
    number.is_some_and(|number| is_number(number) || NUMBER_WORDS.contains(&number))
}

/// `3.00ghz`, where there is no `@` before it.
fn is_frequency(word: &str) -> bool {
    let number = word
        .strip_suffix("ghz")
        .or_else(|| word.strip_suffix("mhz"));
    number.is_some_and(|number| is_number(&number.replacen('.', "", 1)))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Runs of letters and digits, joined by single dashes.
fn dashed(text: &str) -> String {
    let lower = text.to_lowercase();
    let parts: Vec<&str> = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn models_become_the_words_that_name_them() {
        for (model, expected) in [
            ("Apple M5 Max", "apple-m5-max-18c"),
            ("AMD EPYC 7763 64-Core Processor", "amd-epyc-7763-18c"),
            (
                "Intel(R) Xeon(R) Gold 6240 CPU @ 2.60GHz",
                "intel-xeon-gold-6240-18c",
            ),
            ("Intel(R) Xeon(R) Processor", "intel-xeon-18c"),
            (
                "13th Gen Intel(R) Core(TM) i9-13900K",
                "13th-gen-intel-core-i9-13900k-18c",
            ),
            (
                "Quad-Core AMD Opteron(tm) Processor 2356",
                "amd-opteron-2356-18c",
            ),
            (
                "AMD Ryzen Threadripper PRO 5995WX 64-Cores",
                "amd-ryzen-threadripper-pro-5995wx-18c",
            ),
            ("Intel(R) Pentium(R) 4 CPU 3.00GHz", "intel-pentium-4-18c"),
            ("ARM Neoverse-V2", "arm-neoverse-v2-18c"),
            (
                "QEMU Virtual CPU version 2.5+",
                "qemu-virtual-version-2-5-18c",
            ),
        ] {
            assert_eq!(slug(Some(model), 18, None), expected, "{model}");
        }
    }

    #[test]
    fn the_cloud_family_comes_last() {
        let model = Some("ARM Neoverse-V2");
        assert_eq!(
            slug(model, 16, Some("aws-m8g")),
            "arm-neoverse-v2-16c-aws-m8g"
        );
        assert_eq!(slug(model, 16, Some("")), "arm-neoverse-v2-16c");
    }

    #[test]
    fn the_examples_of_the_specification_hold() {
        let name = |model, width, family| slug(Some(model), width, family);
        assert_eq!(name("Apple M5 Max", 18, None), "apple-m5-max-18c");
        let epyc = "AMD EPYC 7763 64-Core Processor";
        assert_eq!(name(epyc, 16, None), "amd-epyc-7763-16c");
        let graviton = name("ARM Neoverse-V2", 16, Some("aws-m8g"));
        assert_eq!(graviton, "arm-neoverse-v2-16c-aws-m8g");
    }

    #[test]
    fn other_models_widths_and_families_have_other_names() {
        let mut names = BTreeSet::new();
        let mut asked = 0;
        for maker in [
            "Intel(R) Xeon(R) Gold",
            "AMD EPYC",
            "ARM Neoverse-V",
            "Apple M",
        ] {
            for model in 0..50 {
                for width in 1..=8 {
                    for family in [None, Some("aws-m8g"), Some("aws-m7g")] {
                        let model = format!("{maker}{model} 64-Core Processor @ 2.0GHz");
                        names.insert(slug(Some(&model), width, family));
                        asked += 1;
                    }
                }
            }
        }
        assert_eq!(names.len(), asked);
    }

    #[test]
    fn long_models_that_differ_at_the_end_have_other_names_of_bounded_length() {
        let model = "word ".repeat(40);
        let name = |end: &str| slug(Some(&format!("{model}{end}")), 16, None);
        assert_ne!(name("a"), name("b"));
        assert_eq!(name("a"), name("a"));
        assert!(
            name("a").len() <= MODEL_CHARS_MAX + "-16c".len(),
            "{}",
            name("a")
        );
    }

    #[test]
    fn a_model_that_names_nothing_is_unknown() {
        for model in [
            None,
            Some(""),
            Some("CPU"),
            Some("Processor @ 2 GHz"),
            Some("龙芯"),
            Some("®"),
        ] {
            assert_eq!(slug(model, 4, None), "unknown-4c", "{model:?}");
        }
        assert!(is_unknown("unknown-4c") && is_unknown("unknown-4c-aws-m8g"));
        assert!(!is_unknown("unknowns-4c") && !is_unknown("some-unknown-4c"));
    }

    /// A small deterministic generator: the property holds for the same texts everywhere.
    fn odd_texts() -> Vec<String> {
        let pieces = [
            "Intel(R)",
            "(TM)",
            "CPU",
            "@",
            "2.6GHz",
            "64-Core",
            "Ünïcödé",
            "龙芯",
            "\t",
            "\n",
            "/",
            "..",
            "\0",
            "a_b",
            "--",
            "-",
            "7763",
            "İ",
            "ß",
            "(",
            ")",
            "®™",
            "C:\\x",
            "😀",
            " ",
        ];
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut next = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(state >> 40).map_or(0, |value| value % bound)
        };
        (0..2000)
            .map(|_| (0..next(40)).map(|_| pieces[next(pieces.len())]).collect())
            .collect()
    }

    #[test]
    fn every_slug_is_of_small_letters_digits_and_single_dashes() {
        for text in odd_texts() {
            let slug = slug(Some(&text), 16, Some(&text));
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(slug.chars().all(allowed), "{text:?} gave {slug:?}");
            assert!(!slug.contains("--"), "{text:?} gave {slug:?}");
            assert!(
                !slug.starts_with('-') && !slug.ends_with('-'),
                "{text:?} gave {slug:?}"
            );
            assert!(slug.contains("-16c"), "{text:?} gave {slug:?}");
        }
    }
}
