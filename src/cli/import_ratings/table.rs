use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context as _;
use csv::{ReaderBuilder, StringRecord, Trim};
use serde::Serialize;

use super::columns::{Columns, is_heading};
use super::values::NumericIds;
use crate::cli::import::lines::is_standard_input;
use crate::domain::PlayerId;

/// UTF-8 byte order mark, which some programs put at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const UTF_16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) id: PlayerId,
    pub(super) rating: f64,
    #[serde(skip)]
    pub(super) rounds: Option<u64>,
}

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
    if UTF_16_MARKS.iter().any(|mark| text.starts_with(mark)) {
        let problem = "the file is in UTF-16; save the table in UTF-8".to_owned();
        return Err(vec![Bad { line: 1, problem }]);
    }
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut lines = (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .filter(|(_, text)| !text.trim_ascii().is_empty())
        .peekable();
    let separator = lines.peek().map_or(b',', |(_, first)| separator(first));
    let mut columns = None;
    let mut players: HashMap<PlayerId, u64> = HashMap::new();
    let (mut rows, mut bad) = (Vec::new(), Vec::new());
    let mut numeric_ids = NumericIds::default();
    for (line, text) in lines {
        let Some(record) = record(text, separator) else {
            let problem = "the line is not valid UTF-8; save the table as UTF-8".to_owned();
            bad.push(Bad { line, problem });
            continue;
        };
        if columns.is_none() && is_heading(&record) {
            match Columns::named(&record) {
                Ok(found) => columns = Some(found),
                // Without known columns, no other line can be read.
                Err(problem) => return Err(vec![Bad { line, problem }]),
            }
            continue;
        }
        let found = *columns.get_or_insert_default();
        numeric_ids.add(line, record.get(found.id).unwrap_or_default());
        match found.row(line, &record) {
            Ok(row) => match players.insert(row.id, line) {
                Some(before) => bad.push(row.bad(&format!(
                    "the player is already on line {before}; keep only one of the two lines"
                ))),
                None => rows.push(row),
            },
            Err(problem) => bad.push(Bad { line, problem }),
        }
    }
    // Rounded ids are the cause of the errors in single lines.
    if let Some(rounded) = numeric_ids.rounded() {
        return Err(vec![rounded]);
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

/// Returns the separator of a table's columns: the most frequent of comma, semicolon and tab in `line`, outside quotes.
/// The comma loses ties, because it may be a decimal comma.
fn separator(line: &[u8]) -> u8 {
    let count = |separator: u8| {
        let (mut count, mut is_quoted) = (0, false);
        for byte in line {
            is_quoted ^= *byte == b'"';
            count += usize::from(*byte == separator && !is_quoted);
        }
        count
    };
    let separators = [b',', b';', b'\t'].into_iter();
    separators.max_by_key(|one| count(*one)).unwrap_or(b',')
}

fn record(line: &[u8], separator: u8) -> Option<StringRecord> {
    ReaderBuilder::new()
        .has_headers(false)
        .delimiter(separator)
        .trim(Trim::All)
        .buffer_capacity(line.len())
        .from_reader(line)
        .into_records()
        .next()?
        .ok()
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
            "[U:1:1];1700,5;40\n[U:1:2];-3\n",
            "SteamID\tskill\tgames\n[U:1:1]\t1700,50\t40\n[U:1:2]\t-3\t\t\n",
            "lastName;uniqueId;\"Skill\";games\nDuke, the;1:0;1700,5;40\nx;0:1;-3\n",
            "id,steam_id 64,Elo,Rounds\n7,[U:1:1],\"1700,5\",40\n8,[U:1:2],-3,,\n",
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
            (3, "the rating \"high\" is not a number"),
            (4, "has no rating"),
            (5, "must be a whole number, but is \"many\""),
            (7, "is already on line 1"),
            (8, "\"inf\" is not a number"),
        ]) {
            assert!(bad.line == line && bad.problem.contains(part), "{bad:?}");
        }
        assert_eq!(bad.len(), 6);
        let binary = rows(b"[U:1:1],17\n\xff,5\n").unwrap_err();
        assert_eq!((binary[0].line, binary.len()), (2, 1));
    }

    #[test]
    fn what_a_program_did_to_a_table_is_named() {
        let refusal = |text: &[u8]| {
            let mut bad = rows(text).unwrap_err();
            assert_eq!(bad.len(), 1, "{bad:?}");
            bad.remove(0)
        };
        for (text, line, part) in [
            (
                "player,level\n[U:1:1],1700\n",
                1,
                "for the ids, only these: player, level",
            ),
            (
                "id|rating\n[U:1:1]|1700\n",
                1,
                "for the ids, only these: id|rating",
            ),
            (
                "steamid;lastName\n[U:1:1];x\n",
                1,
                "no column for the ratings",
            ),
            (
                "id,rating,Rating\n[U:1:1],1,2\n",
                1,
                "the columns rating and Rating",
            ),
            (
                "SteamID,steamid64,skill\n[U:1:1],x,2\n",
                1,
                "the columns SteamID and steamid64",
            ),
            (
                "id,rating\n[U:1:1],1712,5\n",
                2,
                "has 3 values for 2 columns",
            ),
            ("[U:1:1],1712,5,240\n", 1, "has 4 values for 3 columns"),
            ("[U:1:1];1,712;240\n", 1, "comma between thousands"),
            ("[U:1:1];1.712,5;240\n", 1, "comma between thousands"),
            (
                "id,rating\n7.65612E+16,1700\n[U:1:2],1\n",
                2,
                "a program has rounded",
            ),
            ("id;rating\n7,65612E+16;1700\n", 2, "a program has rounded"),
            (
                "name,id,rating\nx,[U:1:1],1\ny,76561197960265730,1\nz,76561197960265730,2\nz,76561197960265740,2\n",
                3,
                "all 3 numeric ids end in 0",
            ),
        ] {
            let Bad {
                line: found,
                problem,
            } = refusal(text.as_bytes());
            assert!(
                found == line && problem.contains(part),
                "{text}: {found}: {problem}"
            );
        }
        let wide: Vec<u8> = "\u{feff}id"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(refusal(&wide).problem.contains("UTF-16"));
        assert_eq!(
            read("76561197960265730,1\n[U:1:1],0,5\n").len(),
            2,
            "one id may end in 0"
        );
    }
}
