//! Plain tables, aligned in the columns of a terminal.

use std::fmt::Display;
use std::iter::once;

use unicode_width::UnicodeWidthStr as _;

/// A line of headings and one for each row; columns are as wide as what stands in them.
#[derive(Clone, Debug)]
pub(crate) struct Table<'rows, Row> {
    rows: &'rows [Row],
    lines: Vec<String>,
}

impl<'rows, Row> Table<'rows, Row> {
    /// A table without columns.
    pub(crate) fn new(rows: &'rows [Row]) -> Self {
        Self {
            rows,
            lines: vec![String::new(); 1 + rows.len()],
        }
    }

    /// Adds a column of words, which stand on its left side.
    pub(crate) fn left<Cell: Display>(
        self,
        heading: &str,
        cell: impl Fn(&'rows Row) -> Cell,
    ) -> Self {
        self.column(heading, cell, |cell, padding| cell + padding)
    }

    /// Adds a column of numbers, which stand on its right side.
    pub(crate) fn right<Cell: Display>(
        self,
        heading: &str,
        cell: impl Fn(&'rows Row) -> Cell,
    ) -> Self {
        self.column(heading, cell, |cell, padding| padding.to_owned() + &cell)
    }

    fn column<Cell: Display>(
        mut self,
        heading: &str,
        cell: impl Fn(&'rows Row) -> Cell,
        pad: fn(String, &str) -> String,
    ) -> Self {
        let cells = self.rows.iter().map(|row| visible(&cell(row).to_string()));
        let cells: Vec<String> = once(heading.to_owned()).chain(cells).collect();
        let width = cells.iter().map(|cell| cell.width()).max();
        for (line, cell) in self.lines.iter_mut().zip(cells) {
            let padding = " ".repeat(width.unwrap_or_default() - cell.width());
            *line += &pad(cell, &padding);
            *line += "  ";
        }
        self
    }

    /// The table, each row in a line.
    pub(crate) fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.trim_end());
        lines.flat_map(|line| [line, "\n"]).collect()
    }
}

/// A text without what would steer the terminal.
pub(crate) fn visible(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_stands_in_them() {
        let rows = [("竞技场", 7), ("x\u{1b}[2J", 1_234_567)];
        let table = Table::new(&rows)
            .left("map", |row| row.0)
            .right("rounds", |row| row.1);
        assert_eq!(
            table.text(),
            "map      rounds\n竞技场        7\nx\u{fffd}[2J   1234567\n"
        );
    }
}
