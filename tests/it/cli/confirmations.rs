//! Changes ask first, at a terminal of the test's own, and are not made where nobody can be asked.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use super::running::Running;

/// What somebody at a terminal saw, and how the command ended.
struct Sat {
    seen: String,
    code: Option<i32>,
}

/// Runs the command at a terminal where `types` is typed; what it prints goes elsewhere.
fn at_terminal(command: &mut Command, types: &str) -> Sat {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&keyboard).expect("a terminal of one's own");
    unlockpt(&keyboard).expect("an open terminal");
    let name = ptsname(&keyboard, Vec::new()).expect("a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let screen = rustix::fs::open(&*name, flags, Mode::empty()).expect("the other end");
    let mut keyboard = File::from(keyboard);
    let mut child = command
        .stdin(Stdio::from(screen.try_clone().expect("it once more")))
        .stdout(Stdio::null())
        .stderr(Stdio::from(screen))
        .spawn()
        .expect("it starts");
    // The command's own ends are to be the last.
    command.stdin(Stdio::null()).stderr(Stdio::null());
    keyboard.write_all(types.as_bytes()).expect("it is typed");
    let mut seen = Vec::new();
    // Where nobody is at the other end any more, reading a terminal ends with an error.
    let _ended = keyboard.read_to_end(&mut seen);
    Sat {
        seen: String::from_utf8_lossy(&seen).into_owned(),
        code: child.wait().expect("it ends").code(),
    }
}

const PLAYER: [&str; 3] = ["player", "show", "[U:1:1]"];
const ROUND: [&str; 4] = ["rounds", "show", "public-1", "public-1:3"];

/// What asks, in words, before what, and what looks at it.
const CHANGES: [(&[&str], &str, &[&str]); 4] = [
    (
        &["player", "set", "[U:1:1]", "1500"],
        "will be rated 1500",
        &PLAYER,
    ),
    (
        &["player", "reset", "[U:1:1]"],
        "will be new again",
        &PLAYER,
    ),
    (
        &["void", "public-1", "public-1:3", "--reason", "a cheater"],
        "will count no longer",
        &ROUND,
    ),
    (
        &["unvoid", "public-1", "public-1:3"],
        "It will count again",
        &ROUND,
    ),
];

#[test]
fn a_change_is_made_only_after_a_yes() {
    let running = Running::start();
    for (change, asks, look) in CHANGES {
        let before = running.json(look);
        let refused = running.run(change).failed();
        assert_eq!(refused.code, Some(1), "{refused:#?}");
        assert!(refused.stderr.contains("--yes"), "{refused:#?}");
        let type_in = |types: &str| {
            let mut command = running.folder.rbs(change);
            at_terminal(command.env("RBS_BIND", &running.address), types)
        };
        for no in ["n\n", "\n", "yesterday\n", "\u{4}"] {
            let Sat { seen, code } = type_in(no);
            assert!(seen.contains(asks), "{change:?}: {seen}");
            assert!(seen.contains("nothing was changed"), "{change:?}: {seen}");
            assert_eq!(code, Some(1), "{change:?}: {seen}");
        }
        assert_eq!(running.json(look), before, "{change:?} without a yes");
        let Sat { seen, code } = type_in("Yes\n");
        assert_eq!(code, Some(0), "{change:?}: {seen}");
        assert_ne!(running.json(look), before, "{change:?}");
    }
    let entries = running.json(&["audit"])["entries"].clone();
    let actions: Vec<&Value> = entries
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| &entry["action"])
        .collect();
    assert_eq!(actions, ["unvoid", "void", "reset", "set"], "each once");
    running.stop();
}
