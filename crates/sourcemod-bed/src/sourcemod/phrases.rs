//! Translations (`core/logic/Translator.cpp`, `PhraseCollection.cpp`). SourceMod's warnings are errors here, because a
//! phrase that cannot be read would be missing on a game server.

use std::collections::HashMap;

use super::{DONE, Natives, Plugin, complain};
use crate::game::keyvalues;
use crate::machine::{Answer, Fault};

/// Client index of the server as an audience.
pub const SERVER: i32 = 0;

/// A phrase in one language.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// Text with format specifiers such as `%d` in place of `{1}`.
    pub text: String,
    /// Parameter numbers in the order of the specifiers.
    pub order: Vec<usize>,
}

#[derive(Debug)]
pub struct Phrases {
    /// Phrases by key and language.
    known: HashMap<(String, String), Phrase>,
    /// Format specifiers of each phrase's parameters, such as `%s`.
    formats: HashMap<String, Vec<String>>,
    /// Client whose language `%t` uses.
    pub target: i32,
    pub server_language: String,
}

impl Default for Phrases {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
            formats: HashMap::new(),
            target: SERVER,
            server_language: "en".to_owned(),
        }
    }
}

impl Phrases {
    pub fn find(&self, key: &str, language: &str) -> Option<&Phrase> {
        self.known.get(&(key.to_owned(), language.to_owned()))
    }

    pub fn keys(&self) -> impl Iterator<Item = &(String, String)> {
        self.known.keys()
    }

    /// Reads a phrase file. Other languages have their own files with the same keys.
    pub fn load(&mut self, text: &str) -> Result<(), String> {
        let root = keyvalues::parse(text)?;
        for (key, phrase) in root.sections() {
            for (property, value) in phrase.values() {
                if property == "#format" {
                    self.formats.insert(key.to_owned(), formats(key, value)?);
                }
            }
            let formats = self.formats.get(key).cloned().unwrap_or_default();
            for (language, value) in phrase
                .values()
                .filter(|(property, _)| *property != "#format")
            {
                let phrase = place(key, value, &formats)?;
                self.known
                    .insert((key.to_owned(), language.to_owned()), phrase);
            }
        }
        Ok(())
    }
}

/// Parses the parameter list `{1:s},{2:d}`.
fn formats(key: &str, text: &str) -> Result<Vec<String>, String> {
    let mut formats = Vec::new();
    for (place, part) in text.split("},").enumerate() {
        let part = part.trim().trim_start_matches('{').trim_end_matches('}');
        let (index, kind) = part
            .split_once(':')
            .ok_or(format!("{key}: {text:?} is no #format"))?;
        if index != (place + 1).to_string() || kind.is_empty() {
            return Err(format!("{key}: {text:?} is no #format, or not in order"));
        }
        formats.push(format!("%{kind}"));
    }
    Ok(formats)
}

/// Replaces the placeholders by the format specifiers; each parameter must occur once.
fn place(key: &str, text: &str, formats: &[String]) -> Result<Phrase, String> {
    let (mut placed, mut order) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(begins) = rest.find('{') {
        let Some(length) = rest[begins..].find('}') else {
            break;
        };
        let index = &rest[begins + 1..begins + length];
        placed.push_str(&rest[..begins]);
        rest = &rest[begins + length + 1..];
        let Ok(index) = index.parse::<usize>() else {
            // A color such as {green}, which some libraries define.
            placed.push('{');
            placed.push_str(index);
            placed.push('}');
            continue;
        };
        let format = index.checked_sub(1).and_then(|place| formats.get(place));
        let format = format.ok_or(format!(
            "{key}: {text:?} has a parameter {index} that #format does not"
        ))?;
        if order.contains(&(index - 1)) {
            return Err(format!("{key}: {text:?} has the parameter {index} twice"));
        }
        placed.push_str(format);
        order.push(index - 1);
    }
    placed.push_str(rest);
    if order.len() != formats.len() {
        return Err(format!(
            "{key}: {text:?} leaves out a parameter of {formats:?}"
        ));
    }
    Ok(Phrase {
        text: placed.replace("\\n", "\n").replace("\\t", "\t"),
        order,
    })
}

pub const NATIVES: Natives = &[
    ("LoadTranslations", load),
    ("SetGlobalTransTarget", set_target),
    ("TranslationPhraseExists", exists),
    ("GetClientLanguage", client_language),
    ("GetServerLanguage", server_language),
    ("GetLanguageInfo", language_info),
];

/// A missing file is an error, except SourceMod's own files, which are assumed to exist.
fn load(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.format(arguments, 0)?;
    if matches!(
        name.as_str(),
        "common.phrases" | "core.phrases" | "basevotes.phrases"
    ) {
        plugin.host.phrases.load(COMMON).map_err(Fault::error)?;
        return DONE;
    }
    let file = format!("{}.txt", name.trim_end_matches(".txt"));
    let folder = plugin.host.files.path("addons/sourcemod/translations");
    let Ok(text) = std::fs::read_to_string(folder.join(&file)) else {
        return complain(format!("Unable to open translation file {file}"));
    };
    plugin.host.phrases.load(&text).map_err(Fault::error)?;
    for language in ["de"] {
        if let Ok(text) = std::fs::read_to_string(folder.join(language).join(&file)) {
            plugin.host.phrases.load(&text).map_err(Fault::error)?;
        }
    }
    DONE
}

/// The phrases of SourceMod's common.phrases.txt that the plugin may use.
const COMMON: &str = r#"
"Phrases" {
    "No matching client" { "en" "No matching client" }
    "No matching clients" { "en" "No matching clients" }
    "More than one client matched" { "en" "More than one client matched" }
    "Target is not in game" { "en" "Target is not in game" }
    "Unable to target" { "en" "Unable to target" }
    "No Access" { "en" "No Access" }
    "Back" { "en" "Back" }
    "Yes" { "en" "Yes" "de" "Ja" }
    "No" { "en" "No" "de" "Nein" }
}"#;

fn set_target(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.phrases.target = arguments[0];
    DONE
}

fn exists(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let key = plugin.text(arguments[0])?;
    Ok(i32::from(plugin.host.phrases.find(&key, "en").is_some()))
}

const LANGUAGES: [&str; 2] = ["en", "de"];

fn number_of(language: &str) -> i32 {
    i32::from(language == "de")
}

fn client_language(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(number_of(&plugin.connected(arguments[0])?.language))
}

fn server_language(plugin: &mut Plugin, _: &[i32]) -> Answer {
    Ok(number_of(&plugin.host.phrases.server_language))
}

fn language_info(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let language = usize::try_from(arguments[0])
        .ok()
        .and_then(|number| LANGUAGES.get(number));
    let Some(language) = language else {
        return complain(format!("Invalid language number {}", arguments[0]));
    };
    plugin.write(arguments[1], arguments[2], language)?;
    DONE
}
