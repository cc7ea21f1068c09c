//! Changes ask for confirmation on a terminal, and are refused without one.

use serde_json::Value;

use crate::cli::running::Running;
use crate::cli::terminal::{Sat, type_at_terminal};
use crate::cli::words;

const PLAYER: &str = "player show [U:1:1]";
const ROUND: &str = "rounds show public-1 public-1:3";

/// Commands, the words of their questions, and commands that show the effect.
const CHANGES: [(&str, &str, &str); 4] = [
    ("player set [U:1:1] 1500", "will be rated 1500", PLAYER),
    ("player reset [U:1:1]", "will be a new player again", PLAYER),
    (
        "void public-1 public-1:3 --reason cheater",
        "will no longer count",
        ROUND,
    ),
    ("unvoid public-1 public-1:3", "It will count again", ROUND),
];

#[test]
fn a_change_is_made_only_after_a_yes() {
    let running = Running::start();
    for (change, asks, look) in CHANGES {
        let looked = || {
            let mut seen = running.json(&words(look));
            // The comparison with other players is computed for each request.
            seen.as_object_mut().and_then(|seen| seen.remove("profile"));
            seen
        };
        let before = looked();
        let refused = running.run(&words(change)).failed();
        assert_eq!(refused.code, Some(1), "{refused:#?}");
        refused.says("--yes");
        let type_in = |types: &str| {
            let mut command = running.folder.rbs(&words(change));
            type_at_terminal(command.env("RBS_BIND", &running.address), types)
        };
        for no in ["n\n", "\n", "yesterday\n", "\u{4}"] {
            let Sat { seen, code } = type_in(no);
            assert!(seen.contains(asks), "{change}: {seen}");
            assert!(seen.contains("nothing was changed"), "{change}: {seen}");
            assert_eq!(code, Some(1), "{change}: {seen}");
        }
        assert_eq!(looked(), before, "{change} without a yes");
        let Sat { seen, code } = type_in("Yes\n");
        assert_eq!(code, Some(0), "{change}: {seen}");
        assert_ne!(looked(), before, "{change}");
    }
    let audit = running.json(&["audit"]);
    let entries = audit["entries"].as_array().expect("a list").iter();
    let actions: Vec<&Value> = entries.map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["unvoid", "void", "reset", "set"], "each once");
    running.stop();
}
