//! Options for map advantages and bots, for commands that read rounds from files.

use std::collections::BTreeMap;
use std::str::FromStr;

use clap::Args;

use crate::domain::{BotLevel, MapName, Rating};
use crate::rating::{Advantages, Parameters};

/// Options that replace a pool's configured map advantages and ratings of bots.
#[derive(Debug, Args)]
pub struct HandicapOptions {
    /// For rounds read from files: points by which a map favours team a, as in [pools.NAME.advantages]; may be given
    /// several times.
    #[arg(long = "advantage", value_name = "MAP=POINTS", value_parser = advantage)]
    advantages: Vec<(MapName, i32)>,
    /// For rounds read from files: rating of the bots at a skill level, as in [pools.NAME.bots]; may be given several
    /// times.
    #[arg(long = "bot", value_name = "LEVEL=RATING", value_parser = bot)]
    levels: Vec<(BotLevel, Rating)>,
}

impl HandicapOptions {
    pub(super) fn is_any(&self) -> bool {
        !(self.advantages.is_empty() && self.levels.is_empty())
    }

    /// Returns the rating parameters, with the map advantages and ratings of bots from the options.
    pub fn over(&self, parameters: &Parameters) -> anyhow::Result<Parameters> {
        let advantages: BTreeMap<MapName, i32> = self.advantages.iter().cloned().collect();
        let advantages = Advantages::new(advantages)
            .map_err(|problem| anyhow::anyhow!("--advantage {problem}"))?;
        let parameters = Parameters {
            advantages,
            bots: self.levels.iter().cloned().collect(),
            ..parameters.clone()
        };
        Ok(parameters.checked()?)
    }
}

fn named(text: &str) -> Option<(&str, i32)> {
    let (name, number) = text.rsplit_once('=')?;
    Some((name, number.parse().ok()?))
}

fn advantage(text: &str) -> Result<(MapName, i32), String> {
    let (map, points) = named(text)
        .ok_or("must be a map and a whole number of points, such as cp_dustbowl=-300")?;
    let map = MapName::from_str(map).map_err(|error| error.to_string())?;
    Ok((map, points))
}

fn bot(text: &str) -> Result<(BotLevel, Rating), String> {
    let problem = "must be a level and a whole number as its rating, such as expert=1400";
    let (level, points) = named(text).ok_or(problem)?;
    let level = BotLevel::from_str(level).map_err(|error| error.to_string())?;
    Ok((level, Rating::new(points).ok_or(problem)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_read_and_the_rest_is_refused() {
        assert_eq!(advantage("a=b=-30"), Ok(("a=b".parse().unwrap(), -30)));
        assert_eq!(bot("easy=600").unwrap().1.points(), 600);
        for text in ["m", "m=x", "m=1.5", "=3"] {
            assert!(advantage(text).is_err(), "{text}");
        }
        assert!(bot("easy=-100001").unwrap_err().contains("expert=1400"));
        let options = HandicapOptions {
            advantages: vec![("m".parse().unwrap(), 10_001)],
            levels: Vec::new(),
        };
        let problem = options
            .over(&Parameters::default())
            .unwrap_err()
            .to_string();
        assert!(
            problem.starts_with("--advantage of \"m\" must be"),
            "{problem}"
        );
    }
}
