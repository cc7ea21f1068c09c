use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use tokio::sync::mpsc;

use crate::api::{InvalidJson, LogLine};
use crate::domain::SentName;

/// A longer line is no round: 256 KiB is the most that the service takes at once.
const MAX_LINE: u64 = 256 * 1024;
/// Lines that are read ahead, while those before are counted.
const READ_AHEAD: usize = 4_096;
/// What every gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// What some editors put in front of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line of a file, read or found bad.
pub(in crate::cli) struct Line {
    /// The file and the line's number, from 1.
    pub(in crate::cli) place: String,
    /// What stands there.
    pub(in crate::cli) content: Content,
}

/// What stands on a line, and what the players in it are called.
type Content = Result<(LogLine, Vec<SentName>), Fault>;

/// What keeps a line from being counted.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum Fault {
    /// The line itself; the next may be good.
    #[error("{0}")]
    Line(String),
    /// Its pool.
    #[error("{0}")]
    Pool(String),
    /// The file, which cannot be read any further.
    #[error("{0}")]
    File(String),
}

/// Whether `path` means standard input.
pub(in crate::cli) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads the files one after another, ahead of who takes the lines, on a thread of its own: a silent
/// pipe must not keep the import from hearing that it is to stop.
pub(in crate::cli) fn read_ahead(
    files: Vec<PathBuf>,
    bytes: ProgressBar,
) -> (mpsc::Receiver<Line>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let reading = std::thread::spawn(move || {
        for path in files {
            // Who wants no more has stopped.
            if read_file(&path, &bytes, &sender).is_none() {
                return;
            }
        }
    });
    (receiver, reading)
}

/// Sends the lines of a file that are not blank; where it cannot be read any further, that last. `None`
/// where nobody takes them any more.
fn read_file(path: &Path, bytes: &ProgressBar, sender: &mpsc::Sender<Line>) -> Option<()> {
    let name = if is_standard_input(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let send = |place: String, content| sender.blocking_send(Line { place, content }).ok();
    let mut reader = match open(path, bytes) {
        Ok(reader) => reader,
        Err(error) => {
            let problem = format!("the file cannot be read: {error}");
            return send(name, Err(Fault::File(problem)));
        }
    };
    let mut number = 0;
    loop {
        match next_line(&mut *reader, &mut number) {
            Ok(None) => return Some(()),
            Ok(Some(content)) => send(format!("{name}:{number}"), content)?,
            Err(error) => {
                let problem = format!("the file cannot be read any further: {error}");
                return send(format!("{name}:{}", number + 1), Err(Fault::File(problem)));
            }
        }
    }
}

/// Opens a file, compressed or not.
fn open(path: &Path, bytes: &ProgressBar) -> io::Result<Box<dyn BufRead>> {
    let mut file: Box<dyn Read> = if is_standard_input(path) {
        Box::new(bytes.wrap_read(io::stdin()))
    } else {
        Box::new(bytes.wrap_read(File::open(path)?))
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
fn next_line(reader: &mut dyn BufRead, number: &mut u64) -> io::Result<Option<Content>> {
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
            return Ok(Some(LogLine::read_with_names(text).map_err(fault)));
        }
    }
}

fn fault(error: InvalidJson) -> Fault {
    Fault::Line(match error {
        // Each line is a text of one line to whoever reads it; its place has the number.
        malformed @ InvalidJson::Malformed(_) => malformed
            .to_string()
            .replace(" at line 1 column ", " at column "),
        fields @ InvalidJson::Fields(_) => fields.to_string(),
    })
}
