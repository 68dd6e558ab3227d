//! Revisions, as users write them: whatever git understands, resolved once to a full id.

use std::collections::BTreeSet;

use git2::{ErrorCode, Object, ObjectType, Oid};

use super::Repo;
use crate::failure::{Failure, Outcome};
use crate::history::near::near;

/// Most commits that a message about an ambiguous id lists.
const LISTED_MAX: usize = 10;

/// Most names of branches and tags that are looked at for what may have been meant.
const NAMES_MAX: usize = 20_000;

/// Shortest beginning of an id that names anything, as in git.
const PREFIX_MIN: usize = 4;

/// A commit, and how it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// As the user wrote it.
    pub text: String,
    /// Full id, 40 hexadecimal digits.
    pub commit: String,
    /// First line of the commit's message.
    pub subject: String,
}

impl Repo {
    /// The commit that `asked` means: a branch, a tag, an id or the beginning of one, and whatever
    /// git derives from them, such as `HEAD~1` or `v1^{}`.
    ///
    /// # Errors
    /// Exit 2 where it means nothing, with the names near it; where it could mean several commits,
    /// with all of them; where it is no commit; and where a shallow clone lacks it.
    pub fn revision(&self, asked: &str) -> Outcome<Revision> {
        self.refuse_two_references(asked)?;
        match self.git.revparse_single(asked) {
            Ok(object) => self.revision_of(asked, &object),
            Err(error) if error.code() == ErrorCode::Ambiguous => self.revision_by_prefix(asked),
            Err(_) => Err(self.unknown(asked)),
        }
    }

    /// The commit that is checked out, called `text`.
    ///
    /// # Errors
    /// Exit 6 where it cannot be read.
    pub fn head_revision(&self, text: &str) -> Outcome<Revision> {
        let commit = self.head_id()?;
        let object = self.git.find_object(commit, None);
        let object = object.map_err(|error| self.failed("read the checked out commit", &error))?;
        self.revision_of(text, &object)
    }

    fn revision_of(&self, asked: &str, object: &Object<'_>) -> Outcome<Revision> {
        let commit = object.peel_to_commit().map_err(|_| {
            let kind = object.kind().map_or("an object", kind_name);
            refusal(
                asked,
                &format!("it is {kind} and no commit"),
                "give the commit that has it",
            )
        })?;
        let subject = commit.summary_bytes().unwrap_or_default();
        Ok(Revision {
            text: asked.to_owned(),
            commit: commit.id().to_string(),
            subject: String::from_utf8_lossy(subject).into_owned(),
        })
    }

    /// A tag and a branch of one name that are two commits: git takes the tag, with a warning.
    fn refuse_two_references(&self, asked: &str) -> Outcome<()> {
        let base = base_of(asked);
        let found = ["refs/tags/", "refs/heads/"].map(|folder| {
            let name = format!("{folder}{base}");
            let reference = self.git.find_reference(&name).ok()?;
            Some((name, reference.peel_to_commit().ok()?.id()))
        });
        match &found {
            [Some((tag, tagged)), Some((branch, tip))] if tagged != tip => Err(refusal(
                asked,
                &format!(
                    "`{base}` is the tag {} and the branch {}",
                    self.told(*tagged),
                    self.told(*tip)
                ),
                &format!("give `{tag}` or `{branch}`"),
            )),
            _ => Ok(()),
        }
    }

    /// The commit whose id begins as `asked` does, where objects of several kinds or several
    /// commits do.
    fn revision_by_prefix(&self, asked: &str) -> Outcome<Revision> {
        let base = base_of(asked);
        if base.len() < PREFIX_MIN {
            return Err(self.unknown(asked));
        }
        let candidates = self.commits_beginning(base)?;
        let rest = asked.get(base.len()..).unwrap_or_default();
        match candidates.as_slice() {
            [only] => match self.git.revparse_single(&format!("{only}{rest}")) {
                Ok(object) => self.revision_of(asked, &object),
                Err(_) => Err(self.unknown(asked)),
            },
            [] => Err(refusal(
                asked,
                &format!("several objects begin with `{base}`, and none is a commit"),
                "give a commit",
            )),
            several => {
                let listed = several.iter().take(LISTED_MAX).map(|id| self.told(*id));
                let listed: Vec<String> = listed.collect();
                let more = match several.len().saturating_sub(LISTED_MAX) {
                    0 => String::new(),
                    more => format!("\n  and {more} more"),
                };
                Err(refusal(
                    asked,
                    &format!(
                        "it could be each of these:\n  {}{more}\n",
                        listed.join("\n  ")
                    ),
                    "give more of the id",
                ))
            }
        }
    }

    /// Commits and tags whose ids begin so.
    fn commits_beginning(&self, prefix: &str) -> Outcome<Vec<Oid>> {
        let prefix = prefix.to_lowercase();
        let failed = |error| self.failed("list the commits", &error);
        let odb = self.git.odb().map_err(failed)?;
        let mut found = BTreeSet::new();
        // Every object is listed, and only those that begin so are opened.
        odb.foreach(|id| {
            if id.to_string().starts_with(&prefix) {
                found.insert(*id);
            }
            true
        })
        .map_err(failed)?;
        let is_commit = |id: &Oid| {
            let header = odb.read_header(*id);
            matches!(header, Ok((_, ObjectType::Commit | ObjectType::Tag)))
        };
        Ok(found.into_iter().filter(is_commit).collect())
    }

    /// An id and its subject, for a list.
    fn told(&self, id: Oid) -> String {
        let object = self.git.find_object(id, None);
        let commit = object.and_then(|object| object.peel_to_commit());
        let subject = commit.ok().map(|commit| {
            let subject = commit.summary_bytes().unwrap_or_default();
            String::from_utf8_lossy(subject).into_owned()
        });
        format!("{id} {}", subject.unwrap_or_default())
            .trim_end()
            .to_owned()
    }

    /// Why a revision was not found, with what may have been meant.
    fn unknown(&self, asked: &str) -> Failure {
        let base = base_of(asked);
        let derived = base != asked && self.git.revparse_single(base).is_ok();
        let cause = match derived {
            true => format!("`{base}` is there, but what is asked of it is not"),
            false => "no commit, branch or tag is called so".to_owned(),
        };
        let names = self.names();
        let meant = near(base, names.iter().map(String::as_str));
        let next = if self.git.is_shallow() {
            "this clone is shallow and may lack it: run `git fetch --unshallow`".to_owned()
        } else if !asked.is_empty() && self.root.join(asked).exists() {
            "it is a path; give a commit".to_owned()
        } else if derived || meant.is_empty() {
            "`git log`, `git branch --all` and `git tag` show what there is".to_owned()
        } else {
            format!("near it are `{}`", meant.join("`, `"))
        };
        refusal(asked, &cause, &next)
    }

    /// Branches and tags, as they are written.
    fn names(&self) -> BTreeSet<String> {
        let Ok(references) = self.git.references() else {
            return BTreeSet::new();
        };
        let references = references.flatten().take(NAMES_MAX);
        references
            .map(|reference| String::from_utf8_lossy(reference.shorthand_bytes()).into_owned())
            .collect()
    }
}

/// What the rest of a revision is derived from: `main` of `main~2^{}`.
fn base_of(asked: &str) -> &str {
    let end = [asked.find(['^', '~', ':']), asked.find("@{")];
    let end = end.into_iter().flatten().min();
    end.and_then(|end| asked.get(..end)).unwrap_or(asked)
}

fn kind_name(kind: ObjectType) -> &'static str {
    match kind {
        ObjectType::Tree => "a folder",
        ObjectType::Blob => "a file",
        _ => "an object",
    }
}

fn refusal(asked: &str, cause: &str, next: &str) -> Failure {
    Failure::usage(format!(
        "failed to find the revision `{asked}`: {cause}; {next}"
    ))
}

#[cfg(test)]
mod tests;
