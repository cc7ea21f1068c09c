use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::MutatorName;

/// Names of the rule changes active in a round, such as instant kills or low gravity: a set of at most 16 names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Mutators(BTreeSet<MutatorName>);

impl Mutators {
    /// Maximum number of mutator names sent for one round, counted with duplicates.
    pub const MAX: usize = 16;

    /// Collects names of mutators (rule changes of a game) into a set. If there are more than [`Self::MAX`], returns
    /// their number as the error.
    pub fn new(names: impl IntoIterator<Item = MutatorName>) -> Result<Self, usize> {
        let names: Vec<MutatorName> = names.into_iter().collect();
        if names.len() > Self::MAX {
            return Err(names.len());
        }
        Ok(Self(names.into_iter().collect()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the names of the mutators (rule changes of a game) in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &MutatorName> {
        self.0.iter()
    }

    /// Returns the mutators (rule changes of a game) that are also in the set `matter`.
    pub(crate) fn intersection(&self, matter: &BTreeSet<MutatorName>) -> Self {
        Self(self.0.intersection(matter).cloned().collect())
    }
}

impl<'de> Deserialize<'de> for Mutators {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names: Option<Vec<MutatorName>> = Option::deserialize(deserializer)?;
        Self::new(names.unwrap_or_default()).map_err(|count| {
            let most = Self::MAX;
            de::Error::custom(format!("has {count} names; send at most {most}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_doubles_do_not_matter_and_null_is_none() {
        let read = |text| serde_json::from_str::<Mutators>(text).unwrap();
        assert_eq!(read(r#"["b","a","b"]"#), read(r#"["a","b"]"#));
        assert_eq!(read("null"), Mutators::default());
    }
}
