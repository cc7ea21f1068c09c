//! Reports as JSON for programs.

use std::io;
use std::io::Write as _;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

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

/// Prints the report of a command as one line of JSON to standard output.
pub fn print_json(report: &impl Serialize) -> anyhow::Result<()> {
    print(&line(report)?).context("cannot write the report")
}

/// Prints the report of a command to standard output. A closed pipe is no error, because its reader has seen enough.
pub fn print(report: &[u8]) -> io::Result<()> {
    is_printed(report).map(|_| ())
}

/// Prints a part of a command's report. Returns `false` if the reader has closed the pipe.
pub fn is_printed(part: &[u8]) -> io::Result<bool> {
    let mut output = io::stdout();
    match output.write_all(part).and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
