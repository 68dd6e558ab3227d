//! Tests of what keeps rows from being committed: known before, and met while recording.

use super::*;

#[test]
fn without_an_identity_the_rows_stay_in_the_working_tree() {
    let checkout = started();
    checkout.set("user.name", "");
    let before = checkout.open().head_commit().unwrap();
    let reason = left_because(record(&checkout, "a\n"));
    assert!(reason.contains("`git config user.name`"), "{reason}");
    assert_eq!(checkout.open().head_commit().unwrap(), before);
    assert_eq!(checkout.read(FILE), "h\na\n");
    assert_eq!(dirty(&checkout), [(FILE.into(), Change::Modified)]);
}

#[test]
fn the_advice_for_rows_left_behind_fits_whether_git_knows_the_file() {
    let checkout = started();
    checkout.set("user.name", "");
    let next = |checkout: &Checkout| match record(checkout, "a\n").unwrap() {
        Recorded::LeftInWorkingTree { next, .. } => next,
        other => unreachable!("{other:?}"),
    };
    let tracked = next(&checkout);
    assert!(
        tracked.contains(&format!("`git commit --only -- {FILE}`")),
        "{tracked}"
    );
    assert!(tracked.contains("git restore"), "{tracked}");
    let mut index = checkout.git().index().unwrap();
    index.remove_path(Path::new(FILE)).unwrap();
    index.write().unwrap();
    let untracked = next(&checkout);
    assert!(
        untracked.contains(&format!("`git add -- {FILE} && ")),
        "{untracked}"
    );
    assert!(!untracked.contains("git restore"), "{untracked}");
}

#[test]
fn what_keeps_a_commit_from_being_made_is_known_before() {
    let obstacle = |checkout: &Checkout| checkout.open().recording_obstacle(FILE).unwrap();
    let checkout = started();
    let before = checkout.git_bytes();
    assert_eq!(obstacle(&checkout), None);
    let absent = checkout.open().recording_obstacle("history/new.csv");
    assert_eq!(absent.unwrap(), None);
    assert!(checkout.git_bytes() == before);
    let outside = checkout.open().recording_obstacle("../x").unwrap_err();
    assert_eq!(outside.exit, Exit::Usage);

    let head = checkout.open().head_commit().unwrap();
    checkout.write(".git/MERGE_HEAD", &format!("{head}\n"));
    assert_eq!(
        obstacle(&checkout).unwrap(),
        "a merge is in progress; finish or abort it"
    );
    fs::remove_file(checkout.path(".git/MERGE_HEAD")).unwrap();

    checkout.set("user.name", "");
    let identity = obstacle(&checkout).unwrap();
    assert!(identity.contains("`git config user.name`"), "{identity}");
    checkout.set("user.name", "Ada");

    fs::remove_file(checkout.path(FILE)).unwrap();
    fs::create_dir(checkout.path(FILE)).unwrap();
    let folder = obstacle(&checkout).unwrap();
    assert!(folder.contains("not an ordinary file"), "{folder}");
}

#[test]
fn conflicts_in_the_index_are_known_before() {
    let checkout = started();
    let mut index = checkout.git().index().unwrap();
    let mut entry = index.get_path(Path::new("code"), 0).unwrap();
    index.remove_path(Path::new("code")).unwrap();
    // Bits 12 and 13 are the stage: 2 is our side of an unresolved file.
    entry.flags = (entry.flags & !0x3000) | 0x2000;
    index.add(&entry).unwrap();
    index.write().unwrap();
    let found = checkout.open().recording_obstacle(FILE).unwrap();
    assert_eq!(found.unwrap(), "the index has unresolved conflicts");
}

#[test]
fn during_a_merge_the_rows_stay_in_the_working_tree() {
    let checkout = started();
    let head = checkout.open().head_commit().unwrap();
    checkout.write(".git/MERGE_HEAD", &format!("{head}\n"));
    let reason = left_because(record(&checkout, "a\n"));
    assert_eq!(reason, "a merge is in progress; finish or abort it");
    assert_eq!(checkout.read(FILE), "h\na\n");
}

#[test]
fn while_the_index_is_locked_the_rows_stay_in_the_working_tree() {
    let checkout = started();
    checkout.write(".git/index.lock", "");
    let before = checkout.git_bytes();
    let lock = lock_of(&checkout);
    let request = CommitRequest {
        path: FILE,
        message: MESSAGE,
        lock: &lock,
        lock_wait: Duration::ZERO,
    };
    let repo = checkout.open();
    let outcome = repo.commit_file(&request, &mut |basis| Ok(appended(basis, "a\n")));
    assert!(left_because(outcome).contains("`index.lock`"));
    assert_eq!(checkout.read(FILE), "h\na\n");
    assert!(checkout.git_bytes() == before);
}

#[test]
fn each_obstacle_is_named() {
    use RepositoryState as State;
    let table = [
        (State::Clean, false, true, None),
        (
            State::Rebase,
            false,
            true,
            Some("a rebase is in progress; finish or abort it"),
        ),
        (
            State::Bisect,
            true,
            false,
            Some("a bisection is in progress; finish or abort it"),
        ),
        (State::Clean, true, false, Some("the index has unresolved")),
        (State::Clean, false, false, Some("git knows no identity")),
    ];
    for (state, conflicts, identity, expected) in table {
        let found = obstacle(state, conflicts, identity);
        match expected {
            None => assert_eq!(found, None),
            Some(start) => assert!(found.unwrap().starts_with(start), "{start}"),
        }
    }
}
