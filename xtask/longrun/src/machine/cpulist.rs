//! Lists of CPUs as Linux writes them. Pure.

use std::collections::BTreeSet;

/// Most CPUs that a list may name; a range beyond it is damage, not a machine.
const CPUS_MAX: u32 = 1 << 16;

/// Parses a list such as `0-3,8,10-14:2`. `None` for an empty or damaged one.
pub fn parse_cpulist(text: &str) -> Option<BTreeSet<u32>> {
    let mut cpus = BTreeSet::new();
    for part in text.trim().split(',') {
        let (range, stride) = match part.split_once(':') {
            Some((range, stride)) => (range, stride.trim().parse::<usize>().ok()?),
            None => (part, 1),
        };
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(range)?, number(range)?),
        };
        if last < first || last >= CPUS_MAX || stride == 0 {
            return None;
        }
        cpus.extend((first..=last).step_by(stride));
    }
    Some(cpus)
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_list_has_ranges_strides_and_single_numbers() {
        let parsed = |text: &str| parse_cpulist(text).map(|set| set.into_iter().collect());
        for (text, expected) in [
            ("0", Some(vec![0])),
            ("0-2,5\n", Some(vec![0, 1, 2, 5])),
            (" 0-8:4 ", Some(vec![0, 4, 8])),
            ("3,1", Some(vec![1, 3])),
            ("", None),
            ("3-1", None),
            ("0-1:0", None),
            ("0-4294967295", None),
            ("a", None),
            ("1,,2", None),
        ] {
            assert_eq!(parsed(text), expected, "{text:?}");
        }
    }
}
