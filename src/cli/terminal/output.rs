//! Output of a command: JSON, or lines of text with tables between them.

use std::io::Write as _;
use std::{fmt, io};

use anyhow::Context as _;
use clap::Args;
use console::strip_ansi_codes;
use serde::Serialize;

use super::columns::Columns;
use super::screen::Screen;
use super::table::Table;
use super::words::ago;
use crate::domain::{Timestamp, is_unseen};

/// Option of commands that can print their report as JSON.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct AsJson {
    /// Print one JSON object at the end instead of text
    #[arg(long)]
    pub json: bool,
}

/// Serializes the report of a command as one line of JSON.
pub fn line(report: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(report).context("the report cannot be written as JSON")?;
    line.push(b'\n');
    Ok(line)
}

pub(crate) fn print_json(report: &impl Serialize) -> anyhow::Result<()> {
    print(&line(report)?).context("cannot write the report")
}

/// Prints the report of a command to standard output. A closed pipe is no error, because its reader has seen enough.
pub fn print(report: &[u8]) -> io::Result<()> {
    is_printed(report).map(|_| ())
}

/// Prints a part of a command's report. Returns `false` if the reader has closed the pipe.
pub(crate) fn is_printed(part: &[u8]) -> io::Result<bool> {
    let mut output = io::stdout();
    match output.write_all(part).and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

/// Output format of commands with tables.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Format {
    /// Print JSON instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print only the tables, as comma-separated values for a spreadsheet; several are separated by an empty line
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub csv: bool,
}

impl Format {
    /// Prints the report of a command. `text` writes the report's form for people.
    pub fn print<Report: Serialize>(
        self,
        report: &Report,
        text: impl Fn(&Report, &mut Output) -> fmt::Result,
    ) -> anyhow::Result<()> {
        if self.json {
            return print_json(report);
        }
        let mut output = Output::default();
        text(report, &mut output)?;
        output.print(self)
    }
}

/// Lines and tables of a command's output, in the order of printing. Lines are written with `write!`. Colours
/// (in `tone`) and table widths are decided at the time of printing.
#[derive(Clone, Debug, Default)]
pub struct Output {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Ago(Timestamp),
    Table(Columns),
}

impl Output {
    /// Adds a table to the command's output.
    pub fn table<Row>(&mut self, table: Table<'_, Row>) {
        self.parts.push(Part::Table(table.into_columns()));
    }

    /// Adds an empty line and a table to the command's output.
    pub(crate) fn next_table<Row>(&mut self, table: Table<'_, Row>) {
        self.parts.push(Part::Text("\n".to_owned()));
        self.table(table);
    }

    /// Adds the age of a time in brackets, such as "(3 min ago)". Printed only at a terminal.
    pub(crate) fn ago(&mut self, at: Timestamp) {
        self.parts.push(Part::Ago(at));
    }

    pub(crate) fn shown(&self, screen: Screen) -> String {
        let mut shown = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) if screen.has_colors => shown += text,
                Part::Text(text) => shown += &strip_ansi_codes(text),
                Part::Ago(at) => {
                    if let Some(now) = screen.now {
                        shown += " (";
                        shown += &ago(*at, now);
                        shown.push(')');
                    }
                }
                Part::Table(columns) => shown += &columns.shown(screen),
            }
        }
        shown
    }

    /// Formats only the tables of the output, as comma-separated values.
    fn csv(&self) -> anyhow::Result<String> {
        let tables: anyhow::Result<Vec<String>> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Table(columns) => Some(columns.csv()),
                Part::Text(_) | Part::Ago(_) => None,
            })
            .collect();
        Ok(tables?.join("\n"))
    }

    /// Prints the command's output to standard output, as text or as comma-separated values.
    pub fn print(&self, format: Format) -> anyhow::Result<()> {
        let text = if format.csv {
            self.csv().context("the tables cannot be written as CSV")?
        } else {
            self.shown(Screen::stdout())
        };
        print(text.as_bytes()).context("cannot write the answer")
    }
}

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Colours and newlines are our own control characters; texts from others contain none.
        let seen = text
            .chars()
            .filter(|one| one.is_control() || !is_unseen(*one));
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.extend(seen),
            _ => self.parts.push(Part::Text(seen.collect())),
        }
        Ok(())
    }
}

/// Formats the command's output for a file.
impl fmt::Display for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown(Screen::PLAIN))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::cli::terminal::screen::Tone;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_seconds(seconds).unwrap()
    }

    #[test]
    fn colours_and_how_long_ago_it_was_are_for_terminals() {
        let mut output = Output::default();
        write!(output, "{}", Tone::Warning.paint("La\u{202e}t\u{200b}e")).unwrap();
        output.ago(at(0));
        writeln!(output).unwrap();
        output.table(Table::new(&[1, 2]).right("n", |number| *number));
        assert_eq!(output.to_string(), "Late\nn\n1\n2\n");
        let screen = Screen {
            width: None,
            has_colors: true,
            now: Some(at(180)),
        };
        let shown = output.shown(screen);
        assert!(shown.starts_with("\u{1b}["), "{shown:?}");
        assert!(shown.contains(" (3 min ago)\n"), "{shown:?}");
        assert_eq!(strip_ansi_codes(&shown), "Late (3 min ago)\nn\n1\n2\n");
        assert_eq!(output.csv().unwrap(), "n\n1\n2\n");
    }
}
