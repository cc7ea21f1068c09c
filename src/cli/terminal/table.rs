//! Text tables with aligned columns, for printing to a terminal or file.

use std::fmt::Display;

use super::columns::{Cell, Column, Columns, Kind};
use super::screen::Tone;
use crate::domain::{Timestamp, is_unseen};

/// Text table to print, with a line of headings and one for each row. Columns are as wide as their content.
#[derive(Clone, Debug)]
pub struct Table<'rows, Row> {
    rows: &'rows [Row],
    columns: Columns,
}

impl<'rows, Row> Table<'rows, Row> {
    /// Creates a text table that prints one line for each of `rows`, without columns so far.
    pub fn new(rows: &'rows [Row]) -> Self {
        Self {
            rows,
            columns: Columns::default(),
        }
    }

    /// Adds a left-aligned column of words, which are never cut, to the text table. `{:#}` formats a cell for programs.
    #[must_use]
    pub fn left<Of: Display>(self, heading: &str, cell: impl Fn(&'rows Row) -> Of) -> Self {
        self.column(Kind::Left, heading, |row| Cell::text(&cell(row)))
    }

    /// Adds a column of words to the text table, cut if the terminal is too narrow for the row. Use for names and
    /// reasons, not for text to copy into another command.
    #[must_use]
    pub fn elastic<Of: Display>(self, heading: &str, cell: impl Fn(&'rows Row) -> Of) -> Self {
        self.column(Kind::Elastic, heading, |row| Cell::text(&cell(row)))
    }

    /// Adds sentences to the text table that are printed below their rows, in as many lines as needed.
    #[must_use]
    pub fn below<Of: Display>(self, heading: &str, cell: impl Fn(&'rows Row) -> Of) -> Self {
        self.column(Kind::Below, heading, |row| Cell::text(&cell(row)))
    }

    /// Adds a right-aligned column of numbers to the text table.
    #[must_use]
    pub fn right<Of: Display>(self, heading: &str, cell: impl Fn(&'rows Row) -> Of) -> Self {
        self.column(Kind::Right, heading, |row| Cell::text(&cell(row)))
    }

    /// Adds a column of times in UTC, to the minute, to the text table. At a terminal, ages are added if they fit.
    #[must_use]
    pub fn moment(self, heading: &str, at: impl Fn(&'rows Row) -> Option<Timestamp>) -> Self {
        self.column(Kind::Moment, heading, |row| Cell::Moment(at(row)))
    }

    /// Colours the cells of the text table's last column, by the tone that each row gives.
    pub(crate) fn toned(mut self, tone: impl Fn(&'rows Row) -> Tone) -> Self {
        if let Some(column) = self.columns.0.last_mut() {
            column.tones = self.rows.iter().map(tone).collect();
        }
        self
    }

    fn column(mut self, kind: Kind, heading: &str, cell: impl Fn(&'rows Row) -> Cell) -> Self {
        self.columns.0.push(Column {
            heading: heading.to_owned(),
            cells: self.rows.iter().map(cell).collect(),
            tones: vec![Tone::Plain; self.rows.len()],
            kind,
        });
        self
    }

    /// Returns the columns of the text table, which no longer borrow the rows.
    pub(crate) fn into_columns(self) -> Columns {
        self.columns
    }
}

/// Makes a text safe to print to a terminal: replaces control characters with U+FFFD, and removes invisible characters,
/// which could reorder the line.
pub(crate) fn visible(text: &str) -> String {
    let mut visible = text.replace(char::is_control, "\u{fffd}");
    visible.retain(|character| !is_unseen(character));
    visible
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::cli::terminal::figures::percent;
    use crate::cli::terminal::screen::Screen;

    #[test]
    fn columns_are_as_wide_as_what_stands_in_them() {
        let rows = [
            ("竞技场", 7),
            ("\u{202e}x\u{200b}\u{1b}\u{2028}[2J", 1_234_567),
        ];
        let table = Table::new(&rows)
            .left("map", |row| row.0)
            .right("rounds", |row| row.1);
        assert_eq!(
            table.into_columns().shown(Screen::PLAIN),
            "map      rounds\n竞技场        7\nx\u{fffd}[2J   1234567\n"
        );
    }

    fn narrow(width: usize) -> Screen {
        Screen {
            width: Some(width),
            ..Screen::PLAIN
        }
    }

    #[test]
    fn what_may_be_cut_is_cut_the_widest_first_and_ids_stay_whole() {
        let rows = [("76561197960265729", "竞技场竞技场竞技场", "a short reason")];
        let columns = Table::new(&rows)
            .left("player", |row| row.0)
            .elastic("map", |row| row.1)
            .elastic("reason", |row| row.2)
            .into_columns();
        assert_eq!(
            columns.shown(narrow(49)),
            "player             map             reason\n\
             76561197960265729  竞技场竞技场…   a short reason\n"
        );
        assert_eq!(
            columns.shown(narrow(20)),
            "player             map       reason\n\
             76561197960265729  竞技场…   a short…\n"
        );
    }

    #[test]
    fn a_sentence_stands_below_its_row_and_is_wrapped() {
        let rows = [
            (422, "must be a map: 1 to 64 characters", "a"),
            (401, "", "b"),
        ];
        let columns = Table::new(&rows)
            .right("status", |row| row.0)
            .below("why", |row| row.1)
            .left("from", |row| row.2)
            .into_columns();
        assert_eq!(
            columns.shown(narrow(20)),
            "status  from\n   422  a\n    must be a map: 1\n    to 64 characters\n   401  b\n"
        );
        assert_eq!(
            columns.csv().unwrap(),
            "status,why,from\n422,must be a map: 1 to 64 characters,a\n401,,b\n"
        );
    }

    #[test]
    fn how_long_ago_it_was_gives_way_first() {
        let at: Timestamp = "2026-11-20T12:00:30Z".parse().unwrap();
        let rows = [(Some(at), "map"), (None, "map")];
        let columns = Table::new(&rows)
            .moment("ended", |row| row.0)
            .elastic("map", |row| row.1)
            .into_columns();
        let screen = |width| Screen {
            now: Some("2026-11-20T14:00:30Z".parse().unwrap()),
            ..narrow(width)
        };
        assert_eq!(
            columns.shown(screen(80)),
            "ended (UTC)                map\n2026-11-20 12:00, 2 h ago  map\n-                          map\n"
        );
        assert_eq!(
            columns.shown(screen(21)),
            "ended (UTC)       map\n2026-11-20 12:00  map\n-                 map\n"
        );
        assert_eq!(
            columns.csv().unwrap(),
            "ended,map\n2026-11-20T12:00:30Z,map\n,map\n"
        );
    }

    #[test]
    fn programs_get_plain_values_and_spreadsheets_no_formulas() {
        let rows = [("=1+1, \"x\"", Some(0.125)), ("-=Ramona=-", None)];
        let columns = Table::new(&rows)
            .left("name", |row| row.0)
            .right("share", |row| percent(row.1))
            .into_columns();
        assert_eq!(
            columns.csv().unwrap(),
            "name,share\n\"'=1+1, \"\"x\"\"\",0.125\n'-=Ramona=-,\n"
        );
    }

    #[test]
    fn colours_take_no_room() {
        let rows = [(5, "yes"), (-12, "no")];
        let columns = Table::new(&rows)
            .right("change", |row| format!("{:+}", row.0))
            .toned(|row| Tone::of_change(row.0))
            .left("won", |row| row.1)
            .into_columns();
        let colored = columns.shown(Screen {
            has_colors: true,
            ..Screen::PLAIN
        });
        assert_eq!(
            console::strip_ansi_codes(&colored),
            columns.shown(Screen::PLAIN)
        );
        assert!(colored.contains("\u{1b}[31m-12\u{1b}[0m"), "{colored:?}");
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_it_has_to_be(
            rows in prop::collection::vec(("\\PC{0,40}", "\\PC{0,40}", 0..1000), 1..6),
            width in 1_usize..100,
        ) {
            let columns = Table::new(&rows)
                .elastic("one", |row| &row.0)
                .elastic("two", |row| &row.1)
                .right("n", |row| row.2)
                .into_columns();
            let least = 2 * 8 + 2 * 2 + 3;
            for line in columns.shown(narrow(width)).lines() {
                prop_assert!(line.width() <= width.max(least), "{line:?}");
            }
        }
    }
}
