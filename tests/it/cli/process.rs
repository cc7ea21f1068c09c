use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than any step takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// A running process, killed on drop.
pub struct Process {
    child: Child,
    lines: Receiver<(Stream, String)>,
    seen: Vec<(Stream, String)>,
}

#[derive(Debug)]
pub struct Finished {
    /// Exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Process {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let (sender, lines) = channel();
        forward(child.stdout.take(), Stream::Out, sender.clone());
        forward(child.stderr.take(), Stream::Err, sender);
        Self {
            child,
            lines,
            seen: Vec::new(),
        }
    }

    pub fn wait_for(&mut self, stream: Stream, part: &str) -> String {
        let deadline = Instant::now() + TIMEOUT;
        let fits = |(of, line): &(Stream, String)| *of == stream && line.contains(part);
        let mut looked_at = 0;
        loop {
            if let Some((_, line)) = self.seen[looked_at..].iter().find(|line| fits(line)) {
                return line.trim_end().to_owned();
            }
            looked_at = self.seen.len();
            if let Err(why) = self.read_line(deadline) {
                panic!(
                    "waited for {part:?} on {stream:?}: {why:?}: {:#?}",
                    self.seen
                );
            }
        }
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill runs").success(), "SIG{name} is not sent");
    }

    /// Stops a service as an operator does, and asserts that it ends well.
    pub fn stop(self) -> Finished {
        self.signal("TERM");
        self.finish().succeeded()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("it is there to be killed");
        self.child.wait().expect("it has ended");
    }

    pub fn finish(mut self) -> Finished {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.read_line(deadline) {
                Ok(()) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end: {:#?}", self.seen),
            }
        }
        let status = self.child.wait().expect("it has ended");
        let all = |wanted| -> String {
            let lines = self.seen.iter().filter(|(stream, _)| *stream == wanted);
            lines.map(|(_, line)| line.as_str()).collect()
        };
        Finished {
            code: status.code(),
            stdout: all(Stream::Out),
            stderr: all(Stream::Err),
        }
    }

    fn read_line(&mut self, deadline: Instant) -> Result<(), RecvTimeoutError> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.seen.push(self.lines.recv_timeout(left)?);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Finished {
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// Asserts a failure with an error message rather than a panic.
    #[track_caller]
    pub fn failed(self) -> Self {
        assert!(self.code.is_some_and(|code| code != 0), "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }

    /// Asserts that standard error has `part`.
    #[track_caller]
    pub fn says(&self, part: &str) -> &Self {
        assert!(self.stderr.contains(part), "no {part:?}: {self:#?}");
        self
    }

    /// Asserts that standard output has `part`.
    #[track_caller]
    pub fn shows(&self, part: &str) -> &Self {
        assert!(self.stdout.contains(part), "no {part:?}: {self:#?}");
        self
    }

    /// Standard output as a single line of JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{self:#?}");
        let read = serde_json::from_str(&self.stdout);
        read.unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// Sends each line of a stream, with its line break, until the stream closes.
fn forward(from: Option<impl Read + Send + 'static>, stream: Stream, to: Sender<(Stream, String)>) {
    let mut from = BufReader::new(from.expect("a pipe"));
    std::thread::spawn(move || {
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            if to.send((stream, text)).is_err() {
                break;
            }
        }
    });
}
