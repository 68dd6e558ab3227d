//! Libraries of the compiler that the tests have anyway.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;

const SOURCE: &str = r#"
extern int puts(const char *);
static const double table[6] = {1, 2, 3, 4, 5, 6};
static int calls;
__attribute__((noinline)) static double scaled(double x) { return x * 0.75; }
int other(int x) { calls++; puts("other"); return x + 17; }
int choose(int x) {
    switch (x) {
    case 0: return other(1);
    case 1: return other(x) * 7;
    case 2: puts("two"); return 9;
    case 3: calls += 3; return 4;
    case 4: return calls;
    case 5: puts("five"); return 1;
    case 6: return (int)scaled(x);
    default: return -1;
    }
}
double value(int n) { return scaled(table[n % 6]) + choose(n); }
int (*const pointers[2])(int) = {other, choose};
"#;

/// A shared library of one C file.
fn built(folder: &Path, source: &str) -> Vec<u8> {
    fs::write(folder.join("one.c"), source).unwrap();
    let flags = ["-O2", "-fPIC", "-shared", "-o", "one.so", "one.c"];
    let cc = Command::new("cc").current_dir(folder).args(flags).output();
    let output = cc.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    fs::read(folder.join("one.so")).unwrap()
}

/// What an edit of the source does to the library.
fn edited(from: &str, to: &str) -> CodeDifference {
    let folder = tempfile::tempdir().unwrap();
    let before = built(folder.path(), SOURCE);
    let source = SOURCE.replacen(from, to, 1);
    assert_ne!(source, SOURCE, "the edit applies");
    compare(&before, &built(folder.path(), &source))
}

#[test]
fn a_comment_is_the_same_code() {
    let difference = edited("int other", "/* a comment\n */\nint other");
    assert!(difference.same, "{difference:#?}");
    assert_eq!(difference.bytes_only, None, "sections were compared");
    assert!(difference.functions.unwrap().equal >= 4);
}

#[test]
fn a_changed_number_names_its_function_and_no_other() {
    for (from, to) in [
        ("x + 17", "x + 18"),
        ("* 0.75", "* 0.875"),
        ("calls += 3", "calls += 4"),
    ] {
        let function = match from {
            "x + 17" => "other",
            "* 0.75" => "scaled",
            _ => "choose",
        };
        let difference = edited(from, to);
        assert!(!difference.same);
        let functions = changes(&difference.functions);
        let names: Vec<&str> = functions.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, [function], "{from}: {difference:#?}");
    }
}

#[test]
fn a_changed_table_is_a_changed_data_object() {
    let difference = edited("4, 5, 6}", "4, 5, 7}");
    assert!(!difference.same);
    assert_eq!(changes(&difference.objects), [("table", Change::Changed)]);
    assert_eq!(changes(&difference.functions), []);
}

#[test]
fn an_added_function_is_named_and_those_that_it_moves_have_not_changed() {
    let added = "int added(int x) { static int k; k += x; return k * x; }\nint other";
    let difference = edited("int other", added);
    assert!(!difference.same);
    assert_eq!(
        changes(&difference.functions),
        [("added", Change::New)],
        "{difference:#?}"
    );
    assert!(difference.functions.unwrap().moved >= 2);
    let objects = changes(&difference.objects);
    assert!(
        objects.iter().all(|(_, change)| *change == Change::New),
        "{objects:?}"
    );
}
