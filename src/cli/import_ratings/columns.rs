use csv::StringRecord;

use super::table::Row;
use super::values::{number, player};

/// Indices of the columns of an imported file of players' ratings, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) id: usize,
    rating: usize,
    rounds: Option<usize>,
    count: usize,
}

/// Headings by which a column of an imported file of ratings is recognized, in lower case and reduced to letters and
/// digits. Headings of the first list take precedence over those of the second.
struct KnownColumn {
    holds: &'static str,
    name: &'static str,
    lists: [&'static str; 2],
}

const IDS: KnownColumn = KnownColumn {
    holds: "ids",
    name: "id",
    lists: [
        "steamid steamid64 steamid2 steamid3 steam64 steam",
        "id uniqueid authid communityid",
    ],
};
const RATINGS: KnownColumn = KnownColumn {
    holds: "ratings",
    name: "rating",
    lists: ["rating", "skill elo mmr points"],
};
const ROUNDS: KnownColumn = KnownColumn {
    holds: "rounds",
    name: "rounds",
    lists: ["rounds", "games matches played"],
};

impl KnownColumn {
    fn has(&self, heading: &str) -> bool {
        self.lists.iter().any(|names| is_among(heading, names))
    }

    /// Returns the index, from 0, of the column with a known heading. Returns an error if several columns have one.
    fn find(&self, headings: &StringRecord) -> Result<Option<usize>, String> {
        for names in self.lists {
            let mut found = headings
                .iter()
                .enumerate()
                .filter(|(_, heading)| is_among(heading, names));
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
                "the header has no column for the {}, only these: {}; give that column the heading \"{}\", and \
                 separate columns by commas, semicolons or tabs",
                self.holds,
                given.join(", "),
                self.name
            )
        })
    }
}

fn is_among(heading: &str, names: &str) -> bool {
    let letters = heading.chars().filter(|one| one.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    names.split(' ').any(|name| name == plain)
}

impl Default for Columns {
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
            number.map_err(|_| {
                format!("the number of rounds must be a whole number, but is \"{rounds}\"")
            })
        });
        Ok(Row {
            line,
            id: player(field(self.id).ok_or("has no id")?)?,
            rating: number(rating).map_err(|problem| format!("the rating {problem}"))?,
            rounds: rounds.transpose()?,
        })
    }
}

/// Returns `true` if the first line of an imported file of ratings contains headings: a known heading, or neither an id
/// nor a number.
pub(super) fn is_heading(record: &StringRecord) -> bool {
    let is_known = |field: &str| [IDS, RATINGS, ROUNDS].iter().any(|known| known.has(field));
    let is_value = |field: &str| player(field).is_ok() || number(field).is_ok();
    record.iter().any(is_known) || !record.iter().any(is_value)
}
