//! What of an ELF library is loaded, and what its parts are called.
//!
//! The file is not trusted: whatever lies outside of it is an error or is left out, and what is
//! kept is bounded.

use std::collections::BTreeMap;

use object::elf::SHF_ALLOC;
use object::{
    Architecture, File, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget,
    SectionFlags, SectionKind, SymbolKind,
};

/// Most sections of one library: linkers write some thirty.
const SECTIONS_MAX: usize = 4096;

/// Most symbols that are looked at in one library.
const SYMBOLS_MAX: usize = 1 << 20;

/// Most slots that the loader fills in one library.
const SLOTS_MAX: usize = 1 << 20;

/// A library as far as code and data go.
pub(super) struct Image<'a> {
    /// What it runs on.
    pub processor: Architecture,
    /// Loaded sections, in the order of the file.
    pub sections: Vec<Section<'a>>,
    /// Functions and data objects that it defines, by address. Two may share a name or a place.
    pub symbols: Vec<Symbol<'a>>,
    /// Names whose addresses the loader fills in, by the address of the slot.
    pub slots: BTreeMap<u64, &'a str>,
    /// Addresses of this library that the loader fills in, by the address of the slot.
    pub pointers: BTreeMap<u64, u64>,
    /// Whether the symbols are all that there were when it was linked, and not what is exported.
    pub whole: bool,
    /// Whether there are more symbols or slots than are looked at.
    pub truncated: bool,
}

/// A loaded section.
pub(super) struct Section<'a> {
    pub name: &'a str,
    pub address: u64,
    pub size: u64,
    pub kind: SectionKind,
    flags: SectionFlags,
    /// Its bytes in the file; empty where it begins as zeros.
    pub data: &'a [u8],
}

/// A function or a data object.
#[derive(Clone, Copy)]
pub(super) struct Symbol<'a> {
    pub name: &'a str,
    pub address: u64,
    /// Number of bytes, above zero.
    pub size: u64,
    pub function: bool,
    /// Index of its section in [`Image::sections`].
    pub section: usize,
    /// Its bytes in the file; empty where it begins as zeros.
    pub bytes: &'a [u8],
}

impl<'a> Section<'a> {
    /// Everything about it that does not depend on where it stands.
    pub fn content(&self) -> (u64, SectionKind, SectionFlags, &'a [u8]) {
        (self.size, self.kind, self.flags, self.data)
    }

    /// Its bytes from an address on; `None` where the address is not in it.
    pub fn bytes_at(&self, address: u64) -> Option<&'a [u8]> {
        let offset = usize::try_from(address.checked_sub(self.address)?).ok()?;
        self.data.get(offset..)
    }
}

impl<'a> Image<'a> {
    /// Reads a library; `Err` says what it is or has, as in `is not an ELF file`.
    pub fn read(file: &'a [u8]) -> Result<Image<'a>, String> {
        if u64::try_from(file.len()).is_ok_and(|length| length > super::LIBRARY_MAX) {
            return Err("is too large to be looked into".to_owned());
        }
        if !file.starts_with(b"\x7fELF") {
            return Err("is not an ELF file".to_owned());
        }
        let damaged = |error: object::Error| format!("is no sound ELF file ({error})");
        let file = File::parse(file).map_err(damaged)?;
        let mut sections = Vec::new();
        // Sections of the file by their number; sections that are not loaded are left out.
        let mut places = BTreeMap::new();
        for section in file.sections() {
            let flags = section.flags();
            let SectionFlags::Elf { sh_flags, .. } = flags else {
                continue;
            };
            if sh_flags.0 & SHF_ALLOC.0 == 0 {
                continue;
            }
            places.insert(section.index().0, sections.len());
            sections.push(Section {
                name: section.name().map_err(damaged)?,
                address: section.address(),
                size: section.size(),
                kind: section.kind(),
                flags,
                data: section.data().map_err(damaged)?,
            });
        }
        if sections.len() > SECTIONS_MAX {
            return Err("has more sections than are looked at".to_owned());
        }
        if sections.is_empty() {
            return Err("has no table of sections".to_owned());
        }
        let mut image = Image {
            processor: file.architecture(),
            sections,
            symbols: Vec::new(),
            slots: BTreeMap::new(),
            pointers: BTreeMap::new(),
            whole: false,
            truncated: false,
        };
        image.find_symbols(&file, &places);
        image.find_slots(&file);
        Ok(image)
    }

    /// Symbols of the whole table, or of what is exported where a library was stripped.
    fn find_symbols(&mut self, file: &File<'a>, places: &BTreeMap<usize, usize>) {
        self.whole = file.symbols().next().is_some();
        let symbols = match self.whole {
            true => file.symbols(),
            false => file.dynamic_symbols(),
        };
        for (count, symbol) in symbols.enumerate() {
            if count >= SYMBOLS_MAX {
                self.truncated = true;
                break;
            }
            let function = symbol.kind() == SymbolKind::Text;
            if !function && symbol.kind() != SymbolKind::Data {
                continue;
            }
            let place = symbol
                .section_index()
                .and_then(|index| places.get(&index.0));
            let (Some(&place), Ok(name)) = (place, symbol.name()) else {
                continue;
            };
            if let Some(symbol) = self.symbol(name, &symbol, function, place) {
                self.symbols.push(symbol);
            }
        }
        self.symbols
            .sort_by_key(|symbol| (symbol.address, symbol.name));
    }

    /// A symbol that lies wholly within its section.
    fn symbol(
        &self,
        name: &'a str,
        symbol: &impl ObjectSymbol<'a>,
        function: bool,
        place: usize,
    ) -> Option<Symbol<'a>> {
        let section = self.sections.get(place)?;
        let (address, size) = (symbol.address(), symbol.size());
        let offset = address.checked_sub(section.address)?;
        let inside = offset.checked_add(size)? <= section.size;
        if !inside || size == 0 || name.is_empty() {
            return None;
        }
        let range = usize::try_from(offset).ok()?..usize::try_from(offset + size).ok()?;
        Some(Symbol {
            name,
            address,
            size,
            function,
            section: place,
            bytes: section.data.get(range).unwrap_or_default(),
        })
    }

    /// What the loader writes where: the addresses of functions in other libraries.
    fn find_slots(&mut self, file: &File<'a>) {
        let (Some(relocations), Some(names)) =
            (file.dynamic_relocations(), file.dynamic_symbol_table())
        else {
            return;
        };
        for (count, (address, relocation)) in relocations.enumerate() {
            if count >= SLOTS_MAX {
                self.truncated = true;
                break;
            }
            match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let symbol = names.symbol_by_index(index);
                    if let Ok(name) = symbol.and_then(|symbol| symbol.name()) {
                        self.slots.insert(address, name);
                    }
                }
                RelocationTarget::Absolute => {
                    self.pointers
                        .insert(address, relocation.addend().cast_unsigned());
                }
                _ => {}
            }
        }
    }

    /// The section that an address lies in.
    pub fn section_at(&self, address: u64) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| {
            let offset = address.checked_sub(section.address);
            let tls = matches!(
                section.kind,
                SectionKind::Tls | SectionKind::UninitializedTls
            );
            !tls && offset.is_some_and(|offset| offset < section.size)
        })
    }

    /// The symbol that an address lies in: the last that begins at or before it.
    pub fn symbol_at(&self, address: u64) -> Option<&Symbol<'a>> {
        let after = self
            .symbols
            .partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols.get(after.checked_sub(1)?)?;
        // Of several at one place, the first by name stands for all.
        let first = self
            .symbols
            .partition_point(|other| other.address < symbol.address);
        let found = self.symbols.get(first)?;
        (address - found.address < found.size).then_some(found)
    }
}
