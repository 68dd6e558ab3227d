//! Tests of [`super`].
#![allow(clippy::unwrap_used)]

use super::*;
use crate::machine::facts::Facts;
use crate::machine::{MachineOptions, describe};

fn sets() -> [Set; 2] {
    [(1024, "L1"), (65_536, "memory")].map(|(bytes, level)| Set {
        level: level.to_owned(),
        bytes,
    })
}

const PRINTED: &str = "{\"threads\":2,\"sets\":[\
    {\"bytes\":1024,\"read_bytes_per_s\":[3e9,1e9,2e9],\"triad_bytes_per_s\":[4e9,4e9,4e9]},\
    {\"bytes\":65536,\"read_bytes_per_s\":[1e9],\"triad_bytes_per_s\":[1e9]}],\
    \"multiply_add_flop_per_s\":[5e9,7e9,6e9]}";

#[test]
fn a_rate_is_the_median_of_the_passes_with_its_range() {
    let width = read(PRINTED, 2, &sets()).unwrap();
    let expected = Rate {
        median: 2e9,
        min: 1e9,
        max: 3e9,
    };
    assert_eq!(width.levels[0].read_bytes_per_s, expected);
    assert_eq!(width.levels[1].level, "memory");
    assert!((width.multiply_add_flop_per_s.median - 6e9).abs() < 1.0);
}

#[test]
fn what_does_not_answer_the_question_is_refused_with_the_reason() {
    for (from, to, reason) in [
        ("\"threads\":2", "\"threads\":1", "1 threads ran"),
        ("\"bytes\":1024", "\"bytes\":2048", "other working sets"),
        ("[3e9,1e9,2e9]", "[]", "no positive number"),
        ("[3e9,1e9,2e9]", "[0]", "no positive number"),
        ("[3e9,1e9,2e9]", "[-1e9]", "no positive number"),
        ("[3e9,1e9,2e9]", "[inf]", "printed no result"),
        (
            "\"multiply_add_flop_per_s\"",
            "\"other\"",
            "printed no result",
        ),
        (PRINTED, "", "printed no result"),
    ] {
        let refused = read(&PRINTED.replace(from, to), 2, &sets()).unwrap_err();
        assert!(refused.contains(reason), "{to}: {refused}");
    }
}

#[test]
fn the_table_has_a_line_for_each_level_and_width() {
    let width = read(PRINTED, 2, &sets()).unwrap();
    let roof = Roof {
        threading: "passive-bound",
        widths: vec![width],
        notes: vec!["something is assumed".to_owned()],
    };
    let text = to_text(&roof);
    assert!(
        text.contains("      2  L1             1.00 KiB  2.0 GB/s (1.0 to 3.0)"),
        "{text}"
    );
    assert!(
        text.contains("multiply-add, 2 threads: 6.0 GFLOP/s (5.0 to 7.0)"),
        "{text}"
    );
    assert!(text.ends_with("note: something is assumed\n"), "{text}");
}

/// A machine of which nothing is known: nothing is pinned to a CPU that may not be there.
fn unknown() -> Machine {
    describe(&Facts::unknown("linux"), &MachineOptions::default())
}

#[test]
fn tiny_sets_have_finite_rates_on_one_and_two_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (machine, interrupt) = (unknown(), Interrupt::made(false));
    let place = Place {
        root: folder.path(),
        folder: folder.path(),
        machine: &machine,
        caches: &[],
        free_bytes: None,
        interrupt: &interrupt,
    };
    let cxx = Cxx::find(folder.path()).unwrap();
    let program = program::ensure(folder.path(), NAME, SOURCE, &cxx, &interrupt).unwrap();
    for threads in [1, 2] {
        let run = Run {
            program: &program,
            threads,
            passes: 3,
            pass_s: 0.0,
        };
        let width = run.carry_out(&place, &sets()).unwrap();
        assert_eq!((width.threads, width.levels.len()), (threads, 2));
        for level in &width.levels {
            assert!(level.read_bytes_per_s.median.is_finite(), "{level:?}");
            assert!(level.triad_bytes_per_s.min > 0.0, "{level:?}");
        }
    }
    let wrong = Run {
        program: &program,
        threads: 1,
        passes: 0,
        pass_s: 0.0,
    };
    let refused = wrong.carry_out(&place, &sets()).unwrap_err();
    assert_eq!(refused.exit.code(), 1);
    assert!(refused.message.contains("out of range"), "{refused}");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "only the folder of the program is left");
}

#[test]
fn an_interrupt_is_no_failure_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let (machine, interrupt) = (unknown(), Interrupt::made(true));
    let place = Place {
        root: folder.path(),
        folder: folder.path(),
        machine: &machine,
        caches: &[],
        free_bytes: None,
        interrupt: &interrupt,
    };
    assert_eq!(measure(&place).unwrap_err().exit.code(), 130);
}
