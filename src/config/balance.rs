use super::InvalidSetting;
use super::catalogs::{self, CatalogTable};
use crate::balance::{Policies, PolicyTable, PowerRules};
use crate::domain::PolicyName;

/// Balance settings of one pool.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceSettings {
    /// Balance policy for requests that name none; one of `policies`.
    pub policy: PolicyName,
    /// Built-in balance policies with this pool's changes, and policies that the configuration adds.
    pub policies: Policies,
}

/// Table `[balance]` or `[pools.NAME.balance]` of the configuration file.
pub(super) type BalanceTable = CatalogTable<PolicyTable>;

/// Merges a pool's own balance table, whose path is `place`, over the common table. Policies may name the pool's
/// `powers`.
pub(super) fn check(
    common: &BalanceTable,
    place: &str,
    own: Option<&BalanceTable>,
    powers: &PowerRules,
) -> Result<BalanceSettings, InvalidSetting> {
    let go_by_powers = |policies: &Policies| {
        policies.iter().try_for_each(|(name, policy)| {
            let by = policy.by.iter();
            by.map(|by| powers.named(by))
                .try_for_each(|found| found.map(|_| ()))
                .map_err(|error| format!("{name}.by {error}"))
        })
    };
    let (policy, policies) = catalogs::check(("balance", common), (place, own), go_by_powers)?;
    Ok(BalanceSettings {
        policy: policy.ok_or_else(|| {
            InvalidSetting("balance.policy is missing and has no default; set it".into())
        })?,
        policies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::{Act, Filling, PartyMultipliers, Policy, Power, Trigger, Weigh};
    use crate::config::tests::merged;
    use crate::domain::Probability;

    fn settings(common: &str, own: &str) -> Result<BalanceSettings, String> {
        let powers = PowerRules::built_in().unwrap();
        let place = "pools.arena.balance";
        merged([common, own], |common, own| {
            check(common, place, own, &powers)
        })
    }

    fn policy(settings: &BalanceSettings, name: &str) -> Policy {
        let policy = settings.policies.named(&name.parse().unwrap());
        policy.unwrap().clone()
    }

    #[test]
    fn without_any_change_every_policy_is_the_built_in_one() {
        let settings = settings("policy = \"synelo\"", "").unwrap();
        assert_eq!(settings.policy.as_str(), "synelo");
        assert_eq!(settings.policies, Policies::built_in().unwrap());
    }

    #[test]
    fn a_policy_of_ones_own_is_like_a_built_in_one_but_for_its_parts() {
        let common = "policy = \"house\"\n[house]\nlike = \"ns2\"\nwin_probability = 0.7\n\
                      [ns2]\nsize_difference = 3";
        let settings = settings(
            common,
            "[house]\nmove_again = true\n[late]\nlike = \"ut2004\"",
        )
        .unwrap();
        assert_eq!(settings.policy.as_str(), "house");
        let house = policy(&settings, "house");
        assert_eq!(house.trigger.win_probability, Probability::new(0.7));
        // `like` copies the built-in policy, without the configured changes to that policy.
        assert_eq!(
            (house.act, house.trigger.size_difference),
            (Act::Swap, None)
        );
        assert!(house.eligible.move_again);
        assert!(policy(&settings, "late").bots().is_some());
        assert_eq!(settings.policies.iter().count(), 7);
    }

    #[test]
    fn a_pools_own_parts_win_over_the_common_ones_and_those_over_the_presets() {
        let settings = settings(
            "policy = \"ns2\"\n[sectors-edge]\npower_difference = 12.5\nmovable_share = 0.5",
            "policy = \"sectors-edge\"\n[sectors-edge]\npower_difference = 15\nleft_alone_in = []",
        )
        .unwrap();
        assert_eq!(settings.policy.as_str(), "sectors-edge");
        let changed = policy(&settings, "sectors-edge");
        assert_eq!(changed.trigger.power_difference, Power::new(15.0));
        assert_eq!(changed.eligible.movable_share, 5000);
        assert!(changed.trigger.left_alone_in.is_empty());
        assert_eq!(changed.trigger.size_pairs, [(2, 0), (3, 1), (4, 2)]);
        let built_in = Policies::built_in().unwrap();
        let ns2 = "ns2".parse().unwrap();
        assert_eq!(settings.policies.named(&ns2), built_in.named(&ns2));
    }

    #[test]
    fn every_part_can_be_set() {
        let settings = settings(
            "policy = \"synelo\"\n[synelo]\nweigh = \"weight\"\ndefault_weight = 7.5\nparty_multipliers = [1.1, 1.25, 2]\n\
             size_difference = 3\nsize_pairs = [[5, 2]]\npower_difference = 9\npower_ratio = 0.25\n\
             even_sizes_suffice = true\nleft_alone_in = [\"duel\"]\nleft_alone_seconds = 60\n\
             move_parties = true\nmove_again = true\nmovable_share = 0.75\nleast_seconds = 30\n\
             act = \"swap\"\nlargest_team_share = 0.6\napply_within_seconds = 5\napply_on_death = true\n\
             wait_seconds = 15\n\
             [ns2]\nwin_probability = 0.75\n\
             [ut2004]\nleast_players = 12\nbot_weight = 33\nno_teams_in = [\"duel\"]",
            "",
        )
        .unwrap();
        let synelo = policy(&settings, "synelo");
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
            left_alone_in: vec!["duel".parse().unwrap()],
            left_alone_seconds: 60,
            no_teams_in: Vec::new(),
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
        assert_eq!(synelo.wait_seconds, 15);
        let odds = policy(&settings, "ns2").trigger.win_probability;
        assert_eq!(odds, Probability::new(0.75));
        let filling = Filling {
            least_players: 12,
            bot_weight: Power::new(33.0).unwrap(),
        };
        let ut2004 = policy(&settings, "ut2004");
        assert_eq!(ut2004.act, Act::Fill(filling));
        assert_eq!(ut2004.trigger.no_teams_in, ["duel".parse().unwrap()]);
    }

    #[test]
    fn a_limit_can_be_switched_off() {
        let settings = settings(
            "policy = \"synelo\"\n[sectors-edge]\npower_difference = 0\nsize_pairs = []\n[sectors-edge-weights]\npower_ratio = 0\n\
             [synelo]\nsize_difference = 0\n[ns2]\nwin_probability = 1",
            "",
        )
        .unwrap();
        for name in ["synelo", "sectors-edge", "sectors-edge-weights", "ns2"] {
            let trigger = policy(&settings, name).trigger;
            let limitless = Trigger {
                left_alone_in: trigger.left_alone_in.clone(),
                left_alone_seconds: trigger.left_alone_seconds,
                even_sizes_suffice: trigger.even_sizes_suffice,
                ..Trigger::default()
            };
            assert_eq!(trigger, limitless, "{name}");
        }
    }

    #[test]
    fn a_name_that_makes_no_sense_is_named() {
        for (toml, expected) in [
            (
                "policy = \"best\"",
                "policy is not a known policy; choose one of \"ns2\", \"sectors-edge\"",
            ),
            (
                "[house]\nlike = \"best\"",
                "house.like is not a known policy; choose one of \"ns2\", \"sectors-edge\"",
            ),
            (
                "[sinelo]\nsize_difference = 3",
                "sinelo.like is missing, and no policy has this name",
            ),
            (
                "[ns2]\nlike = \"synelo\"",
                "ns2.like is only for a new policy",
            ),
            (
                "[house]\nlike = \"ns2\"\nact = \"shoot\"",
                "house.act must be",
            ),
        ] {
            refuses(toml, expected);
        }
    }

    #[track_caller]
    fn refuses(toml: &str, expected: &str) {
        let error = settings("", toml).unwrap_err();
        let expected = format!("pools.arena.balance.{expected}");
        assert!(error.starts_with(&expected), "{toml}: {error}");
    }

    #[test]
    fn a_part_out_of_its_range_is_named() {
        for (policy, part, value, range) in [
            ("ut2004", "least_players", "129", "at most 128"),
            ("ut2004", "bot_weight", "-1", "0 to 1000000"),
            ("synelo", "size_difference", "1", "2 to 64"),
            ("synelo", "size_pairs", "[[3, 2]]", "pairs"),
            ("synelo", "size_pairs", "[[3]]", "pairs"),
            ("synelo", "power_difference", "-1", "0 to 1000000"),
            ("synelo", "power_ratio", "-0.1", "0 to 100"),
            ("synelo", "win_probability", "0.4", "0.5 to 1"),
            ("synelo", "left_alone_seconds", "90000", "at most 86400"),
            ("synelo", "least_seconds", "90000", "at most 86400"),
            ("synelo", "apply_within_seconds", "90000", "at most 86400"),
            ("synelo", "movable_share", "1.1", "0 to 1"),
            ("synelo", "largest_team_share", "0.4", "0.5 to 1"),
            ("synelo", "party_multipliers", "[1.1]", "three"),
            ("synelo", "party_multipliers", "[1.155, 2, 2]", "three"),
        ] {
            let toml = format!("[{policy}]\n{part} = {value}");
            refuses(&toml, &format!("{policy}.{part} must be {range}"));
        }
    }

    #[test]
    fn a_part_that_makes_no_sense_is_named() {
        for (policy, part, expected) in [
            ("ns2", "weigh = \"guess\"", "weigh must be \"rating\""),
            ("ns2", "act = \"shoot\"", "act must be \"transfer\""),
            ("ns2", "weigh = \"weight\"", "win_probability needs weigh"),
            (
                "ns2",
                "party_multipliers = [1.1, 1.2, 1.3]",
                "party_multipliers cannot be combined with win_probability",
            ),
            ("ns2", "default_weight = 5", "default_weight has no effect"),
            (
                "ns2",
                "by = \"pub-power\"",
                "by (a power) cannot be combined with win_probability",
            ),
            (
                "synelo",
                "by = \"best\"",
                "by is not a known power; choose one of \"kdr-power\"",
            ),
            ("ns2", "act = \"fill\"", "act = \"fill\" moves nobody"),
            ("ns2", "least_players = 5", "least_players has no effect"),
            ("ns2", "bot_weight = 5", "bot_weight has no effect"),
            (
                "ut2004",
                "size_difference = 2",
                "act = \"fill\" moves nobody",
            ),
            (
                "synelo",
                "left_alone_in = [\"a\\nb\"]",
                "left_alone_in: a name must be",
            ),
        ] {
            refuses(
                &format!("[{policy}]\n{part}"),
                &format!("{policy}.{expected}"),
            );
        }
    }
}
