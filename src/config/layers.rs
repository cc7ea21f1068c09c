//! The layers under the settings: compiled-in defaults, the file, the environment, the command
//! line.

use std::fs::File;
use std::path::PathBuf;

use figment::Figment;
use figment::error::Kind;
use figment::providers::{Format, Serialized, Toml};

use super::{Flags, InvalidSetting, Layered};

const DEFAULTS: &str = include_str!("../../config/rbs.toml");

/// The file that is read where none is named, the first that is there: that of a folder with everything in it,
/// else the one that the package of a system puts in place.
const DEFAULT_PATHS: [&str; 2] = ["config/rbs.toml", "/etc/rbs/rbs.toml"];

/// The settings that have an environment variable each, but for the secrets; values are taken as
/// they stand, so that a number-like text stays a text.
const VARIABLES: [(&str, &str); 2] = [("RBS_BIND", "bind"), ("DATABASE_URL", "database_url")];

/// The environment variable of the setting `key`, where it has one.
pub(super) fn variable_of(key: &str) -> Option<&'static str> {
    let found = VARIABLES.iter().find(|(_, of)| *of == key);
    found.map(|(variable, _)| *variable)
}

/// The value of the setting `key` on the command line.
pub(super) fn flag_of<'flags>(flags: &'flags Flags, key: &str) -> Option<&'flags str> {
    match key {
        "bind" => flags.bind.as_deref(),
        "database_url" => flags.database_url.as_deref(),
        _ => None,
    }
}

/// All layers, and the settings as they come out of them.
pub(super) struct Layers {
    pub(super) figment: Figment,
    pub(super) settings: Layered,
    /// The configuration file, where there is one.
    pub(super) file: Option<PathBuf>,
}

pub(super) fn read(
    flags: &Flags,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Layers, InvalidSetting> {
    let named = match &flags.config {
        Some(path) => Some((path.clone(), "--config")),
        None => environment("RBS_CONFIG").map(|path| (PathBuf::from(path), "RBS_CONFIG")),
    };
    let mut figment = Figment::from(Toml::string(DEFAULTS));
    let file = match named {
        Some((path, setting)) => {
            require!(
                !path.as_os_str().is_empty(),
                "{setting} is empty; name a file, or leave it out"
            );
            require!(
                path.is_file(),
                "{setting} names {}, and there is no such file; name one that is there, or leave it out",
                path.display()
            );
            Some(path)
        }
        None => DEFAULT_PATHS
            .map(PathBuf::from)
            .into_iter()
            .find(|path| path.is_file()),
    };
    if let Some(file) = &file {
        File::open(file).map_err(|error| {
            InvalidSetting(format!(
                "the configuration file {} cannot be read: {error}; run this as somebody who may read \
                 it, or name another by --config or RBS_CONFIG",
                file.display()
            ))
        })?;
        figment = figment.merge(Toml::file_exact(file));
    }
    for (variable, key) in VARIABLES {
        let flag = flag_of(flags, key).map(str::to_owned);
        if let Some(value) = flag.or_else(|| environment(variable)) {
            figment = figment.merge(Serialized::default(key, value));
        }
    }
    let settings = figment
        .extract()
        .map_err(|error| InvalidSetting(describe(&error)))?;
    Ok(Layers {
        figment,
        settings,
        file,
    })
}

/// The TOML reader's message without the lines that it quotes from the file.
fn without_snippet(message: &str) -> String {
    let lines = message.lines().filter(|line| {
        let line = line
            .trim_start_matches(|character: char| character.is_ascii_digit() || character == ' ');
        !line.starts_with('|') && !line.is_empty()
    });
    lines.collect::<Vec<_>>().join(": ")
}

/// What is expected, in place of what Rust calls it.
fn in_words(expected: &str) -> &str {
    match expected {
        "f64" => "a number",
        "i32" => "a whole number",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        "a string" | "path string" => "a text in quotes",
        "a map" => "a table",
        table if table.starts_with("struct ") => "a table",
        choice if choice.starts_with("enum ") => {
            "one of the texts that config/rbs.toml names next to it, in quotes"
        }
        other => other,
    }
}

/// Figment's error as one sentence that begins with the setting.
fn describe(error: &figment::Error) -> String {
    let setting = error.path.join(".");
    let origin = error
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.source.as_ref())
        .map(|source| format!(" (in {source})"))
        .unwrap_or_default();
    // What was found is not repeated: it may be a password, or an address with one in it.
    let problem = match &error.kind {
        Kind::InvalidType(_, expected) | Kind::InvalidValue(_, expected) => {
            format!("must be {}", in_words(expected))
        }
        Kind::UnknownField(name, known) => {
            format!("\"{name}\" is no setting; there are {}", known.join(", "))
        }
        Kind::Message(message) => without_snippet(message),
        other => other.to_string(),
    };
    if setting.is_empty() {
        format!("{problem}{origin}")
    } else {
        format!("{setting}: {problem}{origin}")
    }
}
