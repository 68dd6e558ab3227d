//! Which functions and data objects of two libraries differ, by name. Pure.

use std::collections::BTreeMap;

use super::image::{Image, Symbol};
use super::references::{self, Agreement};
use super::{Change, NAMES_OF_BUILDS, Part, Parts};

/// Parts that are listed; more are counted.
const LISTED_MAX: usize = 200;

/// Symbols of one name among which equal ones are looked for; more are paired in order.
const NAMESAKES_MAX: usize = 64;

/// Bytes of all symbols together, in bytes of the library: names share places, but not this many.
const OVERLAP_MAX: u64 = 8;

/// Functions and data objects of two libraries.
///
/// # Errors
/// Why they cannot be compared by name.
pub(super) fn compare(before: &Image<'_>, after: &Image<'_>) -> Result<[Parts; 2], String> {
    if before.processor != after.processor {
        return Err(format!(
            "one library is for {:?} and the other for {:?}",
            before.processor, after.processor
        ));
    }
    if before.whole != after.whole {
        return Err("one library has its table of symbols and the other was stripped".to_owned());
    }
    for image in [before, after] {
        if image.truncated {
            return Err("a library has more symbols than are looked at".to_owned());
        }
        if image.symbols.is_empty() {
            return Err("a library has no table of symbols".to_owned());
        }
        let named = image.symbols.iter().map(|symbol| symbol.size);
        let named = named.fold(0, u64::saturating_add);
        let sections = image.sections.iter().map(|section| section.size);
        let loaded = sections.fold(0, u64::saturating_add);
        if named > loaded.saturating_mul(OVERLAP_MAX) {
            return Err("the symbols of a library overlap".to_owned());
        }
    }
    Ok([parts(before, after, true), parts(before, after, false)])
}

/// Symbols of one name in both libraries.
type Namesakes<'a, 'b> = [Vec<&'b Symbol<'a>>; 2];

fn parts(before: &Image<'_>, after: &Image<'_>, functions: bool) -> Parts {
    let mut names: BTreeMap<&str, Namesakes<'_, '_>> = BTreeMap::new();
    for (side, image) in [before, after].into_iter().enumerate() {
        for symbol in &image.symbols {
            let section = image.sections.get(symbol.section);
            let of_code = section.is_some_and(|found| !NAMES_OF_BUILDS.contains(&found.name));
            if symbol.function == functions && of_code {
                let namesakes = names.entry(symbol.name).or_default();
                namesakes
                    .get_mut(side)
                    .into_iter()
                    .for_each(|side| side.push(symbol));
            }
        }
    }
    let mut parts = Parts::default();
    for (_, [olds, news]) in names {
        pair((before, olds), (after, news), &mut parts);
    }
    let size = |part: &Part| part.before.max(part.after);
    parts.different.sort_by(|a, b| {
        let sizes = size(b).cmp(&size(a));
        a.change
            .cmp(&b.change)
            .then(sizes)
            .then_with(|| a.name.cmp(&b.name))
    });
    parts.more = parts.different.len().saturating_sub(LISTED_MAX);
    parts.different.truncate(LISTED_MAX);
    parts
}

/// Adds what became of the symbols of one name. Those that are equal belong together; the rest is
/// paired in the order of addresses.
fn pair(
    (before, mut olds): (&Image<'_>, Vec<&Symbol<'_>>),
    (after, mut news): (&Image<'_>, Vec<&Symbol<'_>>),
    parts: &mut Parts,
) {
    let judged = |old: &Symbol<'_>, new: &Symbol<'_>| judge((before, old), (after, new));
    if olds.len().max(news.len()) <= NAMESAKES_MAX {
        olds.retain(|old| {
            let found = news.iter().enumerate().find_map(|(at, new)| {
                let equal = judged(old, new);
                matches!(equal, None | Some(Change::Moved)).then_some((at, equal))
            });
            if let Some((at, equal)) = found {
                news.remove(at);
                parts.count(equal);
            }
            found.is_none()
        });
    }
    for place in 0..olds.len().max(news.len()) {
        let (old, new) = (olds.get(place), news.get(place));
        let change = match (old, new) {
            (Some(old), Some(new)) => judged(old, new),
            (Some(_), None) => Some(Change::Gone),
            (None, _) => Some(Change::New),
        };
        match (change, old.or(new)) {
            (Some(Change::Changed | Change::Constants | Change::New | Change::Gone), Some(any)) => {
                parts.different.push(Part {
                    name: any.name.to_owned(),
                    change: change.unwrap_or(Change::Changed),
                    before: old.map(|old| old.size),
                    after: new.map(|new| new.size),
                });
            }
            (equal, _) => parts.count(equal),
        }
    }
}

impl Parts {
    fn count(&mut self, equal: Option<Change>) {
        match equal {
            Some(_) => self.moved += 1,
            None => self.equal += 1,
        }
    }
}

/// What became of a symbol; `None` where it is equal in every respect.
fn judge(
    (before, old): (&Image<'_>, &Symbol<'_>),
    (after, new): (&Image<'_>, &Symbol<'_>),
) -> Option<Change> {
    if old.size != new.size || old.bytes.len() != new.bytes.len() {
        return Some(Change::Changed);
    }
    let moved = (old.address != new.address || old.bytes != new.bytes).then_some(Change::Moved);
    let (olds, news) = (references::of(old, before), references::of(new, after));
    let mut constants = false;
    let mut from = 0;
    // Between the addresses that both have, every byte is equal.
    for reference in &olds {
        let at = news.binary_search_by_key(&reference.offset, |other| other.offset);
        let Some(other) = at.ok().and_then(|at| news.get(at)) else {
            continue;
        };
        if old.bytes.get(from..reference.offset) != new.bytes.get(from..reference.offset) {
            return Some(Change::Changed);
        }
        match references::agree((before, old, reference), (after, new, other)) {
            Agreement::Same => {}
            Agreement::Constants => constants = true,
            Agreement::Different => return Some(Change::Changed),
        }
        from = reference.end();
    }
    if old.bytes.get(from..) != new.bytes.get(from..) {
        return Some(Change::Changed);
    }
    match constants {
        true => Some(Change::Constants),
        false => moved,
    }
}
