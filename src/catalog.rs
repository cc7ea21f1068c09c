//! Catalogs of named entries (balance policies, matchmaking policies, powers), read from TOML.
//!
//! Built-in tables are compiled in. Tables of the configuration, and of a pool, change entries or add new ones.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::de::DeserializeOwned;

/// TOML table that sets parts of a named entry, such as a balance policy; every part is optional.
pub trait Table: DeserializeOwned {
    /// Type of the name that identifies an entry, such as a balance policy, among its kind.
    type Name: Clone + Debug + Display + Ord + FromStr<Err: Display> + DeserializeOwned;
    /// Type of an entry with all parts set, such as a balance policy.
    type Entry: Clone + Debug + PartialEq;

    /// Noun for an entry, such as `policy`, in error messages.
    const NOUN: &'static str;
    /// TOML text of the built-in entries, such as balance policies, which is compiled into the program.
    const BUILT_IN: &'static str;
    /// Configuration key that names the default entry, such as `policy` for the default balance policy.
    const CHOICE: &'static str;
    /// Selects what `like = "name"` in a new entry, such as a balance policy, copies: `true` for the named entry with
    /// the configuration's changes, `false` for its built-in form.
    const LIKE_AS_SET: bool;

    /// Returns the built-in entries, such as powers, that have no table in the TOML text [`BUILT_IN`](Self::BUILT_IN).
    #[must_use]
    fn without_table() -> BTreeMap<Self::Name, Self::Entry> {
        BTreeMap::new()
    }

    /// Returns the name of the entry, such as a balance policy, that a new entry copies; `None` if not set.
    fn like(&self) -> Option<&Self::Name>;

    /// Builds a complete entry, such as a balance policy, from a TOML table that is compiled into the program.
    fn built_in(&self) -> Result<Self::Entry, InvalidEntry>;

    /// Builds an entry, such as a power, from a TOML table with a new name and no `like`. `known` lists the known
    /// names, for the error.
    ///
    /// # Errors
    /// Returns an error if entries of this type need a `like`, which is the default.
    fn alone(&self, known: &str) -> Result<Self::Entry, InvalidEntry> {
        Err(InvalidEntry(format!(
            "like is missing, and no {} has this name; correct the name, or set \"like\" to one of {known}",
            Self::NOUN
        )))
    }

    /// Returns the entry `base`, such as a balance policy, with the parts that this TOML table sets.
    fn over(&self, base: Self::Entry) -> Result<Self::Entry, InvalidEntry>;
}

/// Named entries of one kind, such as balance policies or powers, sorted by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog<T: Table>(BTreeMap<T::Name, T::Entry>);

/// Error for an invalid part of a named entry, such as a balance policy. The text begins with the setting: `part`, or
/// `name.part`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidEntry(String);

/// Error for a name that no entry has, such as an unknown balance policy; lists the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a known {noun}; choose one of {known}")]
pub struct UnknownEntry {
    noun: &'static str,
    /// Names of all entries, such as balance policies, in alphabetical order, quoted and separated by commas.
    known: String,
}

impl InvalidEntry {
    /// Creates the error of an invalid entry, such as a balance policy, from its text, which must begin with the
    /// setting.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Returns an error with the text `sentence`, which must begin with the setting, unless a rule `holds`.
pub(crate) fn check(holds: bool, sentence: &str) -> Result<(), InvalidEntry> {
    holds
        .then_some(())
        .ok_or_else(|| InvalidEntry::new(sentence))
}

impl<T: Table> Catalog<T> {
    /// Returns all built-in entries of one kind, such as balance policies, which are compiled into the program.
    ///
    /// # Errors
    /// Returns the first mistake in the TOML tables that are compiled into the program.
    pub fn built_in() -> Result<Self, InvalidEntry> {
        let tables: BTreeMap<T::Name, T> = Figment::from(Toml::string(T::BUILT_IN))
            .extract()
            .map_err(|error| InvalidEntry(error.to_string()))?;
        let mut catalog = Self(T::without_table());
        for (name, table) in tables {
            let entry = table.built_in().map_err(|error| within(&name, &error))?;
            catalog.0.insert(name, entry);
        }
        Ok(catalog)
    }

    /// Changes the entries, such as balance policies, that `tables` name, and adds entries for new names.
    ///
    /// # Errors
    /// Returns the first invalid TOML table. Earlier tables stay applied.
    pub fn apply(&mut self, tables: &BTreeMap<T::Name, T>) -> Result<(), InvalidEntry> {
        let built_in = Self::built_in()?;
        for (name, table) in tables {
            let origin = if T::LIKE_AS_SET { &*self } else { &built_in };
            let entry = match (self.0.get(name), table.like()) {
                (Some(known), None) => table.over(known.clone()),
                (Some(_), Some(_)) => Err(InvalidEntry(format!(
                    "like is only for a new {}, but this name is taken; leave out \"like\" to change the existing \
                     one, or choose another name",
                    T::NOUN
                ))),
                (None, Some(like)) => origin
                    .named(like)
                    .map_err(|error| InvalidEntry(format!("like {error}")))
                    .and_then(|base| table.over(base.clone())),
                (None, None) => table.alone(&origin.names()),
            };
            let entry = entry.map_err(|error| within(name, &error))?;
            self.0.insert(name.clone(), entry);
        }
        Ok(())
    }

    /// Returns the entry, such as a balance policy, with this name.
    ///
    /// # Errors
    /// Returns [`UnknownEntry`], which lists the known names, if no entry has this name.
    pub fn named(&self, name: &T::Name) -> Result<&T::Entry, UnknownEntry> {
        self.0.get(name).ok_or_else(|| UnknownEntry {
            noun: T::NOUN,
            known: self.names(),
        })
    }

    /// Returns all entries, such as balance policies, with their names, in alphabetical order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&T::Name, &T::Entry)> {
        self.0.iter()
    }

    fn names(&self) -> String {
        self.0
            .keys()
            .map(|name| format!("\"{name}\""))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

fn within(name: &impl Display, error: &InvalidEntry) -> InvalidEntry {
    InvalidEntry(format!("{name}.{error}"))
}
