//! Several configurations at once: confirmation, and the suite as a whole.

use longrun_measure::paired::suite::rounds;
use longrun_measure::paired::{Verdict, judge};

use crate::draws::each;
use crate::machine::{Design, Noise};
use crate::published::{Table, table};
use crate::studies::{Study, Tally};
use crate::verdicts::ALL;

/// Configurations of a family.
const MEMBERS: u64 = 12;
const FAMILIES: u64 = 1_000;

#[test]
fn a_family_of_twelve_equal_pairs_has_a_confirmed_change_in_one_of_two_hundred_at_most() {
    let mut rows = Vec::new();
    for (design, word) in [(Design::Duet, "duets"), (Design::Pair, "pairs")] {
        let study = Study::of(design, ALL);
        let rule = study.rule();
        let found = study.comparisons(FAMILIES * MEMBERS, |comparison| {
            let screened = comparison.guarded(&rule);
            let changed = matches!(
                screened.verdict,
                Some(Verdict::Regressed | Verdict::Improved)
            );
            (changed, changed && comparison.confirmed(&rule, &screened))
        });
        let families: Vec<&[(bool, bool)]> = found.chunks(MEMBERS as usize).collect();
        let of = |is: fn(&(bool, bool)) -> bool| {
            families
                .iter()
                .filter(|family| family.iter().any(is))
                .count()
        };
        let (screened, confirmed) = (of(|member| member.0), of(|member| member.1));
        assert!(confirmed <= 5, "{word}: {confirmed}");
        // Without confirmation the family would err far more often: the test can fail.
        assert!(screened > 20, "{word}: {screened}");
        rows.push(vec![
            word.to_owned(),
            format!("{:.2} %", 100.0 * screened as f64 / FAMILIES as f64),
            format!("{:.2} %", 100.0 * confirmed as f64 / FAMILIES as f64),
        ]);
    }
    table(Table {
        name: "families",
        head: &["design", "a member called changed", "confirmed"],
        rows,
    });
}

#[test]
fn a_real_change_is_confirmed() {
    let study = Study {
        effect: 0.02,
        sd: (0.006, 0.010),
        ..Study::of(Design::Duet, ALL)
    };
    let rule = study.rule();
    let confirmed = study.comparisons(500, |comparison| {
        let screened = comparison.guarded(&rule);
        screened.verdict == Some(Verdict::Regressed) && comparison.confirmed(&rule, &screened)
    });
    let confirmed = confirmed.into_iter().filter(|confirmed| *confirmed).count();
    assert!(confirmed >= 490, "{confirmed}");
}

fn suites(effect: f64, count: u64) -> Tally {
    let study = Study {
        effect,
        ..Study::of(Design::Duet, Noise { tail: true, ..ALL })
    };
    let rule = study.rule();
    Tally::of(each(count, |number| {
        let mut members: Vec<_> = (0..MEMBERS)
            .map(|member| study.comparison(number * MEMBERS + member))
            .collect();
        let mut found = None;
        for look in rule.looks.all() {
            members.iter_mut().for_each(|member| member.observe(look.n));
            let all: Vec<Vec<f64>> = members.iter().map(|member| member.cpu.clone()).collect();
            let judged = judge(&rule, &rounds(&all)).unwrap();
            if let Some(verdict) = judged.verdict {
                found = Some((verdict, judged.n));
                break;
            }
        }
        found.unwrap()
    }))
}

#[test]
fn a_suite_of_equal_programs_is_unchanged_and_a_change_of_all_is_seen() {
    let equal = suites(0.0, 1_000);
    assert!(equal.changed() <= 15, "{equal:?}");
    assert!(equal.percent(equal.unchanged) >= 98.0, "{equal:?}");
    let slower = suites(0.005, 300);
    assert!(slower.percent(slower.regressed) >= 90.0, "{slower:?}");
    assert_eq!(slower.improved, 0);
    table(Table {
        name: "suites",
        head: &[
            "true change of all twelve",
            "changed",
            "unchanged",
            "inconclusive",
            "mean n",
        ],
        rows: [("none", equal), ("+0.5 %", slower)]
            .into_iter()
            .map(|(name, tally)| {
                vec![
                    name.to_owned(),
                    format!("{:.1} %", tally.percent(tally.changed())),
                    format!("{:.1} %", tally.percent(tally.unchanged)),
                    format!("{:.1} %", tally.percent(tally.inconclusive)),
                    format!("{:.1}", tally.mean_n()),
                ]
            })
            .collect(),
    });
}
