//! Pseudo-terminals in which tests run commands.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Terminal output, and exit status of the command.
pub struct Sat {
    pub seen: String,
    pub code: Option<i32>,
}

/// Both ends of a pseudo-terminal: the user's and the program's.
pub fn terminal() -> (File, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&person).expect("a terminal of one's own");
    unlockpt(&person).expect("an open terminal");
    let name = ptsname(&person, Vec::new()).expect("a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let program = rustix::fs::open(&*name, flags, Mode::empty()).expect("the other end");
    (File::from(person), File::from(program))
}

/// Runs the command with a terminal as standard input where `types` is typed; standard output goes elsewhere.
pub fn type_at_terminal(command: &mut Command, types: &str) -> Sat {
    let (mut person, program) = terminal();
    let stdin = program.try_clone().expect("it once more");
    command
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::null())
        .stderr(Stdio::from(program));
    person.write_all(types.as_bytes()).expect("it is typed");
    watch(command, person)
}

/// Runs the command with a color terminal of this width as standard output.
pub fn look_at_terminal(command: &mut Command, columns: u16) -> Sat {
    let (person, program) = terminal();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&program, size).expect("a size");
    command
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::from(program))
        .stderr(Stdio::inherit());
    watch(command, person)
}

fn watch(command: &mut Command, mut person: File) -> Sat {
    let mut child = command.spawn().expect("it starts");
    // Closes this process's copies of the program's end.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut seen = Vec::new();
    // Reading a terminal without a peer ends with an error.
    let _ended = person.read_to_end(&mut seen);
    Sat {
        seen: String::from_utf8_lossy(&seen).replace("\r\n", "\n"),
        code: child.wait().expect("it ends").code(),
    }
}
