use serde::Deserialize;

use super::{Act, Filling, PartyMultipliers, Policy, Trigger, Weigh};
use crate::balance::state::Power;
use crate::catalog::{Catalog, InvalidEntry, Table, check};
use crate::domain::{ModeName, PolicyName, PowerName, Probability};

/// A TOML table that sets parts of a balance policy; every part is optional.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyTable {
    /// Name of the built-in policy that a new policy copies.
    like: Option<PolicyName>,
    weigh: Option<String>,
    by: Option<PowerName>,
    default_weight: Option<f64>,
    party_multipliers: Option<Vec<f64>>,
    size_difference: Option<usize>,
    size_pairs: Option<Vec<Vec<usize>>>,
    power_difference: Option<f64>,
    power_ratio: Option<f64>,
    win_probability: Option<f64>,
    even_sizes_suffice: Option<bool>,
    left_alone_in: Option<Vec<String>>,
    left_alone_seconds: Option<u32>,
    move_parties: Option<bool>,
    move_again: Option<bool>,
    movable_share: Option<f64>,
    least_seconds: Option<u32>,
    act: Option<String>,
    least_players: Option<usize>,
    bot_weight: Option<f64>,
    no_teams_in: Option<Vec<String>>,
    largest_team_share: Option<f64>,
    apply_within_seconds: Option<u32>,
    apply_on_death: Option<bool>,
    wait_seconds: Option<u32>,
}

/// Catalog of all balance policies by name.
pub type Policies = Catalog<PolicyTable>;

impl Table for PolicyTable {
    type Name = PolicyName;
    type Entry = Policy;

    const NOUN: &'static str = "policy";
    const BUILT_IN: &'static str = include_str!("../../../config/policies.toml");
    const CHOICE: &'static str = "policy";
    const LIKE_AS_SET: bool = false;

    fn like(&self) -> Option<&PolicyName> {
        self.like.as_ref()
    }

    fn built_in(&self) -> Result<Policy, InvalidEntry> {
        self.over(Policy::default())
    }

    fn over(&self, base: Policy) -> Result<Policy, InvalidEntry> {
        let mut policy = base;
        policy.weigh = self.weigh(policy.weigh)?;
        policy.by = self.by.clone().or(policy.by);
        policy.act = self.act(policy.act)?;
        policy.trigger = self.trigger(policy.trigger)?;
        if let Some(multipliers) = &self.party_multipliers {
            policy.party_multipliers = PartyMultipliers::of(multipliers)?;
        }
        let eligible = &mut policy.eligible;
        eligible.move_parties = self.move_parties.unwrap_or(eligible.move_parties);
        eligible.move_again = self.move_again.unwrap_or(eligible.move_again);
        if let Some(share) = self.movable_share {
            eligible.movable_share = ten_thousandths(share, 0.0, 1.0)
                .ok_or_else(|| InvalidEntry::new("movable_share must be 0 to 1"))?;
        }
        set_seconds(
            &mut eligible.least_seconds,
            "least_seconds",
            self.least_seconds,
        )?;
        if let Some(share) = self.largest_team_share {
            policy.largest_team_share = ten_thousandths(share, 0.5, 1.0)
                .ok_or_else(|| InvalidEntry::new("largest_team_share must be 0.5 to 1"))?;
        }
        let within = self.apply_within_seconds;
        set_seconds(
            &mut policy.apply_within_seconds,
            "apply_within_seconds",
            within,
        )?;
        policy.apply_on_death = self.apply_on_death.unwrap_or(policy.apply_on_death);
        set_seconds(&mut policy.wait_seconds, "wait_seconds", self.wait_seconds)?;
        check_sense(&policy)?;
        Ok(policy)
    }
}

impl PolicyTable {
    fn weigh(&self, base: Weigh) -> Result<Weigh, InvalidEntry> {
        let weigh = match self.weigh.as_deref() {
            None => base,
            Some("rating") => Weigh::Rating,
            Some("rank-power") => Weigh::RankPower,
            Some("weight") => Weigh::Weight { default: None },
            Some(_) => {
                return Err(InvalidEntry::new(
                    "weigh must be \"rating\", \"rank-power\" or \"weight\"",
                ));
            }
        };
        match (weigh, self.default_weight) {
            (weigh, None) => Ok(weigh),
            (Weigh::Weight { .. }, Some(points)) => Ok(Weigh::Weight {
                default: Some(Power::of_setting(points, "default_weight")?),
            }),
            (_, Some(_)) => Err(InvalidEntry::new(
                "default_weight has no effect unless weigh = \
                 \"weight\"; leave it out",
            )),
        }
    }

    fn act(&self, base: Act) -> Result<Act, InvalidEntry> {
        let filling = match base {
            Act::Fill(filling) => filling,
            Act::Transfer | Act::Swap => Filling {
                least_players: 0,
                bot_weight: Power::ZERO,
            },
        };
        let act = match self.act.as_deref() {
            None => base,
            Some("transfer") => Act::Transfer,
            Some("swap") => Act::Swap,
            Some("fill") => Act::Fill(filling),
            Some(_) => {
                return Err(InvalidEntry::new(
                    "act must be \"transfer\", \"swap\" or \"fill\"",
                ));
            }
        };
        let Act::Fill(mut filling) = act else {
            let of_bots = [
                ("least_players", self.least_players.is_some()),
                ("bot_weight", self.bot_weight.is_some()),
            ];
            if let Some((setting, _)) = of_bots.into_iter().find(|(_, is_set)| *is_set) {
                return Err(InvalidEntry::new(format!(
                    "{setting} has no effect unless act = \"fill\"; leave it out"
                )));
            }
            return Ok(act);
        };
        if let Some(least) = self.least_players {
            check(least <= 128, "least_players must be at most 128")?;
            filling.least_players = least;
        }
        if let Some(points) = self.bot_weight {
            filling.bot_weight = Power::of_setting(points, "bot_weight")?;
        }
        Ok(Act::Fill(filling))
    }

    /// Replaces a policy's limits by those in this table. A limit of 0, or of 1 for win probability, is switched off.
    fn trigger(&self, base: Trigger) -> Result<Trigger, InvalidEntry> {
        let mut trigger = base;
        if let Some(players) = self.size_difference {
            check(
                players != 1 && players <= 64,
                "size_difference must be 2 to 64, or 0 for no limit; an odd number of players always makes a \
                 difference of 1",
            )?;
            trigger.size_difference = (players > 0).then_some(players);
        }
        if let Some(pairs) = &self.size_pairs {
            let pairs = pairs.iter().map(|pair| match pair[..] {
                [larger, smaller] if larger >= smaller + 2 && larger <= 64 => {
                    Some((larger, smaller))
                }
                _ => None,
            });
            trigger.size_pairs = pairs.collect::<Option<_>>().ok_or_else(|| {
                InvalidEntry::new(
                    "size_pairs must be pairs of team sizes, the larger (at most 64) first, 2 or more apart, such as \
                     [[3, 1]]",
                )
            })?;
        }
        if let Some(points) = self.power_difference {
            let points = Power::of_setting(points, "power_difference")?;
            trigger.power_difference = (points > Power::ZERO).then_some(points);
        }
        if let Some(ratio) = self.power_ratio {
            let ratio = ten_thousandths(ratio, 0.0, 100.0).ok_or_else(|| {
                InvalidEntry::new(
                    "power_ratio must be 0 to 100; 0.2 means 20 percent, 0 means no limit",
                )
            })?;
            trigger.power_ratio = (ratio > 0).then_some(ratio);
        }
        if let Some(odds) = self.win_probability {
            let odds = Probability::new(odds)
                .filter(|odds| *odds >= Probability::HALF)
                .ok_or_else(|| {
                    InvalidEntry::new(
                        "win_probability must be 0.5 to 1, the favourite's highest allowed chance of winning; \
                         1 means no limit",
                    )
                })?;
            trigger.win_probability = (odds.get() < 1.0).then_some(odds);
        }
        trigger.even_sizes_suffice = self
            .even_sizes_suffice
            .unwrap_or(trigger.even_sizes_suffice);
        if let Some(names) = &self.left_alone_in {
            trigger.left_alone_in = modes("left_alone_in", names)?;
        }
        if let Some(names) = &self.no_teams_in {
            trigger.no_teams_in = modes("no_teams_in", names)?;
        }
        let left = self.left_alone_seconds;
        set_seconds(&mut trigger.left_alone_seconds, "left_alone_seconds", left)?;
        Ok(trigger)
    }
}

/// Returns an error if two settings of a policy contradict each other.
fn check_sense(policy: &Policy) -> Result<(), InvalidEntry> {
    let trigger = &policy.trigger;
    let has_odds = trigger.win_probability.is_some();
    check(
        !has_odds || policy.weigh == Weigh::Rating,
        "win_probability needs weigh = \"rating\", because odds come from ratings; set win_probability \
         to 1 for no limit",
    )?;
    check(
        !has_odds || policy.by.is_none(),
        "by (a power) cannot be combined with win_probability, because odds come from ratings; leave out \
         \"by\", or set win_probability to 1 for no limit",
    )?;
    check(
        !has_odds || policy.party_multipliers == PartyMultipliers::NONE,
        "party_multipliers cannot be combined with win_probability, because odds come from \
         unchanged ratings; leave out party_multipliers, or set win_probability to 1 for no limit",
    )?;
    check(
        trigger.no_teams_in.is_empty() || policy.bots().is_some(),
        "no_teams_in has no effect unless act = \"fill\"; leave it out",
    )?;
    let has_limit = trigger.size_difference.is_some()
        || !trigger.size_pairs.is_empty()
        || trigger.has_limit_of_power();
    check(
        !has_limit || policy.bots().is_none(),
        "act = \"fill\" moves nobody, so limits on size, power and win probability have no effect; turn them off: \
         size_difference, power_difference and power_ratio = 0, size_pairs = [], win_probability = 1",
    )
}

/// Sets a number of seconds of a policy to the value of a setting, if the setting is present.
fn set_seconds(to: &mut u32, setting: &str, value: Option<u32>) -> Result<(), InvalidEntry> {
    let seconds = value.unwrap_or(*to);
    if seconds > 86_400 {
        return Err(InvalidEntry::new(format!(
            "{setting} must be at most 86400 seconds"
        )));
    }
    *to = seconds;
    Ok(())
}

fn modes(setting: &str, names: &[String]) -> Result<Vec<ModeName>, InvalidEntry> {
    let modes: Result<_, _> = names.iter().map(|name| name.parse()).collect();
    modes.map_err(|error| InvalidEntry::new(format!("{setting}: a name {error}")))
}

/// Converts a number to ten-thousandths, rounded; `None` outside of `least` to `most`.
pub(super) fn ten_thousandths(number: f64, least: f64, most: f64) -> Option<u32> {
    if !(least..=most).contains(&number) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is 0 to a million"
    )]
    let ten_thousandths = (number * 10_000.0).round() as u32;
    Some(ten_thousandths)
}
