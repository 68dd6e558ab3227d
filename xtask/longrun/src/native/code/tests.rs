//! Tests of the comparison with made libraries, and with libraries of this machine's compiler.
#![allow(clippy::unwrap_used)]

mod compiled;

use super::made::{Library, RODATA, TEXT, branch, multiply};
use super::*;

const RET: u8 = 0xc3;

/// Two functions: `leaf` of four bytes, and `caller`, which calls it.
fn library() -> Library {
    let leaf = [0x90, 0x90, 0x90, RET];
    let caller = [branch(0xe8, 4, TEXT), vec![0x90, RET]].concat();
    Library::of(&[("leaf", &leaf), ("caller", &caller)])
}

/// Names of what differs with what became of it.
fn changes(parts: &Option<Parts>) -> Vec<(&str, Change)> {
    let parts = parts.as_ref().unwrap();
    let change = |part: &'_ Part| part.change;
    let named = parts.different.iter();
    named
        .map(|part| (part.name.as_str(), change(part)))
        .collect()
}

fn differences(before: &Library, after: &Library) -> CodeDifference {
    compare(&before.bytes(), &after.bytes())
}

#[test]
fn names_of_builds_and_what_is_not_loaded_are_no_difference() {
    let mut other = library();
    other.identity = b"longrun-identity2";
    other.comment = b"another compiler";
    assert_ne!(library().bytes(), other.bytes());
    let difference = differences(&library(), &other);
    assert!(difference.same, "{difference:?}");
    assert_eq!(difference.bytes_only, None);
    assert_eq!(difference.sentences(), [""; 0]);
}

#[test]
fn an_identity_of_another_length_is_no_difference_either() {
    let mut other = library();
    other.identity = b"longrun-identity-of-a-later-version";
    assert!(differences(&library(), &other).same);
}

#[test]
fn a_changed_function_is_named() {
    let mut other = library();
    other.functions[0].1[1] = 0x91;
    let difference = differences(&library(), &other);
    assert!(!difference.same);
    assert_eq!(changes(&difference.functions), [("leaf", Change::Changed)]);
    assert_eq!(
        difference.sentences(),
        [
            "function `leaf` changed",
            "1 loaded section differs: `.text`"
        ]
    );
}

#[test]
fn a_function_that_is_longer_moves_the_next_one_and_does_not_change_it() {
    let mut other = library();
    other.functions[0].1 = vec![0x90, 0x90, 0x90, 0x90, 0x90, RET];
    other.functions[1].1 = [branch(0xe8, 6, TEXT), vec![0x90, RET]].concat();
    let difference = differences(&library(), &other);
    assert_eq!(
        difference.sentences(),
        [
            "function `leaf` changed from 4 to 6 bytes",
            "1 function moved without a change",
            "1 loaded section differs: `.text`"
        ]
    );
}

#[test]
fn a_call_of_another_function_is_a_change() {
    let leaf = [0x90, RET];
    let caller = |target| branch(0xe8, 4, target);
    let twins = |target| {
        let caller = caller(target);
        Library::of(&[("one", &leaf), ("two", &leaf), ("caller", &caller)])
    };
    let difference = differences(&twins(TEXT), &twins(TEXT + 2));
    assert_eq!(
        changes(&difference.functions),
        [("caller", Change::Changed)]
    );
}

#[test]
fn swapped_functions_have_moved_and_not_changed() {
    let mut other = library();
    other.functions.swap(0, 1);
    // `caller` is first now, and `leaf` seven bytes behind it.
    other.functions[0].1 = [branch(0xe8, 0, TEXT + 7), vec![0x90, RET]].concat();
    let difference = differences(&library(), &other);
    assert!(!difference.same, "where code stands can change its time");
    assert_eq!(changes(&difference.functions), []);
    assert_eq!(
        difference.sentences()[0],
        "no function changed; 2 functions moved"
    );
}

#[test]
fn new_and_gone_functions_are_named_after_changed_ones() {
    let mut other = library();
    other.functions[0] = ("added", vec![RET; 40]);
    other.functions[1].1[5] = 0x91;
    let difference = differences(&library(), &other);
    let expected = [
        ("caller", Change::Changed),
        ("added", Change::New),
        ("leaf", Change::Gone),
    ];
    assert_eq!(changes(&difference.functions), expected);
}

#[test]
fn a_constant_without_a_name_is_found_through_the_function_that_reads_it() {
    let reading = |from, at| [multiply(from, RODATA + at), vec![RET]].concat();
    let before = Library::of(&[("first", &reading(0, 16)), ("second", &reading(9, 32))]);
    let mut after = before.clone();
    after.rodata[39] = 8;
    let difference = differences(&before, &after);
    assert_eq!(
        changes(&difference.functions),
        [("second", Change::Constants)]
    );
    assert_eq!(
        difference.sentences()[0],
        "function `second` reads other constants"
    );
}

#[test]
fn a_constant_that_moved_is_no_change() {
    let mut before = library();
    before.functions[0].1 = [multiply(0, RODATA), vec![RET]].concat();
    before.functions[1].1 = vec![RET];
    before.rodata = (0..24).collect();
    let mut after = before.clone();
    after.functions[0].1 = [multiply(0, RODATA + 8), vec![RET]].concat();
    after.rodata = (100..108).chain(0..24).collect();
    let difference = differences(&before, &after);
    assert_eq!(changes(&difference.functions), []);
    assert_eq!(difference.functions.unwrap().moved, 1);
}

#[test]
fn a_table_of_jumps_is_compared_by_where_it_leads() {
    let code = |from, table| [multiply(from, table), vec![0x90; 8], vec![RET]].concat();
    let table = |function: u64, table: u64, places: [u64; 3]| -> Vec<u8> {
        let entry = |place| function.wrapping_add(place).wrapping_sub(table);
        let entries = places.map(|place| entry(place).to_le_bytes());
        let mut bytes: Vec<u8> = entries.iter().flat_map(|e| e[..4].to_vec()).collect();
        bytes.extend([0xff; 8]);
        bytes
    };
    let mut before = Library::of(&[("switch", &code(0, RODATA))]);
    before.rodata = table(TEXT, RODATA, [8, 9, 10]);
    let mut moved = Library::of(&[("before", &[RET; 4]), ("switch", &code(4, RODATA))]);
    moved.rodata = table(TEXT + 4, RODATA, [8, 9, 10]);
    let difference = differences(&before, &moved);
    assert_eq!(changes(&difference.functions), [("before", Change::New)]);
    moved.rodata = table(TEXT + 4, RODATA, [8, 9, 11]);
    let difference = differences(&before, &moved);
    let expected = [("switch", Change::Constants), ("before", Change::New)];
    assert_eq!(changes(&difference.functions), expected);
}

#[test]
fn functions_of_one_name_are_paired_by_what_they_do() {
    let code = [[0x91, RET], [0x92, RET], [0x93, RET]];
    let named = |order: [usize; 3]| order.map(|n| ("local", &code[n][..]));
    let before = Library::of(&named([0, 1, 2]));
    let difference = differences(&before, &Library::of(&named([2, 0, 1])));
    assert_eq!(changes(&difference.functions), []);
    let fewer = Library::of(&named([2, 0, 1])[..2]);
    let difference = differences(&before, &fewer);
    assert_eq!(changes(&difference.functions), [("local", Change::Gone)]);
}

#[test]
fn where_addresses_are_not_told_from_code_it_is_said() {
    let arm = |mut library: Library| {
        library.machine = 183;
        library
    };
    let mut other = library();
    other.functions.swap(0, 1);
    other.functions[0].1 = [branch(0xe8, 0, TEXT + 7), vec![0x90, RET]].concat();
    let difference = differences(&arm(library()), &arm(other));
    assert!(difference.addresses_count);
    let sentences = difference.sentences();
    assert!(
        sentences
            .iter()
            .any(|line| line.contains("may only have moved")),
        "{sentences:?}"
    );
    let across = differences(&library(), &arm(library()));
    assert!(!across.same);
    assert!(across.unnamed.unwrap().contains("X86_64"));
}

#[test]
fn stripped_libraries_are_compared_by_section() {
    let mut stripped = library();
    stripped.symbols = false;
    assert!(differences(&stripped, &stripped).same);
    let mut other = stripped.clone();
    other.functions[0].1[0] = 0x91;
    let difference = differences(&stripped, &other);
    assert!(!difference.same);
    assert_eq!(difference.functions, None);
    assert!(
        difference.sentences()[0].contains("no table of symbols"),
        "{difference:?}"
    );
    let half = differences(&library(), &stripped);
    assert!(half.same, "the same is loaded");
    assert!(half.unnamed.unwrap().contains("stripped"));
}

#[test]
fn symbols_that_overlap_without_end_are_not_compared() {
    let mut hostile = Library::of(&[("name", &[RET; 2][..]); 400]);
    assert_eq!(differences(&hostile, &hostile).unnamed, None);
    hostile.overlap = 300;
    let difference = differences(&hostile, &hostile);
    assert!(difference.same);
    assert!(difference.unnamed.unwrap().contains("overlap"));
}

#[test]
fn what_is_no_elf_file_is_compared_byte_for_byte_and_the_reason_is_said() {
    let library = library().bytes();
    for (before, after, same) in [
        (&b"MZ"[..], &b"MZ"[..], true),
        (b"MZ", b"MZ2", false),
        (b"", b"", true),
        (&library, b"\x7fELF", false),
        (b"\xcf\xfa\xed\xfe", &library, false),
    ] {
        let difference = compare(before, after);
        assert_eq!(difference.same, same);
        assert!(difference.bytes_only.is_some());
        assert_eq!(difference.sentences().len(), usize::from(!same));
    }
    let said = compare(b"MZ", &library).sentences();
    let expected = "the libraries differ; they were compared byte for byte only, because the \
                    first one is not an ELF file";
    assert_eq!(said, [expected]);
}

#[test]
fn damaged_files_are_never_a_panic_and_never_the_same() {
    let sound = library().bytes();
    for length in 0..sound.len() {
        let difference = compare(&sound, &sound[..length]);
        assert!(!difference.same || difference.bytes_only.is_none());
    }
    // Every byte of headers and tables, with the values that are hardest to add to.
    for at in 0..sound.len() {
        for value in [0, 0x7f, 0x80, 0xff] {
            let mut damaged = sound.clone();
            damaged[at] = value;
            for difference in [compare(&sound, &damaged), compare(&damaged, &sound)] {
                let _ = difference.sentences();
            }
        }
    }
}
