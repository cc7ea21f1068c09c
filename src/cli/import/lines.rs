use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;

use super::progress::Bytes;
use crate::wire::LogLine;

/// A longer line is no round: 256 KiB is the most that the service takes at once.
const MAX_LINE: u64 = 256 * 1024;

/// A line of a file, read or found bad.
pub(super) struct Line {
    /// The file and the line's number, from 1.
    pub(super) place: String,
    /// What stands there, or what is wrong with it.
    pub(super) content: Result<LogLine, String>,
}

/// The lines of a file that are not blank.
pub(super) struct Lines {
    path: String,
    number: u64,
    /// Whether reading failed.
    broken: bool,
    reader: Box<dyn BufRead>,
}

impl Lines {
    /// Opens a file; `bytes` is told how much of it has been read.
    pub(super) fn open(path: &Path, bytes: Bytes) -> anyhow::Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = BufReader::new(bytes.watch(file));
        let compressed = path.extension().is_some_and(|extension| extension == "gz");
        let reader: Box<dyn BufRead> = if compressed {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        Ok(Self {
            path: path.display().to_string(),
            number: 0,
            broken: false,
            reader,
        })
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut line = Vec::new();
            let mut limited = (&mut self.reader).take(MAX_LINE + 1);
            if limited.read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let place = format!("{}:{}", self.path, self.number);
            let too_long = line.last() != Some(&b'\n') && line.len() as u64 > MAX_LINE;
            if too_long {
                self.reader.skip_until(b'\n')?;
                let content = Err(format!("the line is over {MAX_LINE} bytes"));
                return Ok(Some(Line { place, content }));
            }
            if !line.trim_ascii().is_empty() {
                let content = LogLine::read(&line).map_err(|error| error.to_string());
                return Ok(Some(Line { place, content }));
            }
        }
    }
}

impl Iterator for Lines {
    type Item = Line;

    /// The next line; where the file cannot be read any further, a bad one, and then the end.
    fn next(&mut self) -> Option<Line> {
        if self.broken {
            return None;
        }
        match self.next_line() {
            Ok(line) => line,
            Err(error) => {
                self.broken = true;
                Some(Line {
                    place: format!("{}:{}", self.path, self.number + 1),
                    content: Err(format!("the file cannot be read any further: {error}")),
                })
            }
        }
    }
}
