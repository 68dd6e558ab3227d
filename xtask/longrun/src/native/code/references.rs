//! Addresses inside machine code (x86-64).
//!
//! A linked library has no list of the places where its instructions hold addresses, and whatever
//! moves changes the distance to everything else. They are found by their form: a displacement of
//! four bytes after a ModRM byte that means "relative to the next instruction", or after the
//! opcode of a call or jump (Intel SDM volume 2, tables 2-2 and ), which leads into the
//! library. Bytes that look so by accident would have to lead into the library as well: for a
//! library of one megabyte, one in some ten thousand such places.

use object::Architecture;

use super::image::{Image, Section, Symbol};
use super::immediates;

/// Bytes of a displacement.
const DISPLACEMENT: usize = 4;

/// Bytes of an unnamed constant that are compared: a double. What is longer is longer than that.
const CONSTANT: usize = 8;

/// Bytes of an address in data.
const POINTER: usize = 8;

/// A place in code or data that holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// Offset of the address in the function or object.
    pub offset: usize,
    /// Number of bytes that hold it.
    pub width: usize,
    /// What it leads to.
    pub target: u64,
}

impl Reference {
    /// Offset of the byte behind it.
    pub fn end(&self) -> usize {
        self.offset + self.width
    }
}

/// Whether addresses are told from code on this processor.
pub(super) fn known(processor: Architecture) -> bool {
    processor == Architecture::X86_64
}

/// The addresses in a function or data object, in order.
pub(super) fn of(symbol: &Symbol<'_>, image: &Image<'_>) -> Vec<Reference> {
    match symbol.function {
        true => in_code(symbol, image),
        false => in_data(symbol, image),
    }
}

/// The addresses that the loader writes into a data object, however it finds them in the file.
fn in_data(object: &Symbol<'_>, image: &Image<'_>) -> Vec<Reference> {
    let end = object.address.saturating_add(object.size);
    let pointers = image.pointers.range(object.address..end);
    let reference = |(at, target): (&u64, &u64)| {
        let offset = usize::try_from(at.checked_sub(object.address)?).ok()?;
        Some(Reference {
            offset,
            width: POINTER,
            target: *target,
        })
    };
    pointers.filter_map(reference).collect()
}

fn in_code(function: &Symbol<'_>, image: &Image<'_>) -> Vec<Reference> {
    let mut references = Vec::new();
    if !known(image.processor) {
        return references;
    }
    let mut offset = 1;
    while offset + DISPLACEMENT <= function.bytes.len() {
        match reference(function, offset).filter(|found| leads_into(image, found.target)) {
            Some(found) => {
                references.push(found);
                offset += DISPLACEMENT + 1;
            }
            None => offset += 1,
        }
    }
    references
}

fn reference(function: &Symbol<'_>, offset: usize) -> Option<Reference> {
    let bytes = function.bytes;
    let opcode = *bytes.get(offset.checked_sub(1)?)?;
    let escape = offset.checked_sub(2).and_then(|at| bytes.get(at));
    let relative = opcode & 0xc7 == 0x05;
    let branch = matches!(opcode, 0xe8 | 0xe9);
    let conditional = opcode & 0xf0 == 0x80 && escape == Some(&0x0f);
    if !relative && !branch && !conditional {
        return None;
    }
    let end = offset.checked_add(DISPLACEMENT)?;
    let field: [u8; DISPLACEMENT] = bytes.get(offset..end)?.try_into().ok()?;
    let operand = match relative {
        true => immediates::after_displacement(bytes.get(..offset)?),
        false => 0,
    };
    let next = function.address.checked_add(u64::try_from(end).ok()?)?;
    let next = next.checked_add(operand)?;
    let target = next.checked_add_signed(i64::from(i32::from_le_bytes(field)))?;
    Some(Reference {
        offset,
        width: DISPLACEMENT,
        target,
    })
}

fn leads_into(image: &Image<'_>, target: u64) -> bool {
    image.section_at(target).is_some()
}

/// What two addresses lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// The same function, object, import, constant or place.
    Same,
    /// Constants without names, which differ.
    Constants,
    /// Different things.
    Different,
}

/// Where an address stands: the library, the function or object, and the address.
type Place<'a, 'b> = (&'b Image<'a>, &'b Symbol<'a>, &'b Reference);

/// Whether two addresses lead to the same, in functions that are taken for one.
pub(super) fn agree(before: Place<'_, '_>, after: Place<'_, '_>) -> Agreement {
    let (old, new) = (meaning(before), meaning(after));
    if let (Meaning::Constant(old), Meaning::Constant(new)) = (old, new) {
        let equal = old.get(..CONSTANT).unwrap_or(old) == new.get(..CONSTANT).unwrap_or(new);
        return match equal || tables_agree((old, before), (new, after)) {
            true => Agreement::Same,
            false => Agreement::Constants,
        };
    }
    // Equal bytes that lead to different places are rather no address than two addresses that
    // differ by as much as their functions, unless they lead where calls do.
    let by_chance = bytes(before) == bytes(after) && !(old.begins() && new.begins());
    match old == new || by_chance {
        true => Agreement::Same,
        false => Agreement::Different,
    }
}

fn bytes<'a>((_, symbol, reference): Place<'a, '_>) -> Option<&'a [u8]> {
    symbol.bytes.get(reference.offset..reference.end())
}

/// What an address means, apart from its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning<'a> {
    /// A place in the function that holds the address.
    Inside(u64),
    /// A place in something that has a name.
    Named(&'a str, u64),
    /// Something in another library.
    Import(&'a str),
    /// Read-only bytes without a name, from there on.
    Constant(&'a [u8]),
    /// Somewhere in a section that is written to or filled by the loader: by its name only,
    /// because what is before it in there may have grown.
    In(&'a str),
    /// Nowhere.
    Nowhere,
}

impl Meaning<'_> {
    /// Whether it is the beginning of something that has a name.
    fn begins(self) -> bool {
        matches!(self, Meaning::Named(_, 0) | Meaning::Import(_))
    }
}

fn meaning<'a>((image, own, reference): Place<'a, '_>) -> Meaning<'a> {
    let target = reference.target;
    let within = target.wrapping_sub(own.address);
    if within < own.size {
        return Meaning::Inside(within);
    }
    if let Some(symbol) = image.symbol_at(target) {
        return Meaning::Named(symbol.name, target - symbol.address);
    }
    if let Some(name) = image.slots.get(&target) {
        return Meaning::Import(name);
    }
    let Some(section) = image.section_at(target) else {
        return Meaning::Nowhere;
    };
    if let Some(name) = stub(image, section, target) {
        return Meaning::Import(name);
    }
    match section.kind {
        object::SectionKind::ReadOnlyData | object::SectionKind::ReadOnlyString => {
            Meaning::Constant(section.bytes_at(target).unwrap_or_default())
        }
        _ => Meaning::In(section.name),
    }
}

/// The import behind a stub of the procedure linkage table: a jump through the slot that the
/// loader fills.
fn stub<'a>(image: &Image<'a>, section: &Section<'a>, target: u64) -> Option<&'a str> {
    const STUB: usize = 16;
    if !section.name.starts_with(".plt") {
        return None;
    }
    let bytes = section.bytes_at(target)?;
    let bytes = bytes.get(..STUB).unwrap_or(bytes);
    let at = bytes.windows(2).position(|pair| pair == [0xff, 0x25])?;
    let field: [u8; DISPLACEMENT] = bytes.get(at + 2..at + 6)?.try_into().ok()?;
    let next = target.checked_add(u64::try_from(at + 6).ok()?)?;
    let slot = next.checked_add_signed(i64::from(i32::from_le_bytes(field)))?;
    image.slots.get(&slot).copied()
}

/// Whether two tables of jumps lead to the same places of their functions.
fn tables_agree(old: (&[u8], Place<'_, '_>), new: (&[u8], Place<'_, '_>)) -> bool {
    // A table ends where an entry leads out of the function, in the one or the other.
    for number in 0..old.0.len() / DISPLACEMENT {
        match (entry(old, number), entry(new, number)) {
            (Some(old), Some(new)) if old == new => {}
            (Some(_), Some(_)) => return false,
            (None, _) | (_, None) => return number > 0,
        }
    }
    true
}

/// Offset in the function that an entry of a table leads to: entries are distances from the table.
fn entry((bytes, (_, own, table)): (&[u8], Place<'_, '_>), number: usize) -> Option<u64> {
    let from = number.checked_mul(DISPLACEMENT)?;
    let field = bytes.get(from..from.checked_add(DISPLACEMENT)?)?;
    let distance = i32::from_le_bytes(field.try_into().ok()?);
    let target = table.target.checked_add_signed(i64::from(distance))?;
    let within = target.checked_sub(own.address)?;
    (within < own.size).then_some(within)
}
