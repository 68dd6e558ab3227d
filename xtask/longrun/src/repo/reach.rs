//! Which commits a reference still leads to. A rebase or an amended commit leaves recorded
//! commits that nothing leads to any more.

use std::collections::{BTreeMap, BTreeSet};

use git2::Oid;

use super::Repo;
use crate::failure::Outcome;

/// Most commits that are walked; beyond it, what was not met is not known. A second's walk.
const COMMITS_MAX: usize = 200_000;

/// References that keep a commit: branches, tags, and what was fetched.
const REFERENCES: [&str; 3] = ["refs/heads/*", "refs/tags/*", "refs/remotes/*"];

/// Whether something leads to a commit, by its full id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    known: BTreeMap<String, bool>,
}

impl Reach {
    /// `None` is unknown.
    pub fn leads_to(&self, commit: &str) -> Option<bool> {
        self.known.get(commit).copied()
    }
}

impl Repo {
    /// Whether HEAD, a branch (of this repository or as last fetched) or a tag leads to each of
    /// these commits. What a shallow clone lacks is not known, and neither is what is no full id.
    ///
    /// # Errors
    /// Exit 6 where the references or the commits cannot be read.
    pub fn reach(&self, commits: &BTreeSet<String>) -> Outcome<Reach> {
        let full = |text: &String| (text.len() == 40).then(|| Oid::from_str(text).ok())?;
        let mut wanted: BTreeSet<Oid> = commits.iter().filter_map(full).collect();
        let failed = |error| self.failed("follow the references", &error);
        let mut walk = self.git.revwalk().map_err(failed)?;
        walk.push_head().map_err(failed)?;
        for glob in REFERENCES {
            walk.push_glob(glob).map_err(failed)?;
        }
        let mut reach = Reach::default();
        let mut walked = 0;
        while !wanted.is_empty() {
            let Some(commit) = walk.next() else {
                // The walk has ended: nothing leads to the rest, unless it was cut off.
                if !self.git.is_shallow() {
                    let rest = wanted.iter().map(|commit| (commit.to_string(), false));
                    reach.known.extend(rest);
                }
                break;
            };
            let commit = commit.map_err(failed)?;
            if wanted.remove(&commit) {
                reach.known.insert(commit.to_string(), true);
            }
            walked += 1;
            if walked == COMMITS_MAX {
                break;
            }
        }
        Ok(reach)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::Checkout;
    use super::*;

    fn asked(commits: &[&str]) -> BTreeSet<String> {
        commits.iter().map(|commit| (*commit).to_owned()).collect()
    }

    #[test]
    fn an_amended_commit_is_unreachable_until_something_leads_to_it() {
        let checkout = Checkout::new();
        checkout.write("a", "1\n");
        let first = checkout.commit_all("one");
        checkout.write("a", "2\n");
        let rewritten = checkout.commit_all("two");
        let git = checkout.git();
        let back = git.find_commit(Oid::from_str(&first).unwrap()).unwrap();
        git.reset(back.as_object(), git2::ResetType::Hard, None)
            .unwrap();
        checkout.write("a", "3\n");
        let last = checkout.commit_all("three");
        let commits = asked(&[&first, &rewritten, &last]);
        let reach = checkout.open().reach(&commits).unwrap();
        let found = [&first, &rewritten, &last].map(|commit| reach.leads_to(commit));
        assert_eq!(found, [Some(true), Some(false), Some(true)]);
        let lost = git.find_commit(Oid::from_str(&rewritten).unwrap()).unwrap();
        for name in ["refs/heads/topic/kept", "refs/tags/v1", "refs/remotes/o/m"] {
            let mut reference = git.reference(name, lost.id(), false, "keep").unwrap();
            let reach = checkout.open().reach(&commits).unwrap();
            assert_eq!(reach.leads_to(&rewritten), Some(true), "{name}");
            reference.delete().unwrap();
        }
        git.reference("refs/stash", lost.id(), false, "not kept")
            .unwrap();
        let reach = checkout.open().reach(&commits).unwrap();
        assert_eq!(reach.leads_to(&rewritten), Some(false));
    }

    #[test]
    fn what_is_no_full_id_is_not_known() {
        let checkout = Checkout::new();
        checkout.write("a", "1\n");
        let id = checkout.commit_all("one");
        let reach = checkout.open().reach(&asked(&[&id[..7], "abc", ""]));
        assert_eq!(reach.unwrap(), Reach::default());
    }

    #[test]
    fn a_tag_of_a_file_is_no_hindrance() {
        let checkout = Checkout::new();
        checkout.write("a", "1\n");
        let id = checkout.commit_all("one");
        let git = checkout.git();
        let blob = git.blob(b"a file").unwrap();
        git.reference("refs/tags/file", blob, false, "a file")
            .unwrap();
        let reach = checkout.open().reach(&asked(&[&id])).unwrap();
        assert_eq!(reach.leads_to(&id), Some(true));
    }
}
