//! Rules about the sources of the plugin, and its phrases in every language.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sourcemod_bed::game::keyvalues;
use sourcemod_bed::sourcemod::phrases::Phrases;

const PLUGIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/plugin");

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

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The plugin's sources, with their paths in `plugin/scripting/rbs`.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(PLUGIN).join("scripting/rbs");
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let short = path.strip_prefix(&root).expect("a source").to_owned();
                sources.push((short, read(&path)));
            }
        }
    }
    sources
}

/// The plugin's phrases in English and German.
fn phrases() -> Phrases {
    let mut phrases = Phrases::default();
    for path in ["rbs.phrases.txt", "de/rbs.phrases.txt"] {
        let text = read(&Path::new(PLUGIN).join("translations").join(path));
        let loaded = phrases.load(&text);
        loaded.unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    phrases
}

/// Number of arguments of a call from here to its end.
fn arguments(rest: &str) -> usize {
    let (mut depth, mut count, mut is_text) = (0, 0, false);
    for letter in rest.chars() {
        match letter {
            '"' => is_text = !is_text,
            _ if is_text => {}
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => break,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

#[test]
fn the_core_names_nothing_of_one_game() {
    let mut files = 0;
    for (path, text) in sources() {
        if !path.starts_with("core") && !path.starts_with("rounds") {
            continue;
        }
        files += 1;
        for (number, line) in (1..).zip(text.lines()) {
            for word in WORDS {
                let place = format!("{}:{number}", path.display());
                assert!(!line.contains(word), "{place} names {word}: {line}");
            }
        }
    }
    assert!(files > 15, "the core has {files} files");
}

#[test]
fn every_call_gives_a_phrase_its_parameters() {
    let phrases = phrases();
    let mut calls = 0;
    for (_, text) in sources() {
        // After "%T", the client precedes the parameters.
        for (start, others) in [("\"%t\", \"", 0), ("\"%T\", \"", 1)] {
            for call in text.split(start).skip(1) {
                let (key, rest) = call.split_once('"').expect("the end of a key");
                let wanted = phrases
                    .find(key, "en")
                    .unwrap_or_else(|| panic!("no phrase {key:?}"));
                let given = arguments(rest) - others;
                assert_eq!(given, wanted.order.len(), "a call of the phrase {key:?}");
                calls += 1;
            }
        }
    }
    assert!(calls > 20, "only {calls} calls were found");
}

#[test]
fn every_phrase_is_there_in_both_languages_with_each_parameter_once() {
    let phrases = phrases();
    let keys = |language: &str| -> BTreeSet<String> {
        let all = phrases.keys().filter(|(_, known)| known == language);
        all.map(|(key, _)| key.clone()).collect()
    };
    assert_eq!(keys("en"), keys("de"));
    for key in keys("en") {
        for language in ["en", "de"] {
            let text = &phrases.find(&key, language).expect("a phrase").text;
            assert!(!text.trim().is_empty(), "{key} says nothing in {language}");
            assert!(
                text.len() < 200,
                "{key} is too long for a line of chat in {language}"
            );
        }
    }
}

#[test]
fn every_phrase_is_used_and_none_is_missing() {
    let phrases = phrases();
    let sources = sources();
    let quoted: BTreeSet<&str> = sources
        .iter()
        .flat_map(|(_, text)| text.split('"').skip(1).step_by(2))
        .collect();
    // Composed names: "Mode %s" stands for all phrases with that prefix.
    let made: Vec<&str> = quoted
        .iter()
        .filter_map(|text| text.strip_suffix("%s"))
        .filter(|start| start.len() > 3)
        .collect();
    for (key, _) in phrases.keys() {
        let is_used =
            quoted.contains(key.as_str()) || made.iter().any(|start| key.starts_with(start));
        assert!(is_used, "nobody uses the phrase {key:?}");
    }
}

#[test]
fn a_phrase_that_cannot_be_read_is_an_error() {
    let load =
        |phrase: &str| Phrases::default().load(&format!("\"Phrases\" {{ \"A\" {{ {phrase} }} }}"));
    assert!(load(r##""#format" "{1:d},{2:s}" "en" "{2} and {1}""##).is_ok());
    assert!(load(r##""#format" "{1:d},{2:s}" "en" "only {1}""##).is_err());
    assert!(load(r##""#format" "{1:d}" "en" "{1} and {1}""##).is_err());
    assert!(load(r##""#format" "{1:d}" "en" "{1} and {2}""##).is_err());
    assert!(load(r##""#format" "{1}" "en" "{1}""##).is_err());
    assert!(load(r##""#format" "{2:d},{1:s}" "en" "{1}{2}""##).is_err());
    assert!(load(r#""en" "no end"#).is_err());
}

#[test]
fn the_exceptions_by_map_can_be_read() {
    let text = read(&Path::new(PLUGIN).join("configs/rbs_maps.cfg"));
    let maps = keyvalues::parse(&text).expect("keys and values");
    assert!(maps.sections().next().is_some());
}
