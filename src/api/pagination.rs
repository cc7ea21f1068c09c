//! Pagination of lists: page sizes and cursors.

use std::fmt;

use serde::Deserialize;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::json::bounded::Whole;
use super::schema::{AnyTime, impl_schema, steam_id64_pattern, whole_number_pattern};
use crate::domain::{PlayerId, Rating, Timestamp};

/// Maximum number of items per page: 1 to 500, by default 50.
pub type PageSize = Count<1, 500, 50>;

/// Number in a query string, from `MIN` to `MAX`, with a default.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Count<const MIN: u32, const MAX: u32, const DEFAULT: u32>(pub u32);

impl<const MIN: u32, const MAX: u32, const DEFAULT: u32> Default for Count<MIN, MAX, DEFAULT> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<const MIN: u32, const MAX: u32, const DEFAULT: u32> TryFrom<String>
    for Count<MIN, MAX, DEFAULT>
{
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number: Whole<MIN, MAX> = text.parse()?;
        Ok(Self(number.get()))
    }
}

/// Time in a query string: RFC 3339, or whole Unix seconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Moment(pub Timestamp);

impl TryFrom<String> for Moment {
    type Error = crate::domain::InvalidTimestamp;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Timestamp::from_text(&text).map(Self)
    }
}

/// Cursor of a page: position in the list of the previous page's last item, after which the page starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String", bound = "Place: Keyed")]
pub struct Cursor<Place>(pub Place);

/// Position in a list by time, after the item with this time and number. The number is a round's position in the pool's
/// log or an intervention's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlace(pub Timestamp, pub u64);

/// Position in the audit log, after the entry with this time and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPlace(pub Timestamp, pub String);

/// Position in a list of players by rating, after the player with this rating and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankPlace(pub Rating, pub PlayerId);

/// Position in a list, encoded in a cursor as a number, a dot, and a suffix that is unique for this number.
pub trait Keyed: Sized {
    /// Returns the number and the suffix that encode this position in a page cursor, such as a rating and a player id.
    fn key(&self) -> (i64, String);

    /// Parses the number and the suffix of a page cursor into a position in the paged list; `None` if they are invalid.
    fn of(number: i64, rest: &str) -> Option<Self>;
}

/// Returns a page of up to `limit` items, and the cursor of the next page. If there is a next page, `found` must have
/// one item more than `limit`.
pub fn page<Item, Place: Keyed>(
    mut found: Vec<Item>,
    limit: u32,
    place: impl Fn(&Item) -> Place,
) -> (Vec<Item>, Option<String>) {
    let is_last = found.len() <= limit as usize;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| !is_last);
    let next = last.map(|last| Cursor(place(last)).to_string());
    (found, next)
}

impl Keyed for TimePlace {
    fn key(&self) -> (i64, String) {
        (self.0.unix_micros(), self.1.to_string())
    }

    fn of(micros: i64, rest: &str) -> Option<Self> {
        let number: u64 = rest.parse().ok()?;
        i64::try_from(number).ok()?;
        Some(Self(Timestamp::from_unix_micros(micros).ok()?, number))
    }
}

impl Keyed for AuditPlace {
    fn key(&self) -> (i64, String) {
        (self.0.unix_micros(), self.1.clone())
    }

    fn of(micros: i64, rest: &str) -> Option<Self> {
        let time = Timestamp::from_unix_micros(micros).ok()?;
        let is_id =
            (1..=64).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_graphic());
        is_id.then(|| Self(time, rest.to_owned()))
    }
}

impl Keyed for RankPlace {
    fn key(&self) -> (i64, String) {
        (self.0.points().into(), self.1.to_string())
    }

    fn of(points: i64, rest: &str) -> Option<Self> {
        let rating = i32::try_from(points).ok().and_then(Rating::new)?;
        Some(Self(rating, rest.parse().ok()?))
    }
}

impl<Place: Keyed> fmt::Display for Cursor<Place> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, rest) = self.0.key();
        write!(formatter, "{number}.{rest}")
    }
}

impl<Place: Keyed> TryFrom<String> for Cursor<Place> {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let place = text
            .split_once('.')
            .and_then(|(number, rest)| Place::of(number.parse().ok()?, rest));
        place.map(Self).ok_or(
            "does not mark a place in this list; send the value of \"next\" from an earlier page",
        )
    }
}

impl_schema!(
    {const MIN: u32, const MAX: u32, const DEFAULT: u32} Count<MIN, MAX, DEFAULT>,
    "Count",
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(MIN))
        .maximum(Some(MAX))
        .default(Some(DEFAULT.into()))
);
impl_schema!(
    Moment,
    "AnyTime",
    <AnyTime as utoipa::PartialSchema>::schema()
);
impl_schema!(TimePlace, "TimePlace", {
    let numbers = whole_number_pattern(0, i64::MAX.unsigned_abs());
    cursor_schema(&micros_pattern(), &numbers)
});
impl_schema!(
    AuditPlace,
    "AuditPlace",
    cursor_schema(&micros_pattern(), "[!-~]{1,64}")
);
impl_schema!(RankPlace, "RankPlace", {
    let [lowest, highest] =
        [Rating::MIN, Rating::MAX].map(|end| end.points().unsigned_abs().into());
    let (below, above) = (
        whole_number_pattern(1, lowest),
        whole_number_pattern(0, highest),
    );
    cursor_schema(&format!("-({below})|{above}"), &steam_id64_pattern())
});

/// Returns the OpenAPI schema of a page cursor, from regular expressions for its number and its suffix.
fn cursor_schema(number: &str, rest: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(format!("^({number})\\.({rest})$")))
}

/// Returns a regular expression for times in the years 1 to 9999, in Unix microseconds.
fn micros_pattern() -> String {
    let before = whole_number_pattern(1, 62_135_596_800_000_000);
    let since = whole_number_pattern(0, 253_402_300_799_999_999);
    format!("-({before})|{since}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_and_nothing_else_is_one() {
        let time = Cursor(TimePlace(Timestamp::UNIX_EPOCH, 17));
        assert_eq!(time.to_string().try_into(), Ok(time));
        let audit = Cursor(AuditPlace(Timestamp::UNIX_EPOCH, "a.b".to_owned()));
        assert_eq!(audit.to_string().try_into(), Ok(audit));
        let player = "76561197960265729".parse().unwrap();
        let rank = Cursor(RankPlace(Rating::new(1500).unwrap(), player));
        assert_eq!(rank.to_string(), "1500.76561197960265729");
        assert_eq!(rank.to_string().try_into(), Ok(rank));
        for text in "-100001.76561197960265729 1500. 1500.0 4294968796.76561197960265729".split(' ')
        {
            assert!(
                Cursor::<RankPlace>::try_from(text.to_owned()).is_err(),
                "{text}"
            );
        }
        for text in " 1 1. x.1 1.-1 1.9223372036854775808 9e9.1".split(' ') {
            assert!(
                Cursor::<TimePlace>::try_from(text.to_owned()).is_err(),
                "{text}"
            );
        }
    }
}
