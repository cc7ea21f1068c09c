//! Layers of the settings: compiled-in defaults, file, environment, command line. Later layers override earlier ones.

use std::fs::File;
use std::path::PathBuf;

use figment::Figment;
use figment::error::Kind;
use figment::providers::{Format, Serialized, Toml};

use super::{Flags, InvalidSetting, Layered};

const DEFAULTS: &str = include_str!("../../config/rbs.toml");

/// Default paths of the configuration file; the first existing file is read. The first path is relative to the working
/// folder, the second is the one of system packages.
const DEFAULT_PATHS: [&str; 2] = ["config/rbs.toml", "/etc/rbs/rbs.toml"];

/// Environment variables with their settings, without secrets. Values stay text, even if they look like numbers.
const VARIABLES: [(&str, &str); 2] = [("RBS_BIND", "bind"), ("DATABASE_URL", "database_url")];

pub(super) fn variable_of(key: &str) -> Option<&'static str> {
    let found = VARIABLES.iter().find(|(_, of)| *of == key);
    found.map(|(variable, _)| *variable)
}

pub(super) fn flag_of<'flags>(flags: &'flags Flags, key: &str) -> Option<&'flags str> {
    match key {
        "bind" => flags.bind.as_deref(),
        "database_url" => flags.database_url.as_deref(),
        _ => None,
    }
}

pub(super) struct Layers {
    pub(super) figment: Figment,
    pub(super) settings: Layered,
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
                "{setting} names {}, but there is no such file; name an existing file, or leave it out",
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
                "the configuration file {} cannot be read: {error}; run this as a user who may \
                 read it, or name another file with --config or RBS_CONFIG",
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

/// Returns a TOML parser's error message without the lines that it quotes from the file.
fn without_snippet(message: &str) -> String {
    let lines = message.lines().filter(|line| {
        let line = line
            .trim_start_matches(|character: char| character.is_ascii_digit() || character == ' ');
        !line.starts_with('|') && !line.is_empty()
    });
    lines.collect::<Vec<_>>().join(": ")
}

/// Translates the type that serde expected into words for server owners.
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
            "one of the values that config/rbs.toml lists for this setting, in quotes"
        }
        other => other,
    }
}

/// Describes an error of the library figment in one sentence that begins with the setting.
fn describe(error: &figment::Error) -> String {
    let setting = error.path.join(".");
    let origin = error
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.source.as_ref())
        .map(|source| format!(" (in {source})"))
        .unwrap_or_default();
    // The found value is left out of the message: it may be a password, or contain one.
    let problem = match &error.kind {
        Kind::InvalidType(_, expected) | Kind::InvalidValue(_, expected) => {
            format!("must be {}", in_words(expected))
        }
        Kind::UnknownField(name, known) => {
            format!(
                "\"{name}\" is not a setting; the settings are {}",
                known.join(", ")
            )
        }
        Kind::UnknownVariant(name, known) => {
            format!(
                "\"{name}\" is not known here; choose from {}",
                known.join(", ")
            )
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
