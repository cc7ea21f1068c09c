//! Format of a backup: lines of JSON, compressed with gzip. The first line contains the time and version of the backup.
//! For each table follows a line with its columns, and a line for each row. A row is a list of values, with binary
//! content in hexadecimal. The last line contains the number of rows and the SHA-256 of everything before.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, ensure};
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::domain::Timestamp;
use crate::store::{Cell, Column, ColumnKind, Table};

/// Version of the backup format that this program writes, and the only one that it reads.
const FORM: u32 = 1;

/// Maximum length of a line of a backup in bytes, far above the length of any row. Limits the memory for reading a
/// line.
const MAX_LINE: u64 = 32 * 1024 * 1024;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::cli) struct Header {
    rbs_backup: u32,
    pub(in crate::cli) at: Timestamp,
    pub(in crate::cli) version: String,
    pub(in crate::cli) migration: i64,
}

impl Header {
    pub(super) fn new(at: Timestamp, migration: i64) -> Self {
        Self {
            rbs_backup: FORM,
            at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            migration,
        }
    }
}

pub(in crate::cli) type RowCounts = BTreeMap<String, u64>;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) table: String,
    pub(super) columns: Vec<Column>,
}

#[derive(Serialize, Deserialize)]
struct End {
    rows: u64,
    sha256: String,
}

pub(super) struct Writer<Output> {
    output: Output,
    hasher: Sha256,
    counts: RowCounts,
    table: String,
}

impl<Output: Write> Writer<Output> {
    pub(super) fn begin(output: Output, header: &Header) -> anyhow::Result<Self> {
        let mut writer = Self {
            output,
            hasher: Sha256::new(),
            counts: RowCounts::new(),
            table: String::new(),
        };
        writer.write(header)?;
        Ok(writer)
    }

    /// Writes the line that begins a table of the backup; the table's rows must follow.
    pub(super) fn begin_table(&mut self, table: &Table) -> anyhow::Result<()> {
        table.name.clone_into(&mut self.table);
        self.counts.insert(self.table.clone(), 0);
        self.write(&Section {
            table: self.table.clone(),
            columns: table.columns.clone(),
        })
    }

    pub(super) fn rows(&mut self, rows: &[Vec<Cell>]) -> anyhow::Result<()> {
        for row in rows {
            let values: anyhow::Result<Vec<Value>> = row.iter().map(value).collect();
            let values = values.with_context(|| format!("a row of {}", self.table))?;
            self.write(&values)?;
        }
        *self.counts.entry(self.table.clone()).or_default() += rows.len() as u64;
        Ok(())
    }

    pub(super) fn written(&self) -> u64 {
        self.counts.values().sum()
    }

    pub(super) fn finish(mut self) -> anyhow::Result<(Output, RowCounts)> {
        let end = End {
            rows: self.written(),
            sha256: hex::encode(self.hasher.clone().finalize()),
        };
        self.write(&end)?;
        Ok((self.output, self.counts))
    }

    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        ensure!(
            text.len() as u64 <= MAX_LINE,
            "a line is over {MAX_LINE} bytes"
        );
        self.hasher.update(&text);
        Ok(self.output.write_all(&text)?)
    }
}

pub(super) enum Part {
    Table(Section),
    /// Row of the table that was read last, with the length of the row's line in bytes.
    Row(Vec<Value>, usize),
}

/// Reader of a backup, which verifies that the backup is complete.
pub(super) struct Reader {
    lines: BufReader<MultiGzDecoder<BufReader<File>>>,
    hasher: Sha256,
    pub(super) header: Header,
    rows: u64,
    number: u64,
}

impl Reader {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path).context("it cannot be read")?;
        let mut reader = Self {
            lines: BufReader::new(MultiGzDecoder::new(BufReader::new(file))),
            hasher: Sha256::new(),
            header: Header::new(Timestamp::UNIX_EPOCH, 0),
            rows: 0,
            number: 0,
        };
        // Any error in the first line means that the file is not a backup.
        let first = reader.line();
        let header = first.and_then(|line| Ok(serde_json::from_slice(&line)?));
        reader.header =
            header.map_err(|error| anyhow!("it is not a backup made by `rbs backup`: {error}"))?;
        ensure!(
            reader.header.rbs_backup == FORM,
            "it was made by a newer version of RBS ({}); use that version",
            reader.header.version
        );
        Ok(reader)
    }

    /// Returns the next table heading or row of the backup; `None` at the end, if the checksum is right and nothing
    /// follows.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Part>> {
        let so_far = self.hasher.clone();
        let line = self.line()?;
        let failed = || format!("its line {} cannot be understood", self.number);
        if line.first() == Some(&b'[') {
            self.rows += 1;
            let row = serde_json::from_slice(&line).with_context(failed)?;
            return Ok(Some(Part::Row(row, line.len())));
        }
        if let Ok(section) = serde_json::from_slice(&line) {
            return Ok(Some(Part::Table(section)));
        }
        let end: End = serde_json::from_slice(&line).with_context(failed)?;
        ensure!(
            end.rows == self.rows && end.sha256 == hex::encode(so_far.finalize()),
            "its content was damaged after it was written: the SHA-256 differs; use another backup"
        );
        ensure!(
            self.lines.fill_buf().is_ok_and(<[u8]>::is_empty),
            "it has data after its end; use another backup"
        );
        Ok(None)
    }

    fn line(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut lines = self.lines.by_ref().take(MAX_LINE + 1);
        lines
            .read_until(b'\n', &mut line)
            .context("it cannot be read to its end; copy it again, or use another backup")?;
        ensure!(
            line.len() as u64 <= MAX_LINE,
            "its line {} is over {MAX_LINE} bytes, longer than any line of a backup; use another backup",
            self.number + 1
        );
        ensure!(
            line.last() == Some(&b'\n'),
            "it is cut off; copy it again, or use another backup"
        );
        self.hasher.update(&line);
        self.number += 1;
        Ok(line)
    }
}

/// Reads a backup to its end, and returns its header and number of rows by table, if it is complete and undamaged.
pub(in crate::cli) fn verify(path: &Path) -> anyhow::Result<(Header, RowCounts)> {
    let read = || {
        let mut reader = Reader::open(path)?;
        let mut counts = RowCounts::new();
        let mut table = String::new();
        while let Some(part) = reader.next()? {
            match part {
                Part::Table(section) => {
                    table.clone_from(&section.table);
                    counts.insert(section.table, 0);
                }
                Part::Row(..) => *counts.entry(table.clone()).or_default() += 1,
            }
        }
        Ok((reader.header, counts))
    };
    let read: anyhow::Result<_> = read();
    read.with_context(|| format!("the backup {} cannot be used", path.display()))
}

fn value(cell: &Cell) -> anyhow::Result<Value> {
    Ok(match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => (*number).into(),
        Cell::Real(number) => {
            let number = serde_json::Number::from_f64(*number);
            number.context("has an invalid number")?.into()
        }
        Cell::Text(text) => text.as_str().into(),
        Cell::Bytes(bytes) => hex::encode(bytes).into(),
    })
}

pub(super) fn cells(values: Vec<Value>, columns: &[Column]) -> anyhow::Result<Vec<Cell>> {
    ensure!(
        values.len() == columns.len(),
        "a row has {} values, but the table has {} columns; use another backup",
        values.len(),
        columns.len()
    );
    let cell = |(value, column): (Value, &Column)| {
        let cell = match (column.kind, value) {
            (_, Value::Null) => Some(Cell::Null),
            (ColumnKind::Integer, value) => value.as_i64().map(Cell::Integer),
            (ColumnKind::Real, value) => value.as_f64().map(Cell::Real),
            (ColumnKind::Text, Value::String(text)) => Some(Cell::Text(text)),
            (ColumnKind::Bytes, Value::String(text)) => hex::decode(text).ok().map(Cell::Bytes),
            _ => None,
        };
        cell.with_context(|| {
            format!(
                "a row has an invalid value for {}; use another backup",
                column.name
            )
        })
    };
    values.into_iter().zip(columns).map(cell).collect()
}
