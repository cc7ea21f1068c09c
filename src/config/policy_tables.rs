use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::domain::PolicyName;

/// A table of policies, such as `[balance]`: the name of one, and a table for each that is changed or added.
#[derive(Debug)]
pub(super) struct PolicyTables<Table> {
    pub(super) policy: Option<PolicyName>,
    pub(super) policies: BTreeMap<PolicyName, Table>,
}

impl<Table> Default for PolicyTables<Table> {
    fn default() -> Self {
        Self {
            policy: None,
            policies: BTreeMap::new(),
        }
    }
}

impl<'de, Table: Deserialize<'de>> Deserialize<'de> for PolicyTables<Table> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

/// Reads [`PolicyTables`] key by key, so that an error names the key that it is under.
struct TableVisitor<Table>(PhantomData<Table>);

impl<'de, Table: Deserialize<'de>> Visitor<'de> for TableVisitor<Table> {
    type Value = PolicyTables<Table>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut table = PolicyTables::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == "policy" {
                table.policy = Some(map.next_value()?);
                continue;
            }
            let name = key.parse().map_err(|error| {
                M::Error::custom(format!("the policy's name \"{key}\" {error}"))
            })?;
            table.policies.insert(name, map.next_value()?);
        }
        Ok(table)
    }
}
