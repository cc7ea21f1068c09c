//! Plain tables, aligned in the columns of a terminal.

use unicode_width::UnicodeWidthStr as _;

/// On which side of its column a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of texts below headings; columns are as wide as what stands in them.
#[derive(Clone, Debug)]
pub(crate) struct Table<const COLUMNS: usize> {
    sides: [Side; COLUMNS],
    rows: Vec<[String; COLUMNS]>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// A table of these headings.
    pub(crate) fn new(columns: [(&str, Side); COLUMNS]) -> Self {
        Self {
            sides: columns.map(|(_, side)| side),
            rows: vec![columns.map(|(heading, _)| heading.to_owned())],
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.map(|cell| visible(&cell)));
    }

    /// The table, each row in a line.
    pub(crate) fn text(&self) -> String {
        let mut widths = [0; COLUMNS];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let mut text = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(widths).zip(self.sides);
            let cells: Vec<String> = cells
                .map(|((cell, width), side)| {
                    let padding = " ".repeat(width - cell.width());
                    match side {
                        Side::Left => format!("{cell}{padding}"),
                        Side::Right => format!("{padding}{cell}"),
                    }
                })
                .collect();
            let line = cells.join("  ");
            text += line.trim_end();
            text.push('\n');
        }
        text
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
        let mut table = Table::new([("map", Side::Left), ("rounds", Side::Right)]);
        table.row(["竞技场".to_owned(), "7".to_owned()]);
        table.row(["x\u{1b}[2J".to_owned(), "1234567".to_owned()]);
        assert_eq!(
            table.text(),
            "map      rounds\n竞技场        7\nx\u{fffd}[2J   1234567\n"
        );
    }
}
