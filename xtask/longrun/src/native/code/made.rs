//! A writer of small ELF libraries for tests: what a linker leaves, byte by byte.
#![allow(clippy::unwrap_used)]

/// First address of `.text`.
pub const TEXT: u64 = 0x1000;

/// First address of `.rodata`.
pub const RODATA: u64 = 0x4000;

/// First address of `.longrun_identity`.
const IDENTITY: u64 = 0x8000;

/// Size of a header of a section in the file.
const HEADER: usize = 64;

/// A library of functions one behind the other.
#[derive(Clone)]
pub struct Library {
    /// Name and code of each function.
    pub functions: Vec<(&'static str, Vec<u8>)>,
    /// Constants without names.
    pub rodata: Vec<u8>,
    /// Content of the identity section.
    pub identity: &'static [u8],
    /// Content of a section that is not loaded.
    pub comment: &'static [u8],
    /// Number of the processor: 62 is x86-64, 183 is AArch64.
    pub machine: u16,
    /// Bytes that the table of symbols adds to each function.
    pub overlap: u64,
    /// Whether it has a table of symbols.
    pub symbols: bool,
}

/// One section on its way into the file.
struct Section {
    name: &'static str,
    kind: u32,
    flags: u64,
    address: u64,
    data: Vec<u8>,
    link: u32,
    entry: u64,
}

impl Section {
    fn of(name: &'static str, kind: u32, flags: u64, address: u64, data: Vec<u8>) -> Section {
        Section {
            name,
            kind,
            flags,
            address,
            data,
            link: 0,
            entry: 0,
        }
    }
}

impl Library {
    /// A library with these functions.
    pub fn of(functions: &[(&'static str, &[u8])]) -> Library {
        let owned = |(name, code): &(&'static str, &[u8])| (*name, code.to_vec());
        Library {
            functions: functions.iter().map(owned).collect(),
            rodata: vec![7; 64],
            identity: b"longrun-identity1",
            comment: b"compiler 1",
            machine: 62,
            overlap: 0,
            symbols: true,
        }
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut names = vec![0];
        let mut symbols = vec![0; 24];
        for (name, code) in &self.functions {
            symbols.extend(u32::try_from(names.len()).unwrap().to_le_bytes());
            // A global function (0x12) of section 1.
            symbols.extend([0x12, 0, 1, 0]);
            let address = TEXT + u64::try_from(text.len()).unwrap();
            symbols.extend(address.to_le_bytes());
            let size = self.overlap + u64::try_from(code.len()).unwrap();
            symbols.extend(size.to_le_bytes());
            names.extend(name.bytes().chain([0]));
            text.extend(code);
        }
        let mut table = Section::of(".symtab", 2, 0, 0, symbols);
        (table.link, table.entry) = (6, 24);
        let mut sections = vec![
            Section::of("", 0, 0, 0, Vec::new()),
            Section::of(".text", 1, 6, TEXT, text),
            Section::of(".rodata", 1, 2, RODATA, self.rodata.clone()),
            Section::of(".longrun_identity", 1, 2, IDENTITY, self.identity.to_vec()),
            Section::of(".comment", 1, 0, 0, self.comment.to_vec()),
        ];
        if self.symbols {
            sections.push(table);
            sections.push(Section::of(".strtab", 3, 0, 0, names));
        }
        written(self.machine, sections)
    }
}

/// A file: header, content of the sections, their names, their headers.
fn written(machine: u16, mut sections: Vec<Section>) -> Vec<u8> {
    let mut names = Vec::new();
    let mut name_offsets = Vec::new();
    for section in &sections {
        name_offsets.push(names.len());
        names.extend(section.name.bytes().chain([0]));
    }
    name_offsets.push(names.len());
    names.extend(b".shstrtab\0");
    sections.push(Section::of(".shstrtab", 3, 0, 0, names));
    let mut body: Vec<u8> = Vec::new();
    let mut headers = Vec::new();
    for (section, name) in sections.iter().zip(name_offsets) {
        let offset = u64::try_from(HEADER + body.len()).unwrap();
        let size = u64::try_from(section.data.len()).unwrap();
        headers.extend(u32::try_from(name).unwrap().to_le_bytes());
        headers.extend(section.kind.to_le_bytes());
        for number in [section.flags, section.address, offset, size] {
            headers.extend(number.to_le_bytes());
        }
        headers.extend(section.link.to_le_bytes());
        headers.extend(0_u32.to_le_bytes());
        headers.extend(1_u64.to_le_bytes());
        headers.extend(section.entry.to_le_bytes());
        body.extend(&section.data);
    }
    let count = u16::try_from(sections.len()).unwrap();
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    for short in [3, machine] {
        file.extend(short.to_le_bytes());
    }
    file.extend(1_u32.to_le_bytes());
    let headers_at = u64::try_from(HEADER + body.len()).unwrap();
    for long in [0, 0, headers_at] {
        file.extend(long.to_le_bytes());
    }
    file.extend(0_u32.to_le_bytes());
    for short in [64, 56, 0, 64, count, count - 1] {
        file.extend(u16::to_le_bytes(short));
    }
    file.extend(body);
    file.extend(headers);
    file
}

/// A call or jump from `TEXT + from` (the place of its opcode) to an address.
pub fn branch(opcode: u8, from: u64, target: u64) -> Vec<u8> {
    let distance = target.wrapping_sub(TEXT + from + 5).to_le_bytes();
    [&[opcode], &distance[..4]].concat()
}

/// `mulsd xmm0, [rip + x]` at `TEXT + from`, reading an address.
pub fn multiply(from: u64, target: u64) -> Vec<u8> {
    let distance = target.wrapping_sub(TEXT + from + 8).to_le_bytes();
    [&[0xf2, 0x0f, 0x59, 0x05], &distance[..4]].concat()
}
