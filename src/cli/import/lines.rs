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

/// Maximum length of a line of an import in bytes: the maximum size of a request to the service.
const MAX_LINE: u64 = 256 * 1024;
const READ_AHEAD: usize = 4_096;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(in crate::cli) struct Line {
    pub(in crate::cli) place: String,
    pub(in crate::cli) content: Content,
}

pub(super) type Content = Result<(LogLine, Vec<SentName>), Fault>;

#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum Fault {
    /// Fault of one line of the imported file; the import can go on with the next line.
    #[error("{0}")]
    Line(String),
    #[error("{0}")]
    Pool(String),
    /// Round of the file that cannot be rated, although nothing is wrong with the file. The import goes on.
    #[error("a round {0}")]
    Skipped(&'static str),
    /// Fault of the file, whose remaining lines cannot be read.
    #[error("{0}")]
    File(String),
}

pub(in crate::cli) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads the files of an import one after another on a thread of their own, ahead of the receiver. A silent pipe then
/// cannot keep the import from noticing a signal.
pub(in crate::cli) fn read_ahead(
    files: Vec<PathBuf>,
    bytes: ProgressBar,
) -> (mpsc::Receiver<Line>, JoinHandle<()>) {
    on_thread(move |sender| {
        // Stops if the receiver is gone, because the import has stopped.
        let read = |path: &PathBuf| read_file(path, &bytes, sender);
        let _all_or_stopped: Option<()> = files.iter().try_for_each(read);
    })
}

/// Runs `read`, which sends the lines of an import, on a thread of its own.
pub(super) fn on_thread(
    read: impl FnOnce(&mpsc::Sender<Line>) + Send + 'static,
) -> (mpsc::Receiver<Line>, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    (receiver, std::thread::spawn(move || read(&sender)))
}

/// Sends the lines of an import's file, without blank ones. A read error is sent as the last line. Returns `None` if
/// the receiver is gone.
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

pub(super) fn open(path: &Path, bytes: &ProgressBar) -> io::Result<Box<dyn BufRead>> {
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
            "its name ends in .gz, but it is not compressed; if it is complete, remove .gz from its name",
        ));
    }
    let file = BufReader::new(Cursor::new(head).chain(file));
    Ok(if is_compressed {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

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
            return Ok(Some(LogLine::read(text).map_err(fault)));
        }
    }
}

pub(super) fn fault(error: InvalidJson) -> Fault {
    Fault::Line(match error {
        // Each line was parsed on its own, so its line number in the error message is always 1.
        malformed @ InvalidJson::Malformed(_) => malformed
            .to_string()
            .replace(" at line 1 column ", " at column "),
        fields @ InvalidJson::Fields(_) => fields.to_string(),
    })
}
