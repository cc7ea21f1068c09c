use std::collections::BTreeMap;
use std::fmt;
use std::iter::once;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::InvalidSetting;
use crate::catalog::{Catalog, Table};

/// Configuration table of named entries, such as `[balance]` with its policies: the chosen name, and a table for each
/// changed or added entry.
#[derive(Debug)]
pub(super) struct CatalogTable<T: Table> {
    choice: Option<T::Name>,
    entries: BTreeMap<T::Name, T>,
}

impl<T: Table> Default for CatalogTable<T> {
    fn default() -> Self {
        Self {
            choice: None,
            entries: BTreeMap::new(),
        }
    }
}

impl<'de, T: Table> Deserialize<'de> for CatalogTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

/// Reads a [`CatalogTable`] key by key, so that an error names the key.
struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Table> Visitor<'de> for TableVisitor<T> {
    type Value = CatalogTable<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut table = CatalogTable::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == T::CHOICE {
                table.choice = Some(map.next_value()?);
                continue;
            }
            let name = key.parse().map_err(|error| {
                M::Error::custom(format!("the {}'s name \"{key}\" {error}", T::NOUN))
            })?;
            table.entries.insert(name, map.next_value()?);
        }
        Ok(table)
    }
}

/// Merges built-in entries (such as policies), the table for all pools (`common`) and the pool's table (`own`), in this
/// order. Each table comes with its path, for errors.
///
/// `checked` validates the entries after each table. Returns the name of the chosen entry, if any, and all entries.
pub(super) fn check<T: Table>(
    common: (&str, &CatalogTable<T>),
    own: (&str, Option<&CatalogTable<T>>),
    checked: impl Fn(&Catalog<T>) -> Result<(), String>,
) -> Result<(Option<T::Name>, Catalog<T>), InvalidSetting> {
    let wrong =
        |place: &str, problem: &dyn fmt::Display| InvalidSetting(format!("{place}.{problem}"));
    let mut catalog =
        Catalog::built_in().map_err(|error| wrong(&format!("built-in {}", common.0), &error))?;
    let mut choice = None;
    let (own_place, own) = own;
    for (place, table) in once(common).chain(own.map(|own| (own_place, own))) {
        catalog
            .apply(&table.entries)
            .map_err(|error| wrong(place, &error))?;
        checked(&catalog).map_err(|error| wrong(place, &error))?;
        if let Some(name) = &table.choice {
            catalog
                .named(name)
                .map_err(|error| wrong(place, &format!("{} {error}", T::CHOICE)))?;
            choice = Some(name);
        }
    }
    Ok((choice.cloned(), catalog))
}
