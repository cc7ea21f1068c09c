use std::collections::BTreeMap;

use figment::Figment;
use figment::providers::{Format as _, Toml};

use super::{InvalidPolicy, Policy, PolicyTable};
use crate::domain::PolicyName;

const BUILT_IN: &str = include_str!("../../../config/policies.toml");

/// The policies that matches can be judged by, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Policies(BTreeMap<PolicyName, Policy>);

/// A name that no policy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names no policy; choose one of {}", quoted(.known))]
pub struct UnknownPolicy {
    /// The names that there are, in alphabetical order.
    pub known: Vec<PolicyName>,
}

impl Policies {
    /// Those of `config/policies.toml`, which is compiled in.
    ///
    /// # Errors
    /// The first mistake in that file.
    pub fn built_in() -> Result<Self, InvalidPolicy> {
        let tables: BTreeMap<PolicyName, PolicyTable> = Figment::from(Toml::string(BUILT_IN))
            .extract()
            .map_err(|error| InvalidPolicy::new(&error.to_string()))?;
        let policies = tables.into_iter().map(|(name, table)| {
            let policy = table
                .over(Policy::default())
                .map_err(|error| error.within(&name))?;
            Ok((name, policy))
        });
        Ok(Self(policies.collect::<Result<_, InvalidPolicy>>()?))
    }

    /// Changes the policies that `tables` name, and adds those that are `like` a built-in one.
    ///
    /// # Errors
    /// The first table that makes no sense.
    pub fn apply(
        &mut self,
        tables: &BTreeMap<PolicyName, PolicyTable>,
    ) -> Result<(), InvalidPolicy> {
        let built_in = Self::built_in()?;
        for (name, table) in tables {
            let base = match (self.0.get(name), &table.like) {
                (Some(known), None) => Ok(known),
                (Some(_), Some(_)) => Err(InvalidPolicy::new(
                    "like is for a policy of a new name, and there is one of this name; leave it out \
                     to change that one, or choose another name",
                )),
                (None, Some(like)) => built_in
                    .named(like)
                    .map_err(|error| InvalidPolicy::new(&format!("like {error}"))),
                (None, None) => Err(InvalidPolicy::new(&format!(
                    "like is missing, and no policy has this name; correct the name, or set like to \
                     one of {}",
                    quoted(built_in.0.keys())
                ))),
            };
            let policy = base
                .and_then(|base| table.over(base.clone()))
                .map_err(|error| error.within(name))?;
            self.0.insert(name.clone(), policy);
        }
        Ok(())
    }

    /// The policy of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(&self, name: &PolicyName) -> Result<&Policy, UnknownPolicy> {
        self.0.get(name).ok_or_else(|| UnknownPolicy {
            known: self.0.keys().cloned().collect(),
        })
    }

    /// Every policy with its name, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&PolicyName, &Policy)> {
        self.0.iter()
    }
}

fn quoted<'all>(names: impl IntoIterator<Item = &'all PolicyName>) -> String {
    let names = names.into_iter().map(|name| format!("\"{name}\""));
    names.collect::<Vec<_>>().join(", ")
}
