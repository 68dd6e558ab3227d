//! Workers of arms, built by cargo.
use std::env;

use super::*;

const LOCK: &str = "version = 4\n\n[[package]]\nname = \"helper\"\nversion = \"0.0.0\"\n\n\
                    [[package]]\nname = \"worker\"\nversion = \"0.0.0\"\ndependencies = [\n \
                    \"helper\",\n]\n";

/// A checkout with a worker whose helper crate has this text.
fn with_worker(probe: &str) -> Checkout {
    let checkout = adopter("r", "\"workloads/helper\", \"workloads/worker\"");
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n{more}")
    };
    checkout.write("Cargo.lock", LOCK);
    checkout.write("workloads/helper/Cargo.toml", &package("helper", ""));
    let depends = "[dependencies]\nhelper = { path = \"../helper\" }\n";
    checkout.write("workloads/worker/Cargo.toml", &package("worker", depends));
    checkout.write(
        "workloads/worker/src/main.rs",
        "fn main() {\n    println!(\"{}\", helper::probe());\n}\n",
    );
    probed(&checkout, probe);
    checkout
}

fn probed(checkout: &Checkout, probe: &str) {
    let text = format!("pub fn probe() -> &'static str {{\n    \"{probe}\"\n}}\n");
    checkout.write("workloads/helper/src/lib.rs", &text);
}

fn spec() -> WorkerSpec {
    WorkerSpec {
        package: Some("worker".to_owned()),
        binary: Some("worker".to_owned()),
        command: None,
    }
}

fn try_worker(arm: &Arm) -> Outcome<(PathBuf, String)> {
    let workers = arm.workers([&spec()], &never())?;
    let digest = workers.digest(&spec()).unwrap().to_owned();
    Ok((PathBuf::from(&workers.program(&spec())?[0]), digest))
}

fn worker(arm: &Arm) -> (PathBuf, String) {
    try_worker(arm).unwrap()
}

fn holds(program: &Path, text: &str) -> bool {
    let bytes = fs::read(program).unwrap();
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// A shared target folder fails here: what cargo compares are the times of files, and all of these
/// are older than the first build.
#[test]
fn revisions_that_differ_in_a_helper_only_have_each_their_own_worker() {
    let checkout = with_worker("the old probe");
    checkout.commit_all("old");
    probed(&checkout, "the new probe");
    checkout.commit_all("new");
    probed(&checkout, "the working probe");
    let before = checkout.git_bytes();
    let arms = [Some("HEAD~1"), Some("HEAD"), None].map(|revision| arm(&checkout, revision));
    let probes = ["the old probe", "the new probe", "the working probe"];
    let workers = arms.each_ref().map(worker);
    for (index, (program, _)) in workers.iter().enumerate() {
        for (other, probe) in probes.iter().enumerate() {
            assert_eq!(holds(program, probe), index == other, "{probe}");
        }
    }
    assert_ne!(workers[0].1, workers[1].1);
    assert_ne!(workers[1].1, workers[2].1);
    assert_eq!(arms.each_ref().map(worker), workers, "they are used again");
    assert!(before == checkout.git_bytes(), "the repository changed");
}

#[test]
fn settings_of_the_working_tree_do_not_reach_an_older_revision() {
    let checkout = with_worker("the old probe");
    checkout.commit_all("old");
    checkout.write(
        ".cargo/config.toml",
        "[build]\nrustc = \"/nonexistent/rustc\"\n",
    );
    checkout.write(
        "rust-toolchain.toml",
        "[toolchain]\nchannel = \"no-such-toolchain\"\n",
    );
    checkout.commit_all("new");
    let (program, _) = worker(&arm(&checkout, Some("HEAD~1")));
    assert!(holds(&program, "the old probe"));
    let failure = try_worker(&arm(&checkout, None)).unwrap_err();
    assert_eq!(failure.exit.code(), 6);
    assert!(
        failure.message.contains("the candidate, the working tree"),
        "{failure}"
    );
}

#[test]
fn a_revision_has_the_toolchain_that_it_names() {
    let checkout = with_worker("the old probe");
    checkout.write(
        "rust-toolchain.toml",
        "[toolchain]\nchannel = \"no-such-toolchain\"\n",
    );
    checkout.commit_all("pinned");
    fs::remove_file(checkout.path("rust-toolchain.toml")).unwrap();
    let built = try_worker(&arm(&checkout, Some("HEAD")));
    // Rustup sets this variable for what it starts, these tests too, and obeys it before any file.
    match env::var_os("RUSTUP_TOOLCHAIN") {
        Some(_) => {
            let failure = built.unwrap_err();
            assert!(failure.message.contains("no-such-toolchain"), "{failure}");
        }
        None => assert!(built.is_ok(), "without rustup the file says nothing"),
    }
    assert!(try_worker(&arm(&checkout, None)).is_ok());
}

#[test]
fn a_worker_that_does_not_compile_names_the_revision() {
    let checkout = with_worker("x");
    checkout.write(
        "workloads/helper/src/lib.rs",
        "pub fn probe() -> u8 { nothing }\n",
    );
    let broken = checkout.commit_all("it breaks");
    let failure = try_worker(&arm(&checkout, Some("HEAD"))).unwrap_err();
    assert_eq!(failure.exit.code(), 6);
    for told in ["the baseline", &broken[..12], "(it breaks)", "`nothing`"] {
        assert!(failure.message.contains(told), "{told}: {failure}");
    }
}
