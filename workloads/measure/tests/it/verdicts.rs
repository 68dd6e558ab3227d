//! How often one comparison errs, and what it sees.

use longrun_measure::paired::Verdict;

use crate::machine::{Design, Noise};
use crate::published::{Table, table};
use crate::studies::{Study, Tally};

/// Comparisons of equal programs per row.
const COMPARISONS: u64 = 2_000;

/// 1.5 %: the level is 1 %, and a count of 20 has a standard deviation of 4.5.
const FALSE_MAX: u32 = 30;

const QUIET: Noise = Noise {
    drift: false,
    states: false,
    tail: false,
    second: 0.0,
    created: 0.0,
};

/// What the machine does in each row.
const MODELS: [(&str, Noise); 8] = [
    ("placement only", QUIET),
    (
        "drift",
        Noise {
            drift: true,
            ..QUIET
        },
    ),
    (
        "two speeds",
        Noise {
            states: true,
            ..QUIET
        },
    ),
    (
        "long tail",
        Noise {
            tail: true,
            ..QUIET
        },
    ),
    (
        "second 1.2 % slower",
        Noise {
            second: 0.012,
            ..QUIET
        },
    ),
    (
        "first 1.2 % slower",
        Noise {
            second: -0.012,
            ..QUIET
        },
    ),
    (
        "created first 0.3 % slower",
        Noise {
            created: 0.003,
            ..QUIET
        },
    ),
    ("all of them", ALL),
];

/// All that is seen on machines at once.
pub const ALL: Noise = Noise {
    drift: true,
    states: true,
    tail: true,
    second: 0.012,
    created: 0.003,
};

fn judged(study: Study, count: u64) -> Tally {
    let rule = study.rule();
    Tally::of(study.comparisons(count, |comparison| {
        let judged = comparison.judged(&rule);
        (judged.verdict.unwrap(), judged.n)
    }))
}

fn guarded(study: Study, count: u64) -> Tally {
    let rule = study.rule();
    Tally::of(study.comparisons(count, |comparison| {
        let both = comparison.guarded(&rule);
        (both.verdict.unwrap(), both.primary.n)
    }))
}

#[test]
fn equal_programs_are_called_changed_in_at_most_three_of_two_hundred_comparisons() {
    let mut rows = Vec::new();
    for (design, word) in [(Design::Duet, "duets"), (Design::Pair, "pairs")] {
        for (name, noise) in MODELS {
            let study = Study::of(design, noise);
            let (alone, both) = (judged(study, COMPARISONS), guarded(study, COMPARISONS));
            assert!(alone.changed() <= FALSE_MAX, "{word}, {name}: {alone:?}");
            assert!(
                both.changed() <= FALSE_MAX,
                "{word}, {name}, guarded: {both:?}"
            );
            rows.push(vec![
                word.to_owned(),
                name.to_owned(),
                format!("{}", alone.changed()),
                format!("{}", both.changed()),
                format!("{:.0} %", both.percent(both.unchanged)),
                format!("{:.0} %", both.percent(both.inconclusive)),
                format!("{:.1}", both.mean_n()),
            ]);
        }
    }
    table(Table {
        name: "false alarms",
        head: &[
            "design",
            "noise",
            "changed of 2,000",
            "with the guard",
            "unchanged",
            "inconclusive",
            "mean n",
        ],
        rows,
    });
}

/// Least share, in percent, that must be called slower: half a percent, one and two, at spreads
/// between processes of 0.6 and 1.0 %.
const POWER: [(f64, f64, f64); 6] = [
    (0.006, 0.005, 85.0),
    (0.006, 0.010, 99.0),
    (0.006, 0.020, 99.9),
    (0.010, 0.005, 40.0),
    (0.010, 0.010, 97.0),
    (0.010, 0.020, 99.9),
];

/// Duets of two programs on a machine that favours orders.
fn duets(sd: f64, effect: f64) -> Study {
    let noise = Noise {
        created: 0.003,
        second: 0.012,
        ..QUIET
    };
    Study {
        effect,
        sd: (sd, sd),
        ..Study::of(Design::Duet, noise)
    }
}

const POWER_HEAD: [&str; 6] = [
    "sd of processes",
    "true change",
    "changed",
    "unchanged",
    "inconclusive",
    "mean n",
];

fn power_row(sd: f64, change: String, tally: &Tally) -> Vec<String> {
    vec![
        format!("{:.1} %", 100.0 * sd),
        change,
        format!("{:.1} %", tally.percent(tally.changed())),
        format!("{:.1} %", tally.percent(tally.unchanged)),
        format!("{:.1} %", tally.percent(tally.inconclusive)),
        format!("{:.1}", tally.mean_n()),
    ]
}

#[test]
fn a_change_of_a_percent_is_called_and_never_in_the_wrong_direction() {
    let mut rows = Vec::new();
    for (sd, effect, least) in POWER {
        let slower = judged(duets(sd, effect), 1_000);
        let faster = judged(duets(sd, -effect), 1_000);
        assert_eq!((slower.improved, faster.regressed), (0, 0), "{sd} {effect}");
        for tally in [slower, faster] {
            let called = tally.percent(tally.changed());
            assert!(called >= least, "{sd} {effect}: {tally:?}");
        }
        rows.push(power_row(sd, format!("{:+.1} %", 100.0 * effect), &slower));
    }
    for sd in [0.006, 0.010] {
        let equal = judged(duets(sd, 0.0), 1_000);
        let unchanged = equal.percent(equal.unchanged);
        assert!(unchanged >= 97.0, "{sd}: {equal:?}");
        rows.push(power_row(sd, "none".to_owned(), &equal));
    }
    table(Table {
        name: "power",
        head: &POWER_HEAD,
        rows,
    });
}

/// Spread of processes in the live series of `docs/statistics.md`, and what a minute had room for.
const LIVE: (f64, usize) = (0.016, 130);

#[test]
fn what_a_minute_should_show_on_a_machine_as_noisy_as_that_of_the_live_series() {
    let (sd, observations) = LIVE;
    let mut rows = Vec::new();
    // 0.43 % is what its comparisons of half a percent found on average.
    let effects = [
        (0.0, 0.0),
        (0.0043, 25.0),
        (0.005, 45.0),
        (0.010, 95.0),
        (0.020, 99.5),
    ];
    for (effect, least) in effects {
        let study = Study {
            observations,
            ..duets(sd, effect)
        };
        let tally = guarded(study, 1_000);
        match effect {
            0.0 => assert!(tally.percent(tally.changed()) <= 1.5, "{tally:?}"),
            _ => assert_eq!(tally.improved, 0, "{effect}: {tally:?}"),
        }
        assert!(
            tally.percent(tally.regressed) >= least,
            "{effect}: {tally:?}"
        );
        let change = match effect {
            0.0 => "none".to_owned(),
            _ => format!("{:+.2} %", 100.0 * effect),
        };
        rows.push(power_row(sd, change, &tally));
    }
    table(Table {
        name: "minute",
        head: &POWER_HEAD,
        rows,
    });
}

#[test]
fn a_change_beyond_the_margin_is_called_unchanged_in_one_of_forty_comparisons_at_most() {
    let study = Study {
        effect: 0.0101,
        sd: (0.006, 0.012),
        ..Study::of(Design::Duet, ALL)
    };
    let tally = judged(study, COMPARISONS);
    assert!(tally.percent(tally.unchanged) <= 2.5, "{tally:?}");
}

#[test]
fn a_machine_that_resolves_nothing_is_given_up_and_never_called_changed_too_often() {
    let study = Study {
        sd: (0.15, 0.2),
        ..Study::of(Design::Pair, ALL)
    };
    let rule = study.rule();
    let judged = study.comparisons(500, |comparison| comparison.judged(&rule));
    let given_up = judged.iter().filter(|judged| judged.futile).count();
    let tally = Tally::of(
        judged
            .iter()
            .map(|judged| (judged.verdict.unwrap(), judged.n)),
    );
    assert!(given_up > 300, "{given_up}");
    assert!(tally.changed() <= 10 && tally.unchanged == 0, "{tally:?}");
    assert!(tally.mean_n() < 65.0, "{tally:?}");
    let futile = judged.iter().filter(|judged| judged.futile);
    for judged in futile {
        assert_eq!(judged.verdict, Some(Verdict::Inconclusive));
        assert!(judged.n >= 21 && judged.resolvable() > rule.delta());
    }
}
