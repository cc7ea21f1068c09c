//! What a backup is: lines of JSON, compressed with gzip. The first says when it was made and by what; then
//! comes, for each table, a line with its columns and one for each of its rows, a list of values, in which
//! binary content is in hexadecimal. The last line counts the rows and has the SHA-256 of everything before.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, ensure};
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::domain::{Timestamp, hexadecimal};
use crate::store::{Cell, Column, ColumnKind, Table};

/// The form that this program writes, and the only one that it reads.
const FORM: u32 = 1;

/// Longest line, in bytes, far above that of any row. It bounds the memory that reading a line takes.
const MAX_LINE: u64 = 32 * 1024 * 1024;

/// What a backup says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::cli) struct Header {
    /// The form of what follows.
    rbs_backup: u32,
    /// When it was begun. What was acknowledged before is in it.
    pub(in crate::cli) at: Timestamp,
    /// The version of RBS that made it.
    pub(in crate::cli) version: String,
    /// The newest migration of the database that it is of.
    pub(in crate::cli) migration: i64,
}

impl Header {
    /// That of a backup that begins now.
    pub(super) fn new(at: Timestamp, migration: i64) -> Self {
        Self {
            rbs_backup: FORM,
            at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            migration,
        }
    }
}

/// How many rows of each table a backup has.
pub(in crate::cli) type RowCounts = BTreeMap<String, u64>;

/// Begins a table.
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

/// Writes a backup.
pub(super) struct Writer<Output> {
    output: Output,
    hasher: Sha256,
    counts: RowCounts,
    table: String,
}

impl<Output: Write> Writer<Output> {
    /// Begins one.
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

    /// Begins a table, whose rows are written next.
    pub(super) fn begin_table(&mut self, table: &Table) -> anyhow::Result<()> {
        table.name.clone_into(&mut self.table);
        self.counts.insert(self.table.clone(), 0);
        self.write(&Section {
            table: self.table.clone(),
            columns: table.columns.clone(),
        })
    }

    /// Writes rows of the table.
    pub(super) fn rows(&mut self, rows: &[Vec<Cell>]) -> anyhow::Result<()> {
        for row in rows {
            let values: anyhow::Result<Vec<Value>> = row.iter().map(value).collect();
            let values = values.with_context(|| format!("a row of {}", self.table))?;
            self.write(&values)?;
        }
        *self.counts.entry(self.table.clone()).or_default() += rows.len() as u64;
        Ok(())
    }

    /// How many rows are written.
    pub(super) fn written(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Writes the last line; answers where all of it went to, and what it was.
    pub(super) fn finish(mut self) -> anyhow::Result<(Output, RowCounts)> {
        let end = End {
            rows: self.written(),
            sha256: hexadecimal(&self.hasher.clone().finalize()),
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

/// The next thing in a backup.
pub(super) enum Part {
    /// A table begins.
    Table(Section),
    /// A row of it, and the bytes of its line.
    Row(Vec<Value>, usize),
}

/// Reads a backup, and makes sure that it is whole.
pub(super) struct Reader {
    lines: BufReader<MultiGzDecoder<BufReader<File>>>,
    hasher: Sha256,
    header: Header,
    rows: u64,
    number: u64,
}

impl Reader {
    /// Opens the backup at `path`.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path).context("it cannot be read")?;
        let mut reader = Self {
            lines: BufReader::new(MultiGzDecoder::new(BufReader::new(file))),
            hasher: Sha256::new(),
            header: Header::new(Timestamp::UNIX_EPOCH, 0),
            rows: 0,
            number: 0,
        };
        // Whatever cannot be understood is not the beginning of one.
        let first = reader.line();
        let header = first.and_then(|line| Ok(serde_json::from_slice(&line)?));
        reader.header =
            header.map_err(|error| anyhow!("it is no backup that `rbs backup` made: {error}"))?;
        ensure!(
            reader.header.rbs_backup == FORM,
            "it was made by a newer version of RBS ({}); use that version",
            reader.header.version
        );
        Ok(reader)
    }

    /// What it says of itself.
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The next thing; `None` at its end, once it is certain that nothing is missing and nothing was changed.
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
            end.rows == self.rows && end.sha256 == hexadecimal(&so_far.finalize()),
            "it holds something else than what was written: its SHA-256 differs; use another backup"
        );
        ensure!(
            self.lines.fill_buf().is_ok_and(<[u8]>::is_empty),
            "something stands behind its end; use another backup"
        );
        Ok(None)
    }

    fn line(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut lines = self.lines.by_ref().take(MAX_LINE + 1);
        lines
            .read_until(b'\n', &mut line)
            .context("it cannot be read to its end; get it whole, or use another backup")?;
        ensure!(
            line.len() as u64 <= MAX_LINE,
            "its line {} is over {MAX_LINE} bytes, which no backup has; use another backup",
            self.number + 1
        );
        ensure!(
            line.last() == Some(&b'\n'),
            "it is cut off; get it whole, or use another backup"
        );
        self.hasher.update(&line);
        self.number += 1;
        Ok(line)
    }
}

/// Reads a backup to its end.
///
/// # Errors
/// Where it is not whole.
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
    read.with_context(|| format!("the backup {} is of no use", path.display()))
}

/// A value as JSON.
fn value(cell: &Cell) -> anyhow::Result<Value> {
    Ok(match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => (*number).into(),
        Cell::Real(number) => {
            let number = serde_json::Number::from_f64(*number);
            number.context("has a number that is none")?.into()
        }
        Cell::Text(text) => text.as_str().into(),
        Cell::Bytes(bytes) => hexadecimal(bytes).into(),
    })
}

/// The values of a row of these columns out of their JSON.
pub(super) fn cells(values: Vec<Value>, columns: &[Column]) -> anyhow::Result<Vec<Cell>> {
    ensure!(
        values.len() == columns.len(),
        "a row has {} values for {} columns",
        values.len(),
        columns.len()
    );
    let cell = |(value, column): (Value, &Column)| {
        let cell = match (column.kind, value) {
            (_, Value::Null) => Some(Cell::Null),
            (ColumnKind::Integer, value) => value.as_i64().map(Cell::Integer),
            (ColumnKind::Real, value) => value.as_f64().map(Cell::Real),
            (ColumnKind::Text, Value::String(text)) => Some(Cell::Text(text)),
            (ColumnKind::Bytes, Value::String(text)) => bytes(&text).map(Cell::Bytes),
            _ => None,
        };
        cell.with_context(|| format!("a row has no such value for {}", column.name))
    };
    values.into_iter().zip(columns).map(cell).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|digit| u8::try_from(digit.to_digit(16)?).ok())
        .collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}
