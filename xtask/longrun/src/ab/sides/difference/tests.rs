//! Tests of the difference of two builds.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use longrun_protocol::{Backend, Compiler};

use super::*;
use crate::native::code::{Change, Part, Parts};

/// One side with everything that an [`ArmBuild`] borrows.
#[derive(Clone)]
struct Side {
    identity: Option<BuildIdentity>,
    workers: BTreeMap<String, String>,
    workloads: BTreeMap<String, String>,
    lock: Option<String>,
    library: PathBuf,
}

fn map(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    entries.iter().map(owned).collect()
}

fn side() -> Side {
    Side {
        identity: Some(BuildIdentity {
            schema_version: 1,
            build_key: "k1".into(),
            backend: Backend::Cpu,
            version: "0.1.0".into(),
            profile: "Release".into(),
            compiler: Compiler {
                family: "gnu".into(),
                version: "12.2.0".into(),
                target: "x86_64-linux-gnu".into(),
            },
            flags: vec!["-O3".into()],
            isa: "avx2".into(),
            libraries: map(&[("fftw3", "3.3.10")]),
            abi: BTreeMap::from([("core".into(), 1)]),
            sources: map(&[("src/a.cpp", "1"), ("src/b.cpp", "1"), ("src/c.cpp", "1")]),
        }),
        workers: map(&[("optics/worker", "w1")]),
        workloads: map(&[("workloads/optics/src/main.rs", "1")]),
        lock: Some("l1".into()),
        library: PathBuf::new(),
    }
}

impl Side {
    fn build(&self) -> ArmBuild<'_> {
        let native = self.identity.as_ref().map(|identity| NativeArm {
            identity,
            library: &self.library,
        });
        ArmBuild {
            native,
            workers: &self.workers,
            workloads: &self.workloads,
            lock: self.lock.as_deref(),
        }
    }
}

fn equal_code() -> Option<CodeDifference> {
    Some(CodeDifference {
        same: true,
        ..CodeDifference::default()
    })
}

/// The candidate is the baseline after `change` and a new key; the code is as given.
fn changed(code: Option<CodeDifference>, change: impl FnOnce(&mut Side)) -> Difference {
    let mut after = side();
    if let Some(identity) = &mut after.identity {
        identity.build_key = "k2".into();
    }
    change(&mut after);
    of(&side().build(), &after.build(), code)
}

fn native(change: impl FnOnce(&mut BuildIdentity)) -> impl FnOnce(&mut Side) {
    |side: &mut Side| {
        if let Some(identity) = &mut side.identity {
            change(identity);
        }
    }
}

fn edit(identity: &mut BuildIdentity, files: &[&str]) {
    for file in files {
        identity.sources.insert((*file).to_owned(), "2".into());
    }
}

#[test]
fn one_build_is_the_same_and_says_so() {
    let same = of(&side().build(), &side().build(), equal_code());
    assert!(same.same);
    assert_eq!(same.reasons(), ["both sides are one native build"]);
    assert_eq!(
        same.to_record(),
        BuildDifference {
            same: true,
            reasons: vec!["both sides are one native build".into()]
        }
    );
}

#[test]
fn files_that_changed_without_changing_the_code_are_the_same_build_for_that_reason() {
    let files = ["src/a.cpp", "src/b.cpp", "src/c.cpp"];
    let difference = changed(equal_code(), native(|identity| edit(identity, &files)));
    assert!(difference.same);
    assert_eq!(
        difference.to_text(),
        "same build: nothing that would be measured differs\n  3 native files changed, and the \
         compiler made the same code of them\n  3 native files changed: `src/a.cpp`, `src/b.cpp`, \
         `src/c.cpp`\n"
    );
    let one = changed(equal_code(), native(|i| edit(i, &["src/a.cpp"])));
    assert_eq!(
        one.reasons()[0],
        "1 native file changed, and the compiler made the same code of it"
    );
}

#[test]
fn a_compiler_that_made_the_same_code_is_named() {
    let difference = changed(equal_code(), native(|i| i.compiler.version = "13.1".into()));
    assert!(difference.same);
    assert_eq!(
        difference.reasons(),
        [
            "the compiler changed, and the code is the same",
            "compiler changed from `gnu 12.2.0` to `gnu 13.1`"
        ]
    );
}

#[test]
fn equal_code_is_not_the_same_build_where_something_else_differs() {
    type Edit = fn(&mut Side);
    let table: [(&str, Edit); 8] = [
        (
            "workload file changed: `workloads/optics/src/main.rs`",
            |side| {
                side.workloads = map(&[("workloads/optics/src/main.rs", "2")]);
            },
        ),
        ("workload file new: `workloads/x`", |side| {
            side.workloads.insert("workloads/x".into(), "1".into());
        }),
        ("Cargo.lock changed", |side| side.lock = Some("l2".into())),
        ("Cargo.lock changed", |side| side.lock = None),
        ("worker changed: `optics/worker`", |side| {
            side.workers = map(&[("optics/worker", "w2")]);
        }),
        ("library fftw3 changed from `3.3.10` to `3.3.11`", |side| {
            let identity = side.identity.as_mut().unwrap();
            identity.libraries = map(&[("fftw3", "3.3.11")]);
        }),
        ("ABI of area core changed from `1` to `2`", |side| {
            side.identity.as_mut().unwrap().abi = BTreeMap::from([("core".into(), 2)]);
        }),
        ("only the baseline has a native library", |side| {
            side.identity = None;
        }),
    ];
    for (expected, edit) in table {
        let difference = changed(equal_code(), edit);
        let reasons = difference.reasons();
        assert!(!difference.same, "{expected}");
        assert!(
            reasons.iter().any(|reason| reason.contains(expected)),
            "{expected}: {reasons:?}"
        );
        assert!(difference.to_text().starts_with("the builds differ:\n"));
    }
}

#[test]
fn sides_without_native_code_are_the_same_by_their_workers() {
    let mut without = side();
    without.identity = None;
    let difference = of(&without.build(), &without.build(), None);
    assert!(difference.same);
    assert!(difference.reasons()[0].starts_with("no native library is needed"));
    let mut other = without.clone();
    other.workers = map(&[("optics/worker", "w2")]);
    assert!(!of(&without.build(), &other.build(), None).same);
}

/// A difference of the code in so many functions.
fn many_functions(count: usize) -> CodeDifference {
    let part = |n: usize| Part {
        name: format!("f{n}"),
        change: Change::Changed,
        before: Some(10),
        after: Some(10),
    };
    CodeDifference {
        functions: Some(Parts {
            different: (0..count).map(part).collect(),
            ..Parts::default()
        }),
        ..CodeDifference::default()
    }
}

#[test]
fn changed_code_comes_first_and_what_is_left_out_is_counted() {
    let difference = changed(
        Some(many_functions(30)),
        native(|identity| {
            edit(identity, &["src/a.cpp", "src/d.cpp"]);
            identity.sources.remove("src/b.cpp");
            identity.flags = vec!["-O2".into()];
            for n in 0..9 {
                identity.libraries.insert(format!("lib{n}"), "1".into());
            }
        }),
    );
    let reasons = difference.reasons();
    assert_eq!(reasons[0], "function `f0` changed");
    assert_eq!(reasons[4], "and 26 more of the functions");
    assert_eq!(
        reasons[5],
        "1 native file changed: `src/a.cpp`; 1 new: `src/d.cpp`; 1 gone: `src/b.cpp`"
    );
    assert_eq!(reasons[6], "flags changed from `-O3` to `-O2`");
    assert_eq!(reasons.len(), 12);
    assert_eq!(reasons[11], "and 5 more");
}

#[test]
fn no_sentence_says_that_no_change_was_measured() {
    for difference in [
        changed(equal_code(), native(|i| edit(i, &["src/a.cpp"]))),
        changed(Some(many_functions(1)), |_| {}),
        of(&side().build(), &side().build(), equal_code()),
    ] {
        assert!(!difference.reasons().is_empty());
        let text = difference.to_text();
        assert!(!text.contains("no change"), "{text}");
    }
}

#[test]
fn libraries_are_read_and_one_that_is_gone_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (mut before, mut after) = (side(), side());
    before.library = folder.path().join("a.so");
    after.library = folder.path().join("b.so");
    fs::write(&before.library, "one").unwrap();
    fs::write(&after.library, "two").unwrap();
    let difference = between(&before.build(), &after.build()).unwrap();
    assert!(!difference.same);
    assert!(difference.reasons()[0].contains("byte for byte"));
    fs::write(&after.library, "one").unwrap();
    assert!(between(&before.build(), &after.build()).unwrap().same);
    fs::remove_file(&after.library).unwrap();
    let failure = between(&before.build(), &after.build()).unwrap_err();
    assert_eq!(failure.exit.code(), 6);
    assert!(failure.message.contains("b.so"), "{failure}");
}

#[test]
fn the_document_has_what_the_sentences_leave_out() {
    let difference = changed(
        Some(many_functions(30)),
        native(|i| edit(i, &["src/a.cpp"])),
    );
    let document = serde_json::to_value(&difference).unwrap();
    assert_eq!(document["same"], false);
    assert_eq!(document["native"]["sources"]["changed"][0], "src/a.cpp");
    let functions = &document["code"]["functions"]["different"];
    assert_eq!(functions.as_array().unwrap().len(), 30);
    assert_eq!(functions[29]["change"], "changed");
}
