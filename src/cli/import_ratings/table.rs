use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context as _;
use csv::{ReaderBuilder, StringRecord, Trim};

use crate::cli::import::lines::is_standard_input;
use crate::domain::PlayerId;

/// What some programs begin a file in UTF-8 with.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A player of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    line: u64,
    pub(super) id: PlayerId,
    pub(super) rating: f64,
    pub(super) rounds: Option<u64>,
}

/// A line that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bad {
    pub(super) line: u64,
    pub(super) problem: String,
}

impl Row {
    pub(super) fn bad(&self, problem: &str) -> Bad {
        Bad {
            line: self.line,
            problem: problem.to_owned(),
        }
    }
}

/// Where the columns stand, from 0.
#[derive(Clone, Copy, Debug)]
struct Columns {
    id: usize,
    rating: usize,
    rounds: Option<usize>,
}

/// The rows of a table, or everything that is wrong with it.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn read(file: &Path) -> anyhow::Result<Result<Vec<Row>, Vec<Bad>>> {
    let mut text = Vec::new();
    let read = if is_standard_input(file) {
        io::stdin().lock().read_to_end(&mut text)
    } else {
        File::open(file).and_then(|mut file| file.read_to_end(&mut text))
    };
    read.with_context(|| format!("{}: the file cannot be read", file.display()))?;
    Ok(rows(&text))
}

fn rows(text: &[u8]) -> Result<Vec<Row>, Vec<Bad>> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut columns = None;
    let mut lines: HashMap<PlayerId, u64> = HashMap::new();
    let (mut rows, mut bad) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let Some(record) = record(text) else {
            let problem = "is no line of values in UTF-8; save the table as that".to_owned();
            bad.push(Bad { line, problem });
            continue;
        };
        let is_heading = record
            .iter()
            .any(|field| field.eq_ignore_ascii_case("rating"));
        if columns.is_none() && is_heading {
            match Columns::named(&record) {
                Ok(found) => columns = Some(found),
                // Without its columns no other line can be read.
                Err(problem) => return Err(vec![Bad { line, problem }]),
            }
            continue;
        }
        let found = *columns.get_or_insert(Columns {
            id: 0,
            rating: 1,
            rounds: Some(2),
        });
        match found.row(line, &record) {
            Ok(row) => match lines.insert(row.id, line) {
                Some(before) => bad.push(row.bad(&format!(
                    "the player stands in line {before} already; keep one"
                ))),
                None => rows.push(row),
            },
            Err(problem) => bad.push(Bad { line, problem }),
        }
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

/// The values of a line; `None` where they are no text.
fn record(line: &[u8]) -> Option<StringRecord> {
    let mut reader = ReaderBuilder::new();
    let reader = reader
        .has_headers(false)
        .trim(Trim::All)
        .buffer_capacity(line.len());
    reader.from_reader(line).into_records().next()?.ok()
}

impl Columns {
    /// As a line of headings names them.
    fn named(headings: &StringRecord) -> Result<Self, String> {
        let find = |name: &str| {
            let mut places = headings.iter().enumerate();
            let found = places.find(|(_, heading)| heading.eq_ignore_ascii_case(name));
            found.map(|(place, _)| place)
        };
        let of = |name: &str| {
            find(name).ok_or_else(|| {
                format!("no column is named {name}; name the columns id, rating and rounds")
            })
        };
        Ok(Self {
            id: of("id")?,
            rating: of("rating")?,
            rounds: find("rounds"),
        })
    }

    fn row(self, line: u64, record: &StringRecord) -> Result<Row, String> {
        let field = |place: usize| record.get(place).filter(|field| !field.is_empty());
        let id = field(self.id).ok_or("has no id")?;
        let id = id
            .parse()
            .map_err(|error| format!("the id \"{id}\" {error}"))?;
        let rating =
            field(self.rating).ok_or("has no rating; write id,rating or id,rating,rounds")?;
        let number: Option<f64> = rating.parse().ok();
        let number = number.filter(|rating| rating.is_finite());
        let rounds = self.rounds.and_then(field).map(|rounds| {
            let number: Result<u64, _> = rounds.parse();
            number.map_err(|_| format!("the rounds \"{rounds}\" are no whole number"))
        });
        Ok(Row {
            line,
            id,
            rating: number.ok_or_else(|| format!("the rating \"{rating}\" is no number"))?,
            rounds: rounds.transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(u64, f64, Option<u64>)> {
        let rows = rows(text.as_bytes()).unwrap();
        let account = |row: &Row| row.id.steam_id64() - 76_561_197_960_265_728;
        rows.iter()
            .map(|row| (account(row), row.rating, row.rounds))
            .collect()
    }

    #[test]
    fn columns_stand_in_their_order_or_where_a_heading_says() {
        let expected = [(1, 1700.5, Some(40)), (2, -3.0, None)];
        for text in [
            "[U:1:1],1700.5,40\n[U:1:2],-3\n",
            "id,rating,rounds\r\n[U:1:1], 1700.5 ,40\r\n\r\n\"[U:1:2]\",-3,\r\n",
            "\u{feff}Name,ROUNDS,Rating,Id\n\"Duke, the\",40,1700.5,76561197960265729\nx,,-3,STEAM_0:0:1\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read(""), []);
        assert_eq!(read("id,rating\n"), []);
    }

    #[test]
    fn every_bad_line_is_named_by_its_number() {
        let text = "[U:1:1],1700\nrobot,5\n[U:1:3],high\n[U:1:4]\n[U:1:5],1,many\n\n[U:1:1],2\n[U:1:7],inf\n";
        let bad = rows(text.as_bytes()).unwrap_err();
        for (bad, (line, part)) in bad.iter().zip([
            (2, "the id \"robot\" "),
            (3, "the rating \"high\" is no number"),
            (4, "has no rating"),
            (5, "the rounds \"many\""),
            (7, "stands in line 1 already"),
            (8, "\"inf\" is no number"),
        ]) {
            assert!(bad.line == line && bad.problem.contains(part), "{bad:?}");
        }
        assert_eq!(bad.len(), 6);
        let unnamed = rows(b"steam,rating\n[U:1:1],1700\n").unwrap_err();
        assert!(
            unnamed[0].problem.contains("no column is named id"),
            "{unnamed:?}"
        );
        let binary = rows(b"[U:1:1],17\n\xff,5\n").unwrap_err();
        assert_eq!((binary[0].line, binary.len()), (2, 1));
    }
}
