//! Layout of tables in the terminal.

use std::fmt::Display;

use console::{Alignment, pad_str, truncate_str};
use csv::Writer;
use unicode_width::UnicodeWidthStr as _;

use super::figures::moment;
use super::screen::{Screen, Tone};
use super::table::visible;
use super::words::ago;
use crate::domain::Timestamp;

const GAP: &str = "  ";
/// Minimum width of a table column that is cut to fit the terminal, in characters.
const NARROWEST: usize = 8;
/// Width of wrapped lines if the output is not a terminal, in columns.
pub(in crate::cli) const USUAL_WIDTH: usize = 80;
const INDENT: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct Columns(pub(super) Vec<Column>);

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) heading: String,
    pub(super) cells: Vec<Cell>,
    pub(super) tones: Vec<Tone>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Left,
    Right,
    Elastic,
    Moment,
    Below,
}

#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// Words or a figure: `shown` for people, `plain` for programs.
    Text {
        shown: String,
        plain: String,
    },
    Moment(Option<Timestamp>),
}

impl Columns {
    pub(crate) fn shown(&self, screen: Screen) -> String {
        self.lines(screen, &mut Vec::new()).concat()
    }

    /// Formats the lines of the table, headings first. The columns are at least as wide as `widths`, which grow if
    /// needed.
    fn lines(&self, screen: Screen, widths: &mut Vec<usize>) -> Vec<String> {
        let (below, beside): (Vec<&Column>, Vec<&Column>) =
            self.0.iter().partition(|column| column.kind == Kind::Below);
        let mut columns = texts(&beside, screen.now);
        let mut fitting = widest(&columns);
        if let Some(width) = screen.width {
            if line_width(&fitting) > width {
                columns = texts(&beside, None);
                fitting = widest(&columns);
            }
            fit(&beside, &mut fitting, width);
        }
        widths.resize(fitting.len(), 0);
        for (width, fitting) in widths.iter_mut().zip(fitting) {
            *width = fitting.max(*width);
        }
        let mut lines = Vec::new();
        for row in 0..columns.first().map_or(0, Vec::len) {
            let cells = beside.iter().zip(&columns).zip(&*widths);
            let padded = cells.map(|((column, cells), width)| {
                let mut cell = truncate_str(&cells[row], *width, "…");
                let tone = match row.checked_sub(1) {
                    None => Tone::Heading,
                    Some(row) => column.tones[row],
                };
                if screen.has_colors && !cell.is_empty() {
                    cell = tone.paint(&cell).into();
                }
                let alignment = match column.kind {
                    Kind::Right => Alignment::Right,
                    Kind::Left | Kind::Elastic | Kind::Moment | Kind::Below => Alignment::Left,
                };
                pad_str(&cell, *width, alignment, None).into_owned()
            });
            let joined = padded.collect::<Vec<_>>().join(GAP);
            let mut line = joined.trim_end().to_owned() + "\n";
            if let Some(row) = row.checked_sub(1) {
                for column in &below {
                    let sentence = column.cells[row].shown(None);
                    let width = screen.width.unwrap_or(USUAL_WIDTH);
                    wrap(&mut line, sentence.split_whitespace(), INDENT, width);
                }
            }
            lines.push(line);
        }
        lines
    }

    pub(crate) fn csv(&self) -> anyhow::Result<String> {
        let mut writer = Writer::from_writer(Vec::new());
        writer.write_record(self.0.iter().map(|column| &column.heading))?;
        let rows = self.0.first().map_or(0, |column| column.cells.len());
        for row in 0..rows {
            writer.write_record(self.0.iter().map(|column| column.cells[row].plain()))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// Table that is printed in parts. All parts have the column widths of the first one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growing {
    widths: Vec<usize>,
    is_begun: bool,
}

impl Growing {
    /// Formats more rows of a table, below the headings for the first ones. Leaves out relative times such as "3 min
    /// ago", which would soon be wrong.
    pub(crate) fn shown(&mut self, columns: &Columns, screen: Screen) -> String {
        let screen = Screen {
            now: None,
            ..screen
        };
        let lines = columns.lines(screen, &mut self.widths);
        self.without_headings(&lines)
    }

    pub(crate) fn csv(&mut self, columns: &Columns) -> anyhow::Result<String> {
        let text = columns.csv()?;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        Ok(self.without_headings(&lines))
    }

    fn without_headings<Line: AsRef<str>>(&mut self, lines: &[Line]) -> String {
        let is_empty = lines.len() <= 1;
        let skipped = usize::from(self.is_begun || is_empty);
        self.is_begun |= !is_empty;
        lines.iter().skip(skipped).map(AsRef::as_ref).collect()
    }
}

impl Cell {
    /// Creates a table cell from `{}` for people and `{:#}` for programs.
    pub(super) fn text(cell: &impl Display) -> Self {
        Self::Text {
            shown: visible(&cell.to_string()),
            plain: visible(&format!("{cell:#}")),
        }
    }

    fn shown(&self, now: Option<Timestamp>) -> String {
        match self {
            Self::Text { shown, .. } => shown.clone(),
            Self::Moment(None) => "-".to_owned(),
            Self::Moment(Some(at)) => {
                let minute: String = moment(*at).chars().take("2026-11-20 12:00".len()).collect();
                match now {
                    Some(now) => format!("{minute}, {}", ago(*at, now)),
                    None => minute,
                }
            }
        }
    }

    fn plain(&self) -> String {
        match self {
            Self::Moment(at) => at.map_or_else(String::new, |at| at.to_string()),
            // Spreadsheets would run such a text as a formula, and players can choose their names.
            Self::Text { plain, .. }
                if plain.starts_with(['=', '+', '-', '@']) && plain.parse::<f64>().is_err() =>
            {
                format!("'{plain}")
            }
            Self::Text { plain, .. } => plain.clone(),
        }
    }
}

fn texts(columns: &[&Column], now: Option<Timestamp>) -> Vec<Vec<String>> {
    columns
        .iter()
        .map(|column| {
            let heading = match column.kind {
                Kind::Moment => format!("{} (UTC)", column.heading),
                Kind::Left | Kind::Right | Kind::Elastic | Kind::Below => column.heading.clone(),
            };
            let cells = column.cells.iter().map(|cell| cell.shown(now));
            std::iter::once(heading).chain(cells).collect()
        })
        .collect()
}

/// Narrows the widest elastic columns of a table until a row fits into `width`.
fn fit(columns: &[&Column], widths: &mut [usize], width: usize) {
    while line_width(widths) > width {
        let elastic = columns.iter().zip(widths.iter_mut());
        let elastic =
            elastic.filter(|(column, of)| column.kind == Kind::Elastic && **of > NARROWEST);
        let Some((_, widest)) = elastic.max_by_key(|(_, of)| **of) else {
            return;
        };
        *widest -= 1;
    }
}

/// Appends `words`, which may contain spaces, in lines of at most `width` columns that begin with `indent` spaces.
pub(in crate::cli) fn wrap<'text>(
    text: &mut String,
    words: impl Iterator<Item = &'text str>,
    indent: usize,
    width: usize,
) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.width() <= width {
            text.push(' ');
            column += 1;
        } else {
            if column > 0 {
                text.push('\n');
            }
            *text += &" ".repeat(indent);
            column = indent;
        }
        *text += word;
        column += word.width();
    }
    if column > 0 {
        text.push('\n');
    }
}

fn widest(columns: &[Vec<String>]) -> Vec<usize> {
    let widest = |cells: &Vec<String>| cells.iter().map(|cell| cell.width()).max();
    columns.iter().filter_map(widest).collect()
}

fn line_width(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}
