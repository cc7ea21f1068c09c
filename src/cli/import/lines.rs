use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use flate2::read::MultiGzDecoder;
use tokio::sync::mpsc;

use super::progress::Bytes;
use crate::api::{InvalidJson, LogLine};

/// A longer line is no round: 256 KiB is the most that the service takes at once.
const MAX_LINE: u64 = 256 * 1024;
/// Lines that are read ahead.
const READ_AHEAD: usize = 256;
/// What every gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// What some editors put in front of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line of a file, read or found bad.
pub(super) struct Line {
    /// The file and the line's number, from 1.
    pub(super) place: String,
    /// What stands there.
    pub(super) content: Result<LogLine, Fault>,
}

/// What is wrong with what was read.
pub(super) enum Fault {
    /// This line, and the next may be good.
    Line(String),
    /// The file, which cannot be read any further.
    File(String),
}

/// Whether `path` means standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads the files one after another, ahead of who takes the lines, on a thread of its own: a pipe
/// that says nothing must not keep the import from hearing that it is to stop.
pub(super) fn read_ahead(
    files: Vec<PathBuf>,
    bytes: Bytes,
) -> (mpsc::Receiver<Line>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let reading = std::thread::spawn(move || {
        for path in files {
            for line in Lines::open(&path, bytes.clone()) {
                // Who wants no more has stopped.
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        }
    });
    (receiver, reading)
}

/// The lines of a file that are not blank.
struct Lines {
    name: String,
    number: u64,
    reader: Reader,
}

enum Reader {
    Open(Box<dyn BufRead>),
    /// It could not even be opened.
    Failed(io::Error),
    Ended,
}

impl Lines {
    /// Opens a file; `bytes` counts how much of it has been read.
    fn open(path: &Path, bytes: Bytes) -> Self {
        let name = if is_standard_input(path) {
            "standard input".to_owned()
        } else {
            path.display().to_string()
        };
        let reader = match open(path, bytes) {
            Ok(reader) => Reader::Open(reader),
            Err(error) => Reader::Failed(error),
        };
        Self {
            name,
            number: 0,
            reader,
        }
    }
}

/// Opens a file, compressed or not.
fn open(path: &Path, bytes: Bytes) -> io::Result<Box<dyn BufRead>> {
    let mut file: Box<dyn Read> = if is_standard_input(path) {
        Box::new(bytes.watch(io::stdin()))
    } else {
        Box::new(bytes.watch(File::open(path)?))
    };
    let mut head = Vec::new();
    let length = GZIP.len() as u64;
    file.by_ref().take(length).read_to_end(&mut head)?;
    let is_compressed = head == GZIP;
    if !is_compressed && path.extension().is_some_and(|extension| extension == "gz") {
        return Err(io::Error::other(
            "it is named .gz and is not compressed; name it otherwise if it is whole",
        ));
    }
    let file = BufReader::new(Cursor::new(head).chain(file));
    Ok(if is_compressed {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

/// The next line that is not blank, counted in `number`.
fn next_line(
    reader: &mut dyn BufRead,
    number: &mut u64,
) -> io::Result<Option<Result<LogLine, Fault>>> {
    loop {
        let mut line = Vec::new();
        if reader.take(MAX_LINE + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        *number += 1;
        if line.last() != Some(&b'\n') && line.len() as u64 > MAX_LINE {
            reader.skip_until(b'\n')?;
            let problem = format!("the line is over {MAX_LINE} bytes");
            return Ok(Some(Err(Fault::Line(problem))));
        }
        let mut text = line.trim_ascii_end();
        if *number == 1 {
            text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        }
        if !text.trim_ascii().is_empty() {
            return Ok(Some(LogLine::read(text).map_err(fault)));
        }
    }
}

fn fault(error: InvalidJson) -> Fault {
    Fault::Line(match error {
        // Each line is a text of one line to whoever reads it; which one it is, its place tells.
        malformed @ InvalidJson::Malformed(_) => {
            let problem = malformed.to_string();
            problem.replace(" at line 1 column ", " at column ")
        }
        field @ InvalidJson::Field(_) => field.to_string(),
    })
}

impl Iterator for Lines {
    type Item = Line;

    /// The next line; where the file cannot be read any further, that, and then the end.
    fn next(&mut self) -> Option<Line> {
        let read = match std::mem::replace(&mut self.reader, Reader::Ended) {
            Reader::Open(mut reader) => {
                let read = next_line(&mut *reader, &mut self.number);
                if read.is_ok() {
                    self.reader = Reader::Open(reader);
                }
                read
            }
            Reader::Failed(error) => {
                return Some(Line {
                    place: self.name.clone(),
                    content: Err(Fault::File(format!("the file cannot be read: {error}"))),
                });
            }
            Reader::Ended => Ok(None),
        };
        match read {
            Ok(content) => content.map(|content| Line {
                place: format!("{}:{}", self.name, self.number),
                content,
            }),
            Err(error) => Some(Line {
                place: format!("{}:{}", self.name, self.number + 1),
                content: Err(Fault::File(format!(
                    "the file cannot be read any further: {error}"
                ))),
            }),
        }
    }
}
