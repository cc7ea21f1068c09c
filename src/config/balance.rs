use std::collections::BTreeMap;

use serde::Deserialize;

use super::InvalidSetting;
use super::policy_table::PolicyTable;
use crate::balance::{Policy, Preset};

/// What is set for the balance of one pool's matches.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceSettings {
    /// The policy where a request names none.
    pub preset: Preset,
    policies: BTreeMap<Preset, Policy>,
}

impl BalanceSettings {
    /// The rules of a preset, as they are set for the pool.
    #[must_use]
    pub fn policy(&self, preset: Preset) -> Policy {
        // Every preset has been set; as printed, it would be as good.
        let set = self.policies.get(&preset).cloned();
        set.unwrap_or_else(|| preset.policy())
    }
}

/// The table `[balance]`, and `[pools.….balance]` over it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BalanceTable {
    policy: Option<String>,
    #[serde(default)]
    synelo: PolicyTable,
    #[serde(default)]
    sectors_edge: PolicyTable,
    #[serde(default)]
    sectors_edge_weights: PolicyTable,
    #[serde(default)]
    ns2: PolicyTable,
    #[serde(default)]
    ut2004: PolicyTable,
}

impl BalanceTable {
    fn of(&self, preset: Preset) -> &PolicyTable {
        match preset {
            Preset::SynElo => &self.synelo,
            Preset::SectorsEdge => &self.sectors_edge,
            Preset::SectorsEdgeWeights => &self.sectors_edge_weights,
            Preset::Ns2 => &self.ns2,
            Preset::Ut2004 => &self.ut2004,
        }
    }
}

/// The settings of a pool: its `own` table at `place` over the `common` one.
pub(super) fn check(
    common: &BalanceTable,
    place: &str,
    own: &BalanceTable,
) -> Result<BalanceSettings, InvalidSetting> {
    let tables = [("balance", common), (place, own)];
    let mut chosen = Preset::SynElo;
    let mut policies = BTreeMap::new();
    for (place, table) in tables {
        if let Some(name) = &table.policy {
            chosen = Preset::named(name).ok_or_else(|| {
                let names = Preset::ALL.map(|preset| format!("\"{}\"", preset.name()));
                InvalidSetting(format!(
                    "{place}.policy must be one of {}",
                    names.join(", ")
                ))
            })?;
        }
    }
    for preset in Preset::ALL {
        let mut policy = preset.policy();
        for (place, table) in tables {
            let place = format!("{place}.{}", preset.name());
            policy = table.of(preset).over(policy, &place)?;
        }
        policies.insert(preset, policy);
    }
    Ok(BalanceSettings {
        preset: chosen,
        policies,
    })
}

#[cfg(test)]
mod tests {
    use figment::Figment;
    use figment::providers::{Format as _, Toml};

    use super::*;
    use crate::balance::{Act, Filling, PartyMultipliers, Power, Trigger, Weigh};
    use crate::domain::Probability;

    fn table(toml: &str) -> BalanceTable {
        Figment::from(Toml::string(toml)).extract().unwrap()
    }

    fn settings(common: &str, own: &str) -> Result<BalanceSettings, String> {
        let settings = check(&table(common), "pools.arena.balance", &table(own));
        settings.map_err(|error| error.to_string())
    }

    #[test]
    fn without_a_word_synelo_is_the_policy_and_every_preset_is_as_printed() {
        let settings = settings("", "").unwrap();
        assert_eq!(settings.preset, Preset::SynElo);
        for preset in Preset::ALL {
            assert_eq!(settings.policy(preset), preset.policy());
        }
    }

    #[test]
    fn a_pools_own_parts_win_over_the_common_ones_and_those_over_the_presets() {
        let settings = settings(
            "policy = \"ns2\"\n[sectors-edge]\npower_difference = 12.5\nmovable_share = 0.5",
            "policy = \"sectors-edge\"\n[sectors-edge]\npower_difference = 15\nleft_alone_in = []",
        )
        .unwrap();
        assert_eq!(settings.preset, Preset::SectorsEdge);
        let policy = settings.policy(Preset::SectorsEdge);
        assert_eq!(policy.trigger.power_difference, Power::new(15.0));
        assert_eq!(policy.eligible.movable_share, 5000);
        assert!(policy.trigger.left_alone_in.is_empty());
        assert_eq!(policy.trigger.size_pairs, [(2, 0), (3, 1), (4, 2)]);
        assert_eq!(settings.policy(Preset::Ns2), Preset::Ns2.policy());
    }

    #[test]
    fn every_part_can_be_set() {
        let settings = settings(
            "[synelo]\nweigh = \"weight\"\ndefault_weight = 7.5\nparty_multipliers = [1.1, 1.25, 2]\n\
             size_difference = 3\nsize_pairs = [[5, 2]]\npower_difference = 9\npower_ratio = 0.25\n\
             even_sizes_suffice = true\nleft_alone_in = [\"duel\"]\nleft_alone_seconds = 60\n\
             move_parties = true\nmove_again = true\nmovable_share = 0.75\nleast_seconds = 30\n\
             act = \"swap\"\nlargest_team_share = 0.6\napply_within_seconds = 5\napply_on_death = true\n\
             [ns2]\nwin_probability = 0.75\n\
             [ut2004]\nleast_players = 12\nbot_weight = 33",
            "",
        )
        .unwrap();
        let synelo = settings.policy(Preset::SynElo);
        assert_eq!(
            synelo.weigh,
            Weigh::Weight {
                default: Power::new(7.5)
            }
        );
        assert_eq!(synelo.party_multipliers, PartyMultipliers([110, 125, 200]));
        let expected = Trigger {
            size_difference: Some(3),
            size_pairs: vec![(5, 2)],
            power_difference: Power::new(9.0),
            power_ratio: Some(2500),
            win_probability: None,
            even_sizes_suffice: true,
            bots: false,
            left_alone_in: vec!["duel".parse().unwrap()],
            left_alone_seconds: 60,
        };
        assert_eq!(synelo.trigger, expected);
        let eligible = synelo.eligible;
        assert!(eligible.move_parties && eligible.move_again);
        assert_eq!((eligible.movable_share, eligible.least_seconds), (7500, 30));
        assert_eq!((synelo.act, synelo.largest_team_share), (Act::Swap, 6000));
        assert_eq!(
            (synelo.apply_within_seconds, synelo.apply_on_death),
            (5, true)
        );
        let odds = settings.policy(Preset::Ns2).trigger.win_probability;
        assert_eq!(odds, Probability::new(0.75));
        let filling = Filling {
            least_players: 12,
            bot_weight: Power::new(33.0).unwrap(),
        };
        assert_eq!(settings.policy(Preset::Ut2004).act, Act::Fill(filling));
    }

    #[test]
    fn a_limit_can_be_switched_off() {
        let settings = settings(
            "[sectors-edge]\npower_difference = 0\nsize_pairs = []\n[sectors-edge-weights]\npower_ratio = 0\n\
             [synelo]\nsize_difference = 0\n[ns2]\nwin_probability = 1",
            "",
        )
        .unwrap();
        for preset in [
            Preset::SynElo,
            Preset::SectorsEdge,
            Preset::SectorsEdgeWeights,
            Preset::Ns2,
        ] {
            let trigger = settings.policy(preset).trigger;
            let limitless = Trigger {
                left_alone_in: trigger.left_alone_in.clone(),
                left_alone_seconds: trigger.left_alone_seconds,
                even_sizes_suffice: trigger.even_sizes_suffice,
                ..Trigger::default()
            };
            assert_eq!(trigger, limitless, "{preset:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (toml, names) in [
            (
                "policy = \"best\"",
                "pools.arena.balance.policy must be one of \"synelo\"",
            ),
            (
                "[ns2]\nweigh = \"guess\"",
                "pools.arena.balance.ns2.weigh must be",
            ),
            (
                "[ns2]\nweigh = \"weight\"",
                "ns2.win_probability needs weigh",
            ),
            (
                "[ns2]\nparty_multipliers = [1.1, 1.2, 1.3]",
                "ns2.party_multipliers have no place beside win_probability",
            ),
            (
                "[ns2]\ndefault_weight = 5",
                "ns2.default_weight has no place",
            ),
            ("[ns2]\nact = \"fill\"", "ns2.act = \"fill\" moves nobody"),
            ("[ns2]\nact = \"shoot\"", "ns2.act must be"),
            ("[ns2]\nleast_players = 5", "ns2.least_players has no place"),
            ("[ns2]\nbot_weight = 5", "ns2.bot_weight has no place"),
            (
                "[ut2004]\nleast_players = 129",
                "ut2004.least_players must be",
            ),
            (
                "[ut2004]\nsize_difference = 2",
                "ut2004.act = \"fill\" moves nobody",
            ),
            (
                "[ut2004]\nbot_weight = -1",
                "ut2004.bot_weight must be 0 to 1000000",
            ),
            (
                "[synelo]\nsize_difference = 1",
                "synelo.size_difference must be 2 to 64",
            ),
            (
                "[synelo]\nsize_pairs = [[3, 2]]",
                "synelo.size_pairs must be pairs",
            ),
            (
                "[synelo]\nsize_pairs = [[3]]",
                "synelo.size_pairs must be pairs",
            ),
            (
                "[synelo]\npower_difference = -1",
                "synelo.power_difference must be",
            ),
            ("[synelo]\npower_ratio = -0.1", "synelo.power_ratio must be"),
            (
                "[synelo]\nwin_probability = 0.4",
                "synelo.win_probability must be",
            ),
            (
                "[synelo]\nleft_alone_in = [\"a b\"]",
                "synelo.left_alone_in has a name that must be",
            ),
            (
                "[synelo]\nleft_alone_seconds = 90000",
                "synelo.left_alone_seconds must be",
            ),
            (
                "[synelo]\nleast_seconds = 90000",
                "synelo.least_seconds must be",
            ),
            (
                "[synelo]\napply_within_seconds = 90000",
                "synelo.apply_within_seconds must be",
            ),
            (
                "[synelo]\nmovable_share = 1.1",
                "synelo.movable_share must be",
            ),
            (
                "[synelo]\nlargest_team_share = 0.4",
                "synelo.largest_team_share must be",
            ),
            (
                "[synelo]\nparty_multipliers = [1.1]",
                "synelo.party_multipliers must be",
            ),
            (
                "[synelo]\nparty_multipliers = [1.155, 2, 2]",
                "synelo.party_multipliers must be",
            ),
        ] {
            let error = settings("", toml).unwrap_err();
            assert!(error.contains(names), "{toml}: {error}");
        }
    }
}
