//! How the code of two native libraries differs, from their bytes alone. Pure.
//!
//! What is loaded into memory is compared section by section. Left out is what no instruction
//! reads: the section that names the build, the linker's build id, and everything that is not
//! loaded (symbol and string tables, debug information, comments). Below that, functions and data
//! objects are compared by name, to say what changed; a function that only stands at another
//! address has moved and not changed.
//!
//! A library that cannot be read so is compared byte for byte, and the difference says why.

mod functions;
mod image;
mod immediates;
#[cfg(test)]
mod made;
mod names;
mod references;
#[cfg(test)]
mod tests;

pub use names::readable;

use serde::Serialize;

use crate::text;
use image::{Image, Section};

/// Largest library that is looked into, in bytes.
pub const LIBRARY_MAX: u64 = 512 << 20;

/// Sections that hold the name of a build and no code: ours, and the linker's.
const NAMES_OF_BUILDS: [&str; 2] = [".longrun_identity", ".note.gnu.build-id"];

/// Beginnings of the names of sections that hold a program rather than say where its parts are.
const PROGRAM: [&str; 5] = [".text", ".rodata", ".data", ".bss", ".tdata"];

/// Functions and data objects that have a sentence of their own; more are counted.
const FUNCTIONS_NAMED: usize = 4;
const OBJECTS_NAMED: usize = 1;

/// Sections that are named in a sentence; more are counted.
const SECTIONS_NAMED: usize = 4;

/// How the code of two libraries differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CodeDifference {
    /// Whether the same is loaded from both, byte for byte at the same addresses.
    pub same: bool,
    /// Why nothing finer than bytes was compared; absent where sections were.
    pub bytes_only: Option<String>,
    /// Loaded sections that differ, in the order of the files.
    pub sections: Vec<Part>,
    /// Functions; `None` where they could not be compared, with the reason in `unnamed`.
    pub functions: Option<Parts>,
    /// Data objects that have names; `None` as for functions.
    pub objects: Option<Parts>,
    /// Why functions and objects could not be compared by name.
    pub unnamed: Option<String>,
    /// Whether functions that only moved may be among those that changed: on this processor,
    /// addresses are not told from code.
    pub addresses_count: bool,
}

/// What became of the parts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parts {
    /// Parts that differ: changed ones first, then new and gone ones, large ones first.
    pub different: Vec<Part>,
    /// Number of further parts that differ.
    pub more: usize,
    /// Number of parts that are equal but for addresses: their own, or of what they refer to.
    pub moved: usize,
    /// Number of parts that are equal in every respect.
    pub equal: usize,
}

/// One section, function or data object that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Its name in the file.
    pub name: String,
    /// What became of it.
    pub change: Change,
    /// Bytes that it had; absent where it is new.
    pub before: Option<u64>,
    /// Bytes that it has; absent where it is gone.
    pub after: Option<u64>,
}

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Its content differs.
    Changed,
    /// Its content is equal, and what it reads is not: a constant that has no name.
    Constants,
    /// Only the second library has it.
    New,
    /// Only the first library has it.
    Gone,
    /// It stands at another address.
    Moved,
}

/// Compares the code of two libraries.
pub fn compare(before: &[u8], after: &[u8]) -> CodeDifference {
    let images = match (Image::read(before), Image::read(after)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(why), _) => return of_bytes(before, after, format!("the first one {why}")),
        (_, Err(why)) => return of_bytes(before, after, format!("the second one {why}")),
    };
    let (before, after) = &images;
    let sections = sections(before, after);
    let mut difference = CodeDifference {
        same: sections.is_empty() && before.processor == after.processor,
        sections,
        ..CodeDifference::default()
    };
    difference.addresses_count = !references::known(before.processor);
    match functions::compare(before, after) {
        Ok([functions, objects]) => {
            difference.functions = Some(functions);
            difference.objects = Some(objects);
        }
        Err(why) => difference.unnamed = Some(why),
    }
    difference
}

/// The difference of two files that cannot be compared any finer.
fn of_bytes(before: &[u8], after: &[u8], why: String) -> CodeDifference {
    CodeDifference {
        same: before == after,
        bytes_only: Some(why),
        ..CodeDifference::default()
    }
}

/// Loaded sections that differ. Sections of one name are paired in the order of the files.
fn sections(before: &Image<'_>, after: &Image<'_>) -> Vec<Part> {
    let mut rest: Vec<&Section<'_>> = loaded(after).collect();
    let mut parts = Vec::new();
    for old in loaded(before) {
        let found = rest.iter().position(|new| new.name == old.name);
        let new = found.map(|at| rest.remove(at));
        let change = match new {
            None => Change::Gone,
            Some(new) if old.content() != new.content() => Change::Changed,
            Some(new) if old.address != new.address => Change::Moved,
            Some(_) => continue,
        };
        parts.push(Part {
            name: old.name.to_owned(),
            change,
            before: Some(old.size),
            after: new.map(|new| new.size),
        });
    }
    parts.extend(rest.into_iter().map(|new| Part {
        name: new.name.to_owned(),
        change: Change::New,
        before: None,
        after: Some(new.size),
    }));
    parts
}

fn loaded<'a, 'b>(image: &'b Image<'a>) -> impl Iterator<Item = &'b Section<'a>> {
    let named = |section: &&Section<'_>| !NAMES_OF_BUILDS.contains(&section.name);
    image.sections.iter().filter(named)
}

impl CodeDifference {
    /// What differs, most telling first, one sentence each; empty where nothing does.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.same {
            return sentences;
        }
        if let Some(why) = &self.bytes_only {
            sentences.push(format!(
                "the libraries differ; they were compared byte for byte only, because {why}"
            ));
            return sentences;
        }
        let kinds = [
            ("function", &self.functions, FUNCTIONS_NAMED),
            ("data object", &self.objects, OBJECTS_NAMED),
        ];
        for (kind, parts, named) in kinds {
            sentences.extend(parts.iter().flat_map(|parts| parts.sentences(kind, named)));
        }
        sentences.extend(self.functions.as_ref().and_then(Parts::rest));
        if self.addresses_count && self.functions.is_some() {
            let why = "addresses are not told from code on this processor";
            sentences.push(format!("functions may only have moved: {why}"));
        }
        if let Some(why) = &self.unnamed {
            sentences.push(format!(
                "which functions differ cannot be said, because {why}"
            ));
        }
        sentences.extend(self.sections_sentence());
        sentences
    }

    /// The sections that differ as one sentence: a function more moves most of them.
    fn sections_sentence(&self) -> Option<String> {
        let telling = |part: &&Part| PROGRAM.iter().position(|name| part.name.starts_with(name));
        let mut parts: Vec<&Part> = self.sections.iter().collect();
        parts.sort_by_key(|part| telling(part).unwrap_or(PROGRAM.len()));
        let names = parts.iter().take(SECTIONS_NAMED);
        let names: Vec<String> = names.map(|part| format!("`{}`", part.name)).collect();
        let verb = if parts.len() == 1 {
            "differs"
        } else {
            "differ"
        };
        let count = text::counted(parts.len(), "loaded section");
        let rest = match parts.len().saturating_sub(SECTIONS_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!parts.is_empty()).then(|| format!("{count} {verb}: {}{rest}", names.join(", ")))
    }
}

impl Parts {
    /// The first parts that differ, and how many others do.
    fn sentences(&self, kind: &str, named: usize) -> Vec<String> {
        let first = self.different.iter().take(named);
        let mut sentences: Vec<String> = first.map(|part| part.sentence(kind)).collect();
        let more = self.different.len().saturating_sub(named) + self.more;
        if more > 0 {
            sentences.push(format!("and {more} more of the {kind}s"));
        }
        sentences
    }

    /// What became of the functions that did not change.
    fn rest(&self) -> Option<String> {
        let changed = |part: &Part| matches!(part.change, Change::Changed | Change::Constants);
        let functions = text::counted(self.moved, "function");
        match (self.moved, self.different.iter().any(changed)) {
            (0, true) => None,
            (0, false) => Some("no function changed or moved".to_owned()),
            (_, true) => Some(format!("{functions} moved without a change")),
            (_, false) => Some(format!("no function changed; {functions} moved")),
        }
    }
}

impl Part {
    fn sentence(&self, kind: &str) -> String {
        let name = readable(&self.name);
        match (self.change, self.before, self.after) {
            (Change::Changed, Some(before), Some(after)) if before != after => {
                format!("{kind} `{name}` changed from {before} to {after} bytes")
            }
            (Change::Changed, ..) => format!("{kind} `{name}` changed"),
            (Change::Constants, ..) => format!("{kind} `{name}` reads other constants"),
            (Change::New, ..) => format!("{kind} `{name}` is new"),
            (Change::Gone, ..) => format!("{kind} `{name}` is gone"),
            (Change::Moved, ..) => format!("{kind} `{name}` moved"),
        }
    }
}
