//! Entries by name that tables in TOML change and add to: those that are built in, those of the configuration, and those of
//! a pool. Policies of balance, policies of matchmaking and powers are kept so.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::de::DeserializeOwned;

/// A table in TOML that sets parts of an entry; every part is optional.
pub trait Table: DeserializeOwned {
    /// The type of names.
    type Name: Clone + Debug + Display + Ord + FromStr<Err: Display> + DeserializeOwned;
    /// The type of entries.
    type Entry: Clone + Debug + PartialEq;

    /// The noun for an entry in sentences, such as `policy`.
    const NOUN: &'static str;
    /// The tables that are compiled in.
    const BUILT_IN: &'static str;
    /// The key, beside the tables, that chooses an entry.
    const CHOICE: &'static str;
    /// Whether an entry that is like another starts from that one as it is set, and not as it is built in.
    const LIKE_AS_SET: bool;

    /// The entries that have no table.
    #[must_use]
    fn without_table() -> BTreeMap<Self::Name, Self::Entry> {
        BTreeMap::new()
    }

    /// The entry that a new one starts from.
    fn like(&self) -> Option<&Self::Name>;

    /// The entry of a table that is compiled in.
    ///
    /// # Errors
    /// A part that makes no sense.
    fn built_in(&self) -> Result<Self::Entry, InvalidEntry>;

    /// The entry of a table that has a new name and no `like`; the `known` names are listed in the refusal.
    ///
    /// # Errors
    /// A table that cannot stand by itself, or a part that makes no sense.
    fn alone(&self, known: &str) -> Result<Self::Entry, InvalidEntry> {
        Err(InvalidEntry(format!(
            "like is missing, and no {} has this name; correct the name, or set like to one of {known}",
            Self::NOUN
        )))
    }

    /// The `base` with what is set here.
    ///
    /// # Errors
    /// A part that makes no sense.
    fn over(&self, base: Self::Entry) -> Result<Self::Entry, InvalidEntry>;
}

/// Entries by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog<T: Table>(BTreeMap<T::Name, T::Entry>);

/// A part of an entry that makes no sense; the text begins with the setting, within the entry's table or with its name
/// before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidEntry(String);

/// A name that no entry has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names no {noun}; choose one of {known}")]
pub struct UnknownEntry {
    noun: &'static str,
    /// The names that there are, in alphabetical order.
    known: String,
}

impl InvalidEntry {
    /// Creates an error with that text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl<T: Table> Catalog<T> {
    /// Returns the entries that are compiled in.
    ///
    /// # Errors
    /// The first mistake in their file.
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

    /// Changes the entries that `tables` name, and adds the others.
    ///
    /// # Errors
    /// The first table that makes no sense.
    pub fn apply(&mut self, tables: &BTreeMap<T::Name, T>) -> Result<(), InvalidEntry> {
        let built_in = Self::built_in()?;
        for (name, table) in tables {
            let origin = if T::LIKE_AS_SET { &*self } else { &built_in };
            let entry = match (self.0.get(name), table.like()) {
                (Some(known), None) => table.over(known.clone()),
                (Some(_), Some(_)) => Err(InvalidEntry(format!(
                    "like is for a {} of a new name, and there is one of this name; leave it out to change that one, or \
                     choose another name",
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

    /// The entry of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(&self, name: &T::Name) -> Result<&T::Entry, UnknownEntry> {
        self.0.get(name).ok_or_else(|| UnknownEntry {
            noun: T::NOUN,
            known: self.names(),
        })
    }

    /// Every entry with its name, in alphabetical order.
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

/// Puts the name of the entry in front of the setting.
fn within(name: &impl Display, error: &InvalidEntry) -> InvalidEntry {
    InvalidEntry(format!("{name}.{error}"))
}
