//! Layout of tables in the terminal.

use std::fmt::Display;

use console::truncate_str;
use csv::Writer;
use unicode_width::UnicodeWidthStr as _;

use super::figures::moment;
use super::screen::Screen;
use super::table::visible;
use super::tone::Tone;
use super::words::ago;
use crate::domain::Timestamp;

const GAP: &str = "  ";
/// Minimum width of a table column that is cut to fit the terminal, in characters.
const NARROWEST: usize = 8;
/// Width of sentences below table rows if the output is not a terminal, in columns.
const USUAL_WIDTH: usize = 80;
const INDENT: &str = "    ";

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
    /// Column of words that may be cut to fit the terminal.
    Elastic,
    Moment,
    /// Column of sentences that are printed below their rows.
    Below,
}

#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// Cell with words or a figure: `shown` for people, `plain` for programs.
    Text { shown: String, plain: String },
    /// Cell with a time; printed as a dash if missing.
    Moment(Option<Timestamp>),
}

impl Columns {
    /// Formats the table, with lines that fit the screen if possible.
    pub(crate) fn shown(&self, screen: Screen) -> String {
        self.lines(screen, &mut Vec::new()).concat()
    }

    /// Formats the lines of the table, headings first. The columns are at least as wide as `widths`, which grow if
    /// needed.
    fn lines(&self, screen: Screen, widths: &mut Vec<usize>) -> Vec<String> {
        let (below, beside): (Vec<&Column>, Vec<&Column>) =
            self.0.iter().partition(|column| column.kind == Kind::Below);
        let mut columns = texts(&beside, screen.now);
        if let Some(width) = screen.width {
            if width_of(&columns) > width {
                columns = texts(&beside, None);
            }
            fit(&beside, &mut columns, width);
        }
        let rows = columns.first().map_or(0, Vec::len);
        widths.resize(columns.len(), 0);
        for (width, cells) in widths.iter_mut().zip(&columns) {
            *width = widest(cells).max(*width);
        }
        let mut lines = Vec::new();
        for row in 0..rows {
            let mut line = String::new();
            // Spaces at the end of a line are left out.
            let mut padding = String::new();
            for ((column, cells), width) in beside.iter().zip(&columns).zip(widths.iter()) {
                let cell = &cells[row];
                let tone = match row.checked_sub(1) {
                    None => Tone::Heading,
                    Some(row) => column.tones[row],
                };
                let blank = " ".repeat(width - cell.width());
                let (before, behind) = match column.kind {
                    Kind::Right => (blank, String::new()),
                    Kind::Left | Kind::Elastic | Kind::Moment | Kind::Below => {
                        (String::new(), blank)
                    }
                };
                padding += &before;
                if !cell.is_empty() {
                    line += &padding;
                    padding.clear();
                    if screen.has_colors {
                        line += &tone.paint(cell);
                    } else {
                        line += cell;
                    }
                }
                padding += &behind;
                padding += GAP;
            }
            line.push('\n');
            if let Some(row) = row.checked_sub(1) {
                for column in &below {
                    let sentence = column.cells[row].shown(None);
                    wrap(&mut line, &sentence, screen.width.unwrap_or(USUAL_WIDTH));
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

/// Cuts the widest elastic columns of a table until a row fits into `width`.
fn fit(of: &[&Column], columns: &mut [Vec<String>], width: usize) {
    let mut excess = width_of(columns).saturating_sub(width);
    while excess > 0 {
        let Some(cells) = of
            .iter()
            .zip(columns.iter_mut())
            .filter(|(column, _)| column.kind == Kind::Elastic)
            .map(|(_, cells)| cells)
            .max_by_key(|cells| widest(cells))
            .filter(|cells| widest(cells) > NARROWEST)
        else {
            return;
        };
        let narrower = widest(cells) - 1;
        for cell in cells.iter_mut() {
            if cell.width() > narrower {
                *cell = truncate_str(cell, narrower, "…").into_owned();
            }
        }
        excess = width_of(columns).saturating_sub(width);
    }
}

/// Appends a sentence, wrapped into indented lines of at most `width` columns.
fn wrap(text: &mut String, sentence: &str, width: usize) {
    let mut column = 0;
    for word in sentence.split_whitespace() {
        if column > 0 && column + 1 + word.width() <= width {
            text.push(' ');
            column += 1;
        } else {
            if column > 0 {
                text.push('\n');
            }
            *text += INDENT;
            column = INDENT.len();
        }
        *text += word;
        column += word.width();
    }
    if column > 0 {
        text.push('\n');
    }
}

fn widest(cells: &[String]) -> usize {
    cells.iter().map(|cell| cell.width()).max().unwrap_or(0)
}

fn width_of(columns: &[Vec<String>]) -> usize {
    let widths: usize = columns.iter().map(|cells| widest(cells)).sum();
    widths + GAP.len() * columns.len().saturating_sub(1)
}
