//! `ab` and git: revisions mean what they say, and nothing of the repository changes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::bench::Bench;
use crate::changes::{WORK, changes, work};
use crate::ran::{Ran, wait_until};

/// Every file of the repository but those below `target`, with content, mode and time of change.
fn everything(bench: &Bench) -> BTreeMap<PathBuf, (Vec<u8>, u32, i64, i64)> {
    let mut open = vec![bench.root().to_owned()];
    let mut found = BTreeMap::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let data = fs::symlink_metadata(&path).unwrap();
            let (mode, at) = (data.mode(), (data.mtime(), data.mtime_nsec()));
            if data.is_dir() && !path.ends_with("target") {
                open.push(path.clone());
            }
            let content = match data.is_file() {
                true => fs::read(&path).unwrap(),
                false => Vec::new(),
            };
            // The time of a folder changes with the files in it, which are looked at themselves.
            let (s, ns) = if data.is_file() { at } else { (0, 0) };
            found.insert(path, (content, mode, s, ns));
        }
    }
    found
}

/// A repository in which everything is there that could be damaged, on a detached HEAD.
fn fragile() -> Bench {
    let bench = changes();
    bench.write("notes.txt", "stashed\n");
    bench.git(["add", "notes.txt"]);
    bench.git(["stash", "push", "--quiet"]);
    bench.git(["checkout", "--quiet", "--detach", "slower"]);
    bench.append("native/docs/notes.md", "Staged.\n");
    bench.git(["add", "--all"]);
    bench.append("native/docs/notes.md", "Not staged.\n");
    bench.write("untracked.txt", "Untracked.\n");
    // A worktree on a disk that is not there now.
    let absent = bench.outside("absent");
    let path = absent.to_str().unwrap();
    bench.git(["worktree", "add", "--quiet", "--detach", path, "base"]);
    fs::remove_dir_all(&absent).unwrap();
    bench
}

#[track_caller]
fn unchanged_by(bench: &Bench, compare: impl FnOnce() -> Ran) -> Ran {
    let before = everything(bench);
    let ran = compare();
    let after = everything(bench);
    let differ: Vec<&PathBuf> = after
        .keys()
        .chain(before.keys())
        .filter(|path| before.get(*path) != after.get(*path))
        .collect();
    assert!(differ.is_empty(), "{differ:?}\n{ran}");
    ran
}

#[test]
fn checkout_index_references_stash_and_worktrees_stay_byte_for_byte() {
    let bench = fragile();
    unchanged_by(&bench, || bench.ab("--baseline HEAD~1").exits(3));
    let words = "--baseline base --candidate refactored --aa";
    unchanged_by(&bench, || bench.ab(words).exits(0));
    unchanged_by(&bench, || {
        let running = bench.start(["ab", "--baseline", "base", "--candidate", "hanging"]);
        let duets = |bench: &Bench| bench.ran().iter().filter(|l| *l == "duet a").count();
        let before = duets(&bench);
        wait_until("a worker hangs", || duets(&bench) > before);
        running.interrupt();
        running.finish().exits(130)
    });
    let list = bench.git(["worktree", "list"]);
    assert!(list.contains("absent"), "{list}");
}

#[test]
fn variables_of_git_point_neither_at_another_repository_nor_at_its_index() {
    let bench = changes();
    let other = Bench::new().case(crate::case::Case::new("z")).commit();
    let (git, index) = (other.root().join(".git"), other.root().join(".git/index"));
    let before = everything(&other);
    let ran = unchanged_by(&bench, || {
        bench.run_with(["ab", "--baseline", "base", "--candidate", "slower"], |c| {
            c.env("GIT_DIR", git).env("GIT_INDEX_FILE", index);
            c.env("GIT_WORK_TREE", other.root());
            c.env("GIT_OBJECT_DIRECTORY", other.root().join(".git/objects"));
        })
    });
    ran.exits(3).says(&bench.commit_id("slower"));
    assert!(before == everything(&other), "the other repository changed");
}

#[test]
fn head_is_resolved_once_and_both_commits_are_printed_before_anything_happens() {
    let bench = changes();
    bench.git(["checkout", "--quiet", "--detach", "slower"]);
    let ran = bench.ab("--baseline HEAD~1 --json").exits(3);
    ran.judges("a", "regressed");
    let (base, slower) = (bench.commit_id("base"), bench.commit_id("slower"));
    assert_eq!(ran.json()["baseline"]["commit"], *base);
    assert_eq!(ran.json()["candidate"]["commit"], *slower);
    let said = |id: &str| ran.stderr.find(id).unwrap();
    let work = ran.stderr.find("round").unwrap_or(ran.stderr.len());
    assert!(said(&base) < said(&slower) && said(&slower) < work, "{ran}");
}

#[test]
fn the_working_tree_is_the_candidate_and_said_to_be_dirty() {
    let bench = changes();
    bench.write(WORK, &work("cost=1.05", 1));
    let ran = bench.ab("--baseline HEAD --json").exits(3);
    ran.judges("a", "regressed");
    assert_eq!(ran.json()["candidate"]["dirty"], true);
    assert_eq!(ran.json()["baseline"]["dirty"], false);
    let said: Vec<&str> = ran.stderr.lines().take(2).collect();
    assert!(said[1].ends_with("with uncommitted changes"), "{ran}");
    bench.git(["restore", "."]);
    // Touched, and still what it was.
    let file = fs::File::options()
        .append(true)
        .open(bench.root().join(WORK));
    file.unwrap()
        .set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    let ran = bench.ab("--baseline HEAD --json").exits(0);
    ran.judges("a", "same_build");
    assert_eq!(ran.json()["candidate"]["dirty"], false);
    ran.does_not_say("uncommitted");
}

#[test]
fn an_unknown_revision_is_refused_with_those_near_it() {
    let bench = changes();
    let ran = bench.ab("--baseline slowr").exits(2);
    ran.says("`slowr`").says("slower");
    let ran = bench.ab("--baseline base --candidate slowr").exits(2);
    ran.says("`slowr`");
    bench.ab("--baseline HEAD~50").exits(2).says("HEAD~50");
    for no_commit in ["HEAD:native", "HEAD^{tree}", "HEAD:Cargo.toml"] {
        bench
            .ab(&format!("--baseline {no_commit}"))
            .exits(2)
            .says(no_commit);
    }
    let nothing = bench.run(["ab", "--baseline", ""]);
    nothing.exits(2);
    assert!(!bench.has("target/longrun/ab"));
}

#[test]
fn an_ambiguous_id_is_refused_with_the_commits_that_it_could_be() {
    let bench = changes();
    let import = many_commits(800);
    bench.write("target/import", &import);
    bench.git_reading(&["fast-import", "--quiet"], "target/import");
    let ids = bench.git(["rev-list", "many"]);
    let mut ids: Vec<&str> = ids.lines().collect();
    ids.sort_unstable();
    let pair = ids.windows(2).find(|pair| pair[0][..4] == pair[1][..4]);
    let pair = pair.unwrap();
    let ran = bench.ab(&format!("--baseline {}", &pair[0][..4])).exits(2);
    ran.says("it could be each of these")
        .says(&pair[0][..8])
        .says(&pair[1][..8]);
    // One letter more than they share is enough.
    let shared = pair[0]
        .chars()
        .zip(pair[1].chars())
        .take_while(|(a, b)| a == b);
    let enough = &pair[0][..shared.count() + 1];
    bench.git(["branch", "--quiet", "one", pair[0]]);
    let ran = bench.ab(&format!("--baseline {enough} --dry-run"));
    assert!(!ran.stderr.contains("it could be each"), "{ran}");
}

/// A stream of commits for `git fast-import`: among so many, two begin with the same four digits.
fn many_commits(count: u32) -> String {
    let commit = |number: u32| {
        let message = format!("number {number}\n");
        format!(
            "commit refs/heads/many\ncommitter A Tester <tester@example.org> 1700000000 +0000\n\
             data {}\n{message}\n",
            message.len()
        )
    };
    (0..count).map(commit).collect()
}

#[test]
fn a_shallow_clone_without_the_revision_names_the_fix() {
    let bench = changes();
    bench.git(["checkout", "--quiet", "-B", "main", "slower"]);
    let clone = bench.outside("clone");
    let url = format!("file://{}", bench.root().display());
    bench.git([
        "clone",
        "--quiet",
        "--depth=1",
        &url,
        clone.to_str().unwrap(),
    ]);
    let shallow = fs::read(clone.join(".git/shallow")).unwrap();
    for revision in ["HEAD~1", &bench.commit_id("base")] {
        let ran = bench.run_with(["ab", "--baseline", revision], |command| {
            command.current_dir(&clone);
        });
        ran.exits(2).says("git fetch --unshallow");
    }
    assert_eq!(fs::read(clone.join(".git/shallow")).unwrap(), shallow);
}

#[test]
fn two_commits_that_differ_in_a_submodule_only_are_two_builds() {
    let bench = with_submodule();
    let ran = bench.ab("--baseline HEAD~1 --json").exits(3);
    ran.judges("a", "regressed");
    // Where the submodule stands in the working tree means nothing to revisions.
    bench.git(["-C", "native/parts", "checkout", "--quiet", "HEAD~1"]);
    let before = bench.status();
    let ran = bench
        .ab("--baseline HEAD~1 --candidate HEAD --json")
        .exits(3);
    ran.judges("a", "regressed");
    assert_eq!(bench.status(), before);
    // As the candidate it is what it is: the older code again.
    bench
        .ab("--baseline HEAD~1 --json")
        .exits(0)
        .judges("a", "same_build");
}

#[test]
fn a_submodule_whose_commit_is_not_here_is_named_with_the_fix() {
    let bench = with_submodule();
    let clone = bench.outside("clone");
    bench.git(["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let ran = bench.run_with(["ab", "--baseline", "HEAD~1"], |command| {
        command.current_dir(&clone);
    });
    ran.exits(6)
        .says("native/parts")
        .says("git submodule update --init");
}

/// The repository with `native/parts` as a submodule, and a last commit that moves it to slower
/// code.
fn with_submodule() -> Bench {
    let bench = changes();
    let parts = bench.outside("parts");
    let of_parts = ["-C", parts.to_str().unwrap()];
    fs::create_dir(&parts).unwrap();
    bench.git_words(&[&of_parts[..], &["init", "--quiet"]].concat());
    for (words, revision) in [("cost=1", 0), ("cost=1.05", 1)] {
        fs::write(parts.join("work.h"), work(words, revision)).unwrap();
        bench.git_words(&[&of_parts[..], &["add", "."]].concat());
        let name = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let commit = ["commit", "--quiet", "--message", words];
        bench.git_words(&[&of_parts[..], &name, &commit].concat());
    }
    bench.git(["rm", "--quiet", "-r", "native/parts"]);
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
    ];
    bench.git_words(&[&add[..], &[of_parts[1], "native/parts"]].concat());
    bench.git(["-C", "native/parts", "checkout", "--quiet", "HEAD~1"]);
    bench.commit_all("parts of our own");
    let origin = bench.git(["-C", "native/parts", "rev-parse", "origin/HEAD"]);
    bench.git(["-C", "native/parts", "checkout", "--quiet", &origin]);
    bench.commit_all("slower parts");
    bench
}

#[test]
fn a_revision_that_does_not_build_is_an_error_with_its_log_and_leaves_nothing() {
    let bench = changes();
    bench.append("native/src/minimal.cpp", "int broken = nothing;\n");
    bench.commit_all("broken");
    let ran = bench.ab("--baseline HEAD --candidate base").exits(6);
    ran.says("failed to build")
        .says("'nothing'")
        .says("baseline");
    bench.git(["checkout", "--quiet", "base"]);
    let ran = bench.ab("--baseline base --candidate main").exits(6);
    ran.says("'nothing'").says("candidate");
    let left = bench.names_below("target/longrun/native");
    assert!(
        left.iter().all(|name| !name.starts_with("partial-")),
        "{left:?}"
    );
    bench.ab("--baseline base --candidate slower").exits(3);
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn an_edited_cached_build_is_built_again() {
    let bench = changes();
    let mut edited = 0;
    for name in bench.names_below("target/longrun/native") {
        let folder = bench.root().join("target/longrun/native").join(name);
        for library in libraries(&folder) {
            let mut bytes = fs::read(&library).unwrap();
            let cost = bytes.windows(9).position(|text| text == b"cost=1.05");
            if let Some(at) = cost {
                bytes[at + 7] = b'9';
                fs::write(&library, bytes).unwrap();
                edited += 1;
            }
        }
    }
    assert_eq!(edited, 1);
    let ran = bench
        .ab("--baseline base --candidate slower --json")
        .exits(3);
    ran.clone().says("was changed after it was built");
    let estimate = ran.judges("a", "regressed")["estimate"].as_f64().unwrap();
    assert!(estimate < 0.06, "{estimate}");
}

/// The shared libraries below a folder.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(libraries(&path)),
            false if path.extension().is_some_and(|ending| ending == "so") => found.push(path),
            false => {}
        }
    }
    found
}

#[test]
fn the_build_of_another_revision_does_not_find_the_repository() {
    let bench = changes();
    bench.git(["checkout", "--quiet", "base"]);
    let find = "execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse HEAD\n\
                RESULT_VARIABLE none OUTPUT_QUIET ERROR_QUIET)\n\
                if(none EQUAL 0)\n  message(FATAL_ERROR \"stamped with another commit\")\n\
                endif()\n";
    bench.append("native/CMakeLists.txt", find);
    bench.commit_all("asks git");
    bench.append(WORK, "#undef STUB_REVISION\n#define STUB_REVISION 40\n");
    bench.commit_all("other code");
    let ran = bench
        .ab("--baseline HEAD~1 --candidate HEAD --json")
        .exits(0);
    ran.judges("a", "unchanged");
}
