//! Rules about the sources of the plugin.

use std::path::Path;

/// Words that only files for Team Fortress 2 may contain.
const WORDS: [&str; 14] = [
    "TF2",
    "TF_",
    "TFClass",
    "RED",
    "BLU",
    "Arena",
    "arena",
    "Koth",
    "Payload",
    "Medic",
    "Mvm",
    "Scramble_",
    "Balance_",
    "teamplay_",
];

#[test]
fn the_core_names_nothing_of_one_game() {
    let mut files = 0;
    for folder in ["core", "rounds"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("plugin/scripting/rbs")
            .join(folder);
        for entry in std::fs::read_dir(folder).expect("the core") {
            let path = entry.expect("an entry").path();
            files += 1;
            let text = std::fs::read_to_string(&path).expect("a source");
            for (number, line) in text.lines().enumerate() {
                for word in WORDS {
                    let place = format!("{}:{}", path.display(), number + 1);
                    assert!(!line.contains(word), "{place} names {word}: {line}");
                }
            }
        }
    }
    assert!(files > 15, "the core has {files} files");
}
