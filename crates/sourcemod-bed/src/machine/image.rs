//! A compiled plugin from `spcomp` of SourcePawn 1.11: its code, data and names.
//!
//! SourcePawn's `include/smx/smx-headers.h` and `smx-v1.h` define the layout.

use std::collections::HashMap;
use std::io::Read as _;

use flate2::read::ZlibDecoder;

/// Magic number `FFPS` at the start of every file.
const MAGIC: u32 = 0x5350_4646;
/// Code version of the 1.11 compiler. Version 1.13 has opcodes that the machine lacks.
const CODE_VERSION: u8 = 13;
/// Required features: direct arrays and heap scopes.
const FEATURES: u32 = 0b110;
/// Sizes of the file header, of a section table entry, and of a type table header.
const HEADER: usize = 24;
const SECTION: usize = 12;

/// A loaded plugin that does not run yet.
#[derive(Debug)]
pub struct Image {
    /// Opcodes and operands, one cell each.
    pub code: Vec<i32>,
    /// Initial data of the memory.
    pub data: Vec<u8>,
    /// Total bytes of memory: data, heap and stack.
    pub memory: usize,
    /// Names of the natives, by number.
    pub natives: Vec<String>,
    /// Public functions with their addresses. The function id is twice the index plus one.
    pub publics: Vec<(String, usize)>,
    /// Public variables with their addresses.
    pub variables: HashMap<String, i32>,
    functions: Vec<(usize, usize, String)>,
    lines: Vec<(usize, u32)>,
    files: Vec<(usize, String)>,
}

impl Image {
    /// Parses a file. Returns an error message if this machine cannot run the file.
    pub fn parse(file: &[u8]) -> Result<Self, String> {
        let bytes = expand(file)?;
        let sections = sections(&bytes)?;
        let names = Section::find(&bytes, &sections, ".names")?;
        let code = Section::find(&bytes, &sections, ".code")?;
        let (version, features) = (code.bytes[5], code.word(16));
        if version != CODE_VERSION || features != FEATURES {
            return Err(format!(
                "the code has version {version} and features {features:#b}; the machine runs that of \
                 SourcePawn 1.11, {CODE_VERSION} and {FEATURES:#b}"
            ));
        }
        let data = Section::find(&bytes, &sections, ".data")?;
        let start = data.word(8) as usize;
        let debug = Section::find(&bytes, &sections, ".dbg.info")?;
        let (file_count, line_count) = (debug.word(0) as usize, debug.word(4) as usize);
        let files = Section::find(&bytes, &sections, ".dbg.files")?;
        let lines = Section::find(&bytes, &sections, ".dbg.lines")?;
        let start_of_code = code.word(12) as usize;
        Ok(Self {
            code: code.bytes[start_of_code..start_of_code + code.word(0) as usize]
                .chunks_exact(4)
                .map(|cell| i32::from_le_bytes(cell.try_into().expect("four bytes")))
                .collect(),
            data: data.bytes[start..start + data.word(0) as usize].to_vec(),
            memory: data.word(4) as usize,
            natives: Section::find(&bytes, &sections, ".natives")?
                .rows(4)
                .map(|row| names.text(row.word(0)))
                .collect(),
            publics: Section::find(&bytes, &sections, ".publics")?
                .rows(8)
                .map(|row| (names.text(row.word(4)), row.word(0) as usize))
                .collect(),
            variables: Section::find(&bytes, &sections, ".pubvars")?
                .rows(8)
                .map(|row| (names.text(row.word(4)), row.word(0).cast_signed()))
                .collect(),
            functions: Section::find(&bytes, &sections, "rtti.methods")?
                .table()
                .map(|row| {
                    let (begins, ends) = (row.word(4) as usize, row.word(8) as usize);
                    (begins, ends, names.text(row.word(0)))
                })
                .collect(),
            lines: pairs(&lines, line_count),
            files: pairs(&files, file_count)
                .into_iter()
                .map(|(address, name)| (address, names.text(name)))
                .collect(),
        })
    }

    /// Id of a public function.
    pub fn public(&self, name: &str) -> Option<i32> {
        let place = self.publics.iter().position(|(known, _)| known == name)?;
        i32::try_from(place << 1 | 1).ok()
    }

    /// Name of a public function.
    pub fn public_name(&self, function: i32) -> &str {
        let place = usize::try_from(function >> 1).ok();
        let entry = place.and_then(|place| self.publics.get(place));
        entry.map_or("?", |(name, _)| name)
    }

    /// Function, file and line of a code address, for messages.
    pub fn place(&self, address: usize) -> String {
        let function = self
            .functions
            .iter()
            .find(|(begins, ends, _)| (*begins..*ends).contains(&address));
        let function = function.map_or("?", |(_, _, name)| name);
        let last = |count: usize| count.checked_sub(1);
        let line = last(self.lines.partition_point(|(at, _)| *at <= address));
        let file = last(self.files.partition_point(|(at, _)| *at <= address));
        let file = file.map_or("?", |file| {
            let path = &self.files[file].1;
            path.rsplit('/').next().unwrap_or(path)
        });
        // The file counts lines from 0.
        let line = line.map_or(0, |line| self.lines[line].1 + 1);
        format!("{function} ({file}:{line})")
    }
}

/// Decompresses the compressed part of the file.
fn expand(file: &[u8]) -> Result<Vec<u8>, String> {
    let header = Section { bytes: file };
    if file.len() < HEADER || header.word(0) != MAGIC {
        return Err("this is no compiled plugin".to_owned());
    }
    let (compressed, stored) = (file[6] == 1, header.word(7) as usize);
    let start = header.word(20) as usize;
    if !compressed {
        return Ok(file.to_vec());
    }
    let mut bytes = file[..start].to_vec();
    ZlibDecoder::new(&file[start..stored])
        .read_to_end(&mut bytes)
        .map_err(|error| format!("the compiled plugin is torn: {error}"))?;
    Ok(bytes)
}

/// Offset and size of each section, by name.
fn sections(bytes: &[u8]) -> Result<HashMap<String, (usize, usize)>, String> {
    let header = Section { bytes };
    let names = Section {
        bytes: &bytes[header.word(16) as usize..],
    };
    let count = bytes[15] as usize;
    let table = bytes
        .get(HEADER..HEADER + count * SECTION)
        .ok_or("the compiled plugin ends within its table of sections")?;
    let rows = Section { bytes: table };
    Ok(rows
        .rows(SECTION)
        .map(|row| {
            let place = (row.word(4) as usize, row.word(8) as usize);
            (names.text(row.word(0)), place)
        })
        .collect())
}

/// Rows of an address and a word, sorted by address.
fn pairs(section: &Section<'_>, count: usize) -> Vec<(usize, u32)> {
    let rows = section.rows(8).take(count);
    rows.map(|row| (row.word(0) as usize, row.word(4)))
        .collect()
}

/// A part of the file.
#[derive(Clone, Copy)]
struct Section<'a> {
    bytes: &'a [u8],
}

impl<'a> Section<'a> {
    fn find(
        bytes: &'a [u8],
        sections: &HashMap<String, (usize, usize)>,
        name: &str,
    ) -> Result<Self, String> {
        let (start, length) = sections
            .get(name)
            .ok_or_else(|| format!("the compiled plugin has no section {name}"))?;
        let bytes = bytes.get(*start..start + length);
        let bytes = bytes.ok_or_else(|| format!("the compiled plugin ends within {name}"))?;
        Ok(Self { bytes })
    }

    fn word(&self, at: usize) -> u32 {
        let bytes = self.bytes[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(bytes)
    }

    /// The NUL-terminated text at an offset.
    fn text(&self, at: u32) -> String {
        let bytes = &self.bytes[at as usize..];
        let end = bytes.iter().position(|byte| *byte == 0);
        String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]).into_owned()
    }

    fn rows(&self, size: usize) -> impl Iterator<Item = Section<'a>> + use<'a> {
        self.bytes.chunks_exact(size).map(|bytes| Self { bytes })
    }

    /// Rows of a table whose header gives its own size, the size of a row, and the number of rows.
    fn table(&self) -> impl Iterator<Item = Section<'a>> + use<'a> {
        let (header, size) = (self.word(0) as usize, self.word(4) as usize);
        let rows = Section {
            bytes: &self.bytes[header..],
        };
        rows.rows(size).take(self.word(8) as usize)
    }
}
