//! Phrases of the plugin in every language.

use std::collections::BTreeSet;
use std::path::Path;

use sourcemod_bed::game::keyvalues;
use sourcemod_bed::sourcemod::phrases::Phrases;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("plugin")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sources() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/scripting/rbs")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                sources.push(std::fs::read_to_string(path).expect("a file"));
            }
        }
    }
    sources
}

/// Quoted texts in the plugin's source.
fn quoted() -> Vec<String> {
    let sources = sources();
    let quoted = sources
        .iter()
        .flat_map(|text| text.split('"').skip(1).step_by(2));
    quoted.map(str::to_owned).collect()
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
fn every_call_gives_a_phrase_its_parameters() {
    let mut phrases = Phrases::default();
    phrases
        .load(&read("translations/rbs.phrases.txt"))
        .expect("English");
    let mut calls = 0;
    for text in sources() {
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
    let mut phrases = Phrases::default();
    phrases
        .load(&read("translations/rbs.phrases.txt"))
        .expect("English");
    phrases
        .load(&read("translations/de/rbs.phrases.txt"))
        .expect("German");
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
    let mut phrases = Phrases::default();
    phrases
        .load(&read("translations/rbs.phrases.txt"))
        .expect("English");
    let quoted: BTreeSet<String> = quoted().into_iter().collect();
    // Composed names: "Mode %s" stands for all phrases with that prefix.
    let made: Vec<&str> = quoted
        .iter()
        .filter_map(|text| text.strip_suffix("%s"))
        .filter(|start| start.len() > 3)
        .collect();
    for (key, _) in phrases.keys() {
        let is_used = quoted.contains(key) || made.iter().any(|start| key.starts_with(start));
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
    let maps = keyvalues::parse(&read("configs/rbs_maps.cfg")).expect("keys and values");
    assert!(maps.sections().next().is_some());
}
