//! Standard output.

use std::io::{self, Write as _};

/// Prints a report. It is no failure that whoever reads the other end has seen enough and left.
pub(super) fn print(report: &[u8]) -> io::Result<()> {
    match io::stdout().write_all(report) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
