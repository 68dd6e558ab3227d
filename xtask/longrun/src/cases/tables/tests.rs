//! Whole tables, from a made registry and made records.

#![allow(clippy::unwrap_used)]

use longrun_protocol::Size;

use super::*;
use crate::cases::made::{cost, oracle, records, registry, shares, study, tube};
use crate::cases::record::Record;
use crate::cases::store::Store;

fn made(marker: &str, records: Vec<Record>) -> Result<String, String> {
    let mut store = Store::default();
    store.take(records);
    let stores = BTreeMap::from([("tracking".to_owned(), store)]);
    let registry = registry();
    let ground = Ground {
        registry: &registry,
        stores: &stores,
        default_suite: "tracking",
    };
    of(&Directive::parse(marker).unwrap(), &ground)
}

#[test]
fn cases_have_the_columns_that_the_page_asks_for() {
    let marker = "cases\ninterface = interface\nstepper = stepper\nradius = core_radius_m\n\
                  pulse = pulse.tau_s | pulse.fwhm_s\npoints = fact.points\n\
                  step = fact.time_step_s\n\
                  what = title\n";
    let expected = "
| case | interface | stepper | radius | pulse | points | step | what |
|---|---|---|---|---|---|---|---|
| `tube` | `capillary` | `multistep` | 13 µm | 30 fs | 1024 | 1.5 fs | A pulse in a tube |
| `fibre` | `waveguide` | `none` | - | - | unknown | unknown | A pulse in a fibre |

";
    assert_eq!(made(marker, records()).unwrap(), expected);
}

#[test]
fn cases_are_chosen_by_name_interface_and_size() {
    let names = |marker: &str| {
        let text = made(&format!("{marker}\ntitle = title"), Vec::new()).unwrap();
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
        let names = rows.map(|row| row.split('`').next().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names("cases"), ["tube", "fibre"]);
    assert_eq!(names("cases interface=capillary"), ["tube"]);
    assert_eq!(names("cases case=aside,tube"), ["tube", "aside"]);
    assert_eq!(names("cases size=smoke"), ["tube"]);
}

#[test]
fn what_is_not_registered_is_named() {
    for (marker, cause) in [
        ("cost suite=none", "there is no suite `none`"),
        ("cost case=gone", "suite `tracking` has no case `gone`"),
        (
            "cost interface=air",
            "suite `tracking` has no interface `air`",
        ),
        ("oracles case=gone", "suite `tracking` has no case `gone`"),
    ] {
        assert_eq!(made(marker, Vec::new()).unwrap_err(), cause);
    }
}

#[test]
fn sizes_of_a_case_have_their_own_parameters() {
    let marker = "sizes case=tube\nradius = core_radius_m\npoints = fact.points";
    let expected = "
| size | radius | points |
|---|---|---|
| `full` | 13 µm | 1024 |
| `smoke` | 5 µm | unknown |

";
    assert_eq!(made(marker, records()).unwrap(), expected);
}

#[test]
fn costs_stand_beside_each_other_by_width() {
    let expected = "
| case | steps | evaluations | memory | 1 thread | spread | 2 threads | spread |
|---|--:|--:|--:|--:|--:|--:|--:|
| `tube` | 100 + 2 | 203 | 8.00 MiB | 2.00 s | 2.0 % | 1.50 s | 2.0 % |

* Measured on `a-cpu`, 2026-11-30.
* Not recorded yet: `fibre`.

";
    assert_eq!(made("cost", records()).unwrap(), expected);
}

#[test]
fn what_was_measured_elsewhere_or_beside_other_work_is_said() {
    let mut wide = cost(tube(Size::Full, 2), 1.5);
    wide.origin.slug = Some("b-cpu".into());
    wide.busy = Some(true);
    wide.evaluations = Some(205);
    let mut narrow = cost(tube(Size::Full, 1), 2.0);
    narrow.busy = None;
    narrow.peak_rss_bytes = None;
    narrow.rejected = Some(0);
    let expected = "
| case | steps | evaluations | memory | 1 thread | spread | 2 threads | spread |
|---|--:|--:|--:|--:|--:|--:|--:|
| `tube` | 100; 100 + 2 | 203; 205 | 8.00 MiB | 2.00 s | 2.0 % | 1.50 s | 2.0 % |

* Measured on `a-cpu`, 2026-11-30: `tube`.
* Measured on `b-cpu`, 2026-11-30: `tube`.
* The machine was busy with something else during `tube` at 2.
* It is unknown whether the machine was busy during `tube` at 1.

";
    let records = vec![Record::Cost(wide), Record::Cost(narrow)];
    assert_eq!(made("cost case=tube", records).unwrap(), expected);
}

#[test]
fn another_revision_or_stepper_is_never_mixed_in() {
    let mut older = tube(Size::Full, 1);
    older.revision = 1;
    let mut other = tube(Size::Full, 2);
    other.stepper = "rk".into();
    let records = vec![
        Record::Cost(cost(older.clone(), 3.0)),
        Record::Cost(cost(other, 4.0)),
        Record::Oracle(oracle(older.clone(), "energy", 1.0)),
        Record::Breakdown(shares(older)),
    ];
    let left_out = "Left out: `tube` at size full, which was recorded at revision 1 and has \
                    revision 2 now.";
    for marker in ["cost", "breakdown", "evaluations"] {
        let expected = format!("\n* Not recorded yet: `tube`, `fibre`.\n* {left_out}\n\n");
        assert_eq!(made(marker, records.clone()).unwrap(), expected, "{marker}");
    }
    let oracles = made("oracles case=tube", records.clone()).unwrap();
    assert_eq!(
        oracles,
        format!("\n* Not recorded yet: size full, smoke.\n* {left_out}\n\n")
    );
    let marker = "sizes case=tube\npoints = fact.points";
    let sizes = made(marker, records).unwrap();
    assert!(
        sizes.contains("| `full` | unknown |") && sizes.contains(left_out),
        "{sizes}"
    );
}

#[test]
fn oracles_have_a_row_for_each_expectation_and_a_column_for_each_size() {
    let mut looser = oracle(tube(Size::Smoke, 1), "energy", 1.2);
    looser.line.tolerance = 0.5;
    let records = vec![
        Record::Oracle(oracle(tube(Size::Full, 1), "energy", 1.05)),
        Record::Oracle(oracle(tube(Size::Full, 2), "energy", 0.95)),
        Record::Oracle(looser),
    ];
    let expected = "
| quantity | expected | full | smoke |
|---|---|--:|--:|
| energy, end over launch | 1 ± 0.1 | 1.050 | - |
| energy, end over launch | 1 ± 0.5 | - | 1.200 |

* Not recorded yet at size full: `repeat`.

";
    assert_eq!(
        made("oracles case=tube", records.clone()).unwrap(),
        expected
    );
    let partial = made("oracles case=tube", records[..1].to_vec()).unwrap();
    assert!(partial.contains("| 1.050 | unknown |"), "{partial}");
    assert!(
        partial.contains("* Not recorded yet: size smoke.\n"),
        "{partial}"
    );
}

#[test]
fn a_breakdown_is_in_shares_and_an_evaluation_beside_its_floor() {
    let parts = "
| case | threads | run | fft | pointwise | stepper | absorb | observe | rest |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
| `tube` | 1 | 1.00 s | 50.0 % | 25.0 % | 12.5 % | 6.2 % | 3.1 % | 3.1 % |

* Measured on `a-cpu`, 2026-11-30.

";
    assert_eq!(made("breakdown case=tube", records()).unwrap(), parts);
    let evaluations = "
| case | threads | bare evaluation | FFT time | floor | bare / floor | stepper overhead |
|---|--:|--:|--:|--:|--:|--:|
| `tube` | 1 | 4.00 ms | 1.00 ms | 2.00 ms | 2.00 | unknown |

* Measured on `a-cpu`, 2026-11-30.

";
    assert_eq!(
        made("evaluations case=tube", records()).unwrap(),
        evaluations
    );
    let wider = made("breakdown case=tube width=2", records()).unwrap();
    assert_eq!(wider, "\n* Not recorded yet: `tube`.\n\n");
}

#[test]
fn a_study_has_a_row_for_each_stepper_and_tolerance() {
    let mut records = records();
    records.push(Record::Study(study("multistep", 1e-7)));
    let expected = "
| case | stepper | rtol | error | steps | evaluations | time over `rk` |
|---|---|--:|--:|--:|--:|--:|
| `tube` | `multistep` | 1e-7 | 2.5e-7 | 199 | 400 | 0.50 |
|  | `rk` | 1e-6 | 2.5e-7 | 199 | 400 | 0.50 |
|  | `rk` | 1e-8 | 2.5e-7 | 199 | 400 | 0.50 |

";
    assert_eq!(made("study case=tube", records).unwrap(), expected);
}
