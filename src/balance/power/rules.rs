use std::collections::BTreeMap;

use figment::Figment;
use figment::providers::{Format as _, Toml};

use super::rule::PowerRule;
use super::table::{InvalidPower, PowerTable};
use crate::domain::PowerName;

const BUILT_IN: &str = include_str!("../../../config/powers.toml");

/// The powers that players can be weighed by, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerRules(BTreeMap<PowerName, PowerRule>);

/// A name that no power has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names no power; choose one of {}", quoted(.known))]
pub struct UnknownPower {
    /// The names that there are, in alphabetical order.
    pub known: Vec<PowerName>,
}

impl PowerRules {
    /// The rating, and those of `config/powers.toml`, which is compiled in.
    ///
    /// # Errors
    /// The first mistake in that file.
    pub fn built_in() -> Result<Self, InvalidPower> {
        let tables: BTreeMap<PowerName, PowerTable> = Figment::from(Toml::string(BUILT_IN))
            .extract()
            .map_err(|error| InvalidPower::new(&error.to_string()))?;
        let mut rules = Self(BTreeMap::from([(PowerName::default(), PowerRule::Rating)]));
        rules.apply(&tables)?;
        Ok(rules)
    }

    /// Changes the powers that `tables` name, and adds the others, those that are `like` another as
    /// that one stands then.
    ///
    /// # Errors
    /// The first table that makes no sense.
    pub fn apply(&mut self, tables: &BTreeMap<PowerName, PowerTable>) -> Result<(), InvalidPower> {
        for (name, table) in tables {
            let rule = self
                .changed(name, table)
                .map_err(|error| error.within(name))?;
            self.0.insert(name.clone(), rule);
        }
        Ok(())
    }

    fn changed(&self, name: &PowerName, table: &PowerTable) -> Result<PowerRule, InvalidPower> {
        let base = match (self.0.get(name), &table.like) {
            (Some(_), Some(_)) => Err(InvalidPower::new(
                "like is for a power of a new name, and there is one of this name; leave it out to \
                 change that one, or choose another name",
            )),
            (known, None) => Ok(known),
            (None, Some(like)) => match self.named(like) {
                Ok(known) => Ok(Some(known)),
                Err(unknown) => Err(InvalidPower::new(&format!("like {unknown}"))),
            },
        };
        match base? {
            None => table.complete(),
            Some(PowerRule::Scoreboard(base)) => table.over(base.clone()),
            Some(PowerRule::Rating) => Err(InvalidPower::new(
                "terms cannot be set of the rating; choose another name, and no like",
            )),
        }
        .map(PowerRule::Scoreboard)
    }

    /// The power of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(&self, name: &PowerName) -> Result<&PowerRule, UnknownPower> {
        self.0.get(name).ok_or_else(|| UnknownPower {
            known: self.0.keys().cloned().collect(),
        })
    }

    /// Every power with its name, in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = (&PowerName, &PowerRule)> {
        self.0.iter()
    }
}

fn quoted<'all>(names: impl IntoIterator<Item = &'all PowerName>) -> String {
    let names = names.into_iter().map(|name| format!("\"{name}\""));
    names.collect::<Vec<_>>().join(", ")
}
