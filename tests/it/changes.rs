//! A repository with one revision for each kind of change, to compare revisions in.
//!
//! Its native library computes nothing: `native/parts/work.h` says what its code comes to, and the
//! stub worker reports times and results accordingly. What many tests build is built once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::OnceLock;

use serde_json::Value;

use crate::bench::Bench;
use crate::case::Case;
use crate::native_project;
use crate::ran::{Bundle, Ran};

/// The header that changes, from the root.
pub const WORK: &str = "native/parts/work.h";

/// What the made source has beside its identity. A constant and code depend on the work.
const SOURCE: &str = r#"#include "../parts/work.h"

[[gnu::used]] static const char work[] = "stub-work: " STUB_WORK;

extern "C" int stub_revision() { return STUB_REVISION; }
"#;

/// Revisions that only differ in the work from `base`, by tag.
const WORKS: [(&str, &str); 11] = [
    ("slower", "cost=1.05"),
    ("refactored", "cost=1"),
    ("reordered", "cost=1 result=1e-9"),
    ("physics", "cost=1 result=1e-3"),
    ("faster-physics", "cost=0.5 result=1e-3"),
    ("steps", "cost=1 steps=20"),
    ("sleepy", "cost=1 sleep=1.05"),
    ("crashing", "cost=1 behaviour=crash"),
    ("hanging", "cost=1 behaviour=hang"),
    ("other-method", "cost=1 integrator=other"),
    ("half", "cost=0.5"),
];

/// Text of the header.
pub fn work(words: &str, revision: usize) -> String {
    format!("#define STUB_WORK \"{words}\"\n#define STUB_REVISION {revision}\n")
}

/// The case that is compared where a test does not bring its own: 0.2 % of noise between processes,
/// and 1.2 % for whoever goes second.
pub fn case(name: &str) -> Case {
    noisy(name, 0.002)
}

/// The same with this fraction of noise.
pub fn noisy(name: &str, noise: f64) -> Case {
    Case::new(name)
        .native()
        .line(r#"primary_metric = "cpu""#)
        .parameter(&format!("noise = {noise:?}"))
        .parameter("second = 0.012")
}

/// A copy of the repository, at `base` on the branch `main`.
pub fn changes() -> Bench {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    let template = TEMPLATE.get_or_init(template);
    with_cases(Bench::new()).filled_from(template)
}

/// Adds the cases of the repository: `a` is tracked, `b` is not.
fn with_cases(bench: Bench) -> Bench {
    let untracked = case("b").line("tracked = false");
    bench.case(case("a")).case(untracked)
}

/// Makes the repository that is copied.
fn template() -> PathBuf {
    let shelf = Path::new(env!("CARGO_TARGET_TMPDIR"));
    remove_templates_of_the_dead(shelf);
    let folder = shelf.join(format!("changes-{}", process::id()));
    fs::create_dir(&folder).unwrap();
    let source = format!("{}{SOURCE}", native_project::SOURCE);
    let bench = with_cases(Bench::in_folder(&folder))
        .native_project()
        .file("native/src/minimal.cpp", &source)
        .file(WORK, &work("cost=1", 0))
        .commit();
    bench.git(["tag", "base"]);
    for (index, (tag, words)) in WORKS.iter().enumerate() {
        bench.git(["checkout", "--quiet", "base"]);
        bench.write(WORK, &work(words, index + 1));
        bench.commit_all(tag);
        bench.git(["tag", tag]);
    }
    bench.git(["checkout", "--quiet", "slower"]);
    bench.git(["revert", "--no-edit", "HEAD"]);
    bench.git(["tag", "reverted"]);
    bench.git(["checkout", "--quiet", "base"]);
    bench.append(WORK, "// nothing but a comment\n");
    bench.commit_all("comment");
    bench.git(["tag", "comment"]);
    for built in ["slower", "refactored", "main"] {
        bench.git(["checkout", "--quiet", built]);
        bench.run(["build"]).exits(0);
    }
    folder
}

/// Removes what earlier runs of the tests have left: a process cannot tidy up after its last test.
fn remove_templates_of_the_dead(shelf: &Path) {
    for entry in fs::read_dir(shelf).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.strip_prefix("changes-"));
        if id.is_some_and(|id| !Path::new("/proc").join(id).exists()) {
            // Another run of the tests may be at it too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Bench {
    /// Fills this empty bench with a copy of a repository.
    fn filled_from(self, folder: &Path) -> Self {
        let mut copy = Command::new("cp");
        copy.arg("-a").arg(folder.join("bench/."));
        assert!(copy.arg(self.root()).status().unwrap().success());
        self
    }

    /// Compares: `ab` with these words.
    #[track_caller]
    pub fn ab(&self, words: &str) -> Ran {
        let words: Vec<&str> = ["ab"].into_iter().chain(words.split_whitespace()).collect();
        self.run(words)
    }

    /// Bundles of all comparisons so far.
    pub fn comparisons(&self) -> Vec<Bundle> {
        self.bundles_in("target/longrun/ab")
    }

    /// The bundle of the only comparison.
    #[track_caller]
    pub fn comparison(&self) -> Bundle {
        let mut bundles = self.comparisons();
        assert_eq!(bundles.len(), 1, "one comparison has one bundle");
        bundles.remove(0)
    }
}

impl Bundle {
    /// The lines of the file of observations, each parsed.
    #[track_caller]
    pub fn observed(&self) -> Vec<Value> {
        let text = self.text("observations.jsonl");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Those of its lines that are observations of a phase.
    #[track_caller]
    pub fn phase(&self, phase: &str) -> Vec<Value> {
        let mut lines = self.observed();
        lines.retain(|line| line["kind"] == "observation" && line["phase"] == phase);
        lines
    }
}

impl Ran {
    /// What `--json` says of a case.
    #[track_caller]
    pub fn case(&self, name: &str) -> Value {
        let report = self.json();
        let cases = report["cases"].as_array().unwrap();
        let case = cases.iter().find(|c| c["configuration"]["case"] == name);
        assert!(case.is_some(), "no case `{name}`:\n{self}");
        case.unwrap().clone()
    }

    /// Asserts the verdict on a case, and returns what is said of it.
    #[track_caller]
    pub fn judges(&self, name: &str, verdict: &str) -> Value {
        let case = self.case(name);
        assert_eq!(case["verdict"], verdict, "{self}");
        case
    }
}
