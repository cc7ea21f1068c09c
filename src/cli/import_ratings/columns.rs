//! Which column of a table holds what.

use csv::StringRecord;

use super::table::Row;
use super::values::{number, player};

/// Where the columns stand, from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) id: usize,
    rating: usize,
    rounds: Option<usize>,
    /// How many there are.
    count: usize,
}

/// What a column may be named, in lower case and without anything but letters and digits. A name of an earlier list is
/// preferred to one of a later.
struct Known {
    holds: &'static str,
    name: &'static str,
    lists: [&'static [&'static str]; 2],
}

const IDS: Known = Known {
    holds: "ids",
    name: "id",
    lists: [
        &[
            "steamid",
            "steamid64",
            "steamid2",
            "steamid3",
            "steam64",
            "steam",
        ],
        &["id", "uniqueid", "authid", "communityid"],
    ],
};
const RATINGS: Known = Known {
    holds: "ratings",
    name: "rating",
    lists: [&["rating"], &["skill", "elo", "mmr", "points"]],
};
const ROUNDS: Known = Known {
    holds: "rounds",
    name: "rounds",
    lists: [&["rounds"], &["games", "matches", "played"]],
};

impl Known {
    fn has(&self, heading: &str) -> bool {
        self.lists.concat().contains(&plain(heading).as_str())
    }

    /// The place of the one column with such a name.
    fn find(&self, headings: &StringRecord) -> Result<Option<usize>, String> {
        for names in self.lists {
            let mut found = headings
                .iter()
                .enumerate()
                .filter(|(_, heading)| names.contains(&plain(heading).as_str()));
            match (found.next(), found.next()) {
                (Some((place, _)), None) => return Ok(Some(place)),
                (Some((_, one)), Some((_, other))) => {
                    return Err(format!(
                        "the columns {one} and {other} may both hold the {}; keep one",
                        self.holds
                    ));
                }
                (None, _) => {}
            }
        }
        Ok(None)
    }

    fn must_find(&self, headings: &StringRecord) -> Result<usize, String> {
        self.find(headings)?.ok_or_else(|| {
            let given: Vec<&str> = headings.iter().collect();
            format!(
                "this line names columns, and none that holds the {}: {}; name that column {}, and separate columns by \
                 commas, semicolons or tabs",
                self.holds,
                given.join(", "),
                self.name
            )
        })
    }
}

/// A heading as [`Known`] has it.
fn plain(heading: &str) -> String {
    let letters = heading.chars().filter(|one| one.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl Default for Columns {
    /// Of a table that does not name them.
    fn default() -> Self {
        Self {
            id: 0,
            rating: 1,
            rounds: Some(2),
            count: 3,
        }
    }
}

impl Columns {
    /// As a line of headings names them.
    pub(super) fn named(headings: &StringRecord) -> Result<Self, String> {
        Ok(Self {
            id: IDS.must_find(headings)?,
            rating: RATINGS.must_find(headings)?,
            rounds: ROUNDS.find(headings)?,
            count: headings.len(),
        })
    }

    pub(super) fn row(self, line: u64, record: &StringRecord) -> Result<Row, String> {
        if record
            .iter()
            .skip(self.count)
            .any(|field| !field.is_empty())
        {
            return Err(format!(
                "has {} values for {} columns; write decimals with a point, or separate the columns by semicolons",
                record.len(),
                self.count
            ));
        }
        let field = |place: usize| record.get(place).filter(|field| !field.is_empty());
        let rating =
            field(self.rating).ok_or("has no rating; write id,rating or id,rating,rounds")?;
        let rounds = self.rounds.and_then(field).map(|rounds| {
            let number: Result<u64, _> = rounds.parse();
            number.map_err(|_| format!("the rounds \"{rounds}\" are no whole number"))
        });
        Ok(Row {
            line,
            id: player(field(self.id).ok_or("has no id")?)?,
            rating: number(rating).map_err(|problem| format!("the rating {problem}"))?,
            rounds: rounds.transpose()?,
        })
    }
}

/// Whether a first line names columns: it has a name that is known, or neither an id nor a number.
pub(super) fn is_heading(record: &StringRecord) -> bool {
    let is_known = |field: &str| [IDS, RATINGS, ROUNDS].iter().any(|known| known.has(field));
    let is_value = |field: &str| player(field).is_ok() || number(field).is_ok();
    record.iter().any(is_known) || !record.iter().any(is_value)
}
