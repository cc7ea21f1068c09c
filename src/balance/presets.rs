use super::{Act, Eligibility, Filling, PartyMultipliers, Policy, Power, Trigger, Weigh};
use crate::domain::{ModeName, Probability};

/// The rules of a community, as its document has them; `docs/balance.md` quotes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preset {
    /// SynElo: sizes, and F11.
    SynElo,
    /// Sector's Edge: places, a table of sizes, a power difference.
    SectorsEdge,
    /// The proposal of weights for Sector's Edge: weights sent, a power ratio.
    SectorsEdgeWeights,
    /// Natural Selection 2: win probability, swaps.
    Ns2,
    /// Unreal Tournament 2004: weights sent, bots.
    Ut2004,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 5] = [
        Self::SynElo,
        Self::SectorsEdge,
        Self::SectorsEdgeWeights,
        Self::Ns2,
        Self::Ut2004,
    ];

    /// What settings and requests call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SynElo => "synelo",
            Self::SectorsEdge => "sectors-edge",
            Self::SectorsEdgeWeights => "sectors-edge-weights",
            Self::Ns2 => "ns2",
            Self::Ut2004 => "ut2004",
        }
    }

    /// The preset of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Its rules.
    #[must_use]
    pub fn policy(self) -> Policy {
        let common = Policy {
            weigh: Weigh::Rating,
            party_multipliers: PartyMultipliers::NONE,
            trigger: Trigger {
                left_alone_in: modes(&["ffa", "sandbox", "tournament", "scrimmage"]),
                ..Trigger::default()
            },
            eligible: Eligibility {
                move_parties: false,
                move_again: false,
                movable_share: 10_000,
                least_seconds: 0,
            },
            act: Act::Transfer,
            largest_team_share: 5000,
            apply_within_seconds: 10,
            apply_on_death: false,
        };
        let trigger = common.trigger.clone();
        match self {
            Self::SynElo => Policy {
                trigger: Trigger {
                    size_difference: Some(2),
                    ..trigger
                },
                ..common
            },
            Self::SectorsEdge => Policy {
                weigh: Weigh::RankPower,
                trigger: Trigger {
                    size_pairs: vec![(2, 0), (3, 1), (4, 2)],
                    power_difference: Some(points(10)),
                    even_sizes_suffice: true,
                    left_alone_in: modes(&["ffa", "sandbox", "trailer", "tournament", "scrimmage"]),
                    left_alone_seconds: 180,
                    ..trigger
                },
                eligible: Eligibility {
                    movable_share: 6700,
                    ..common.eligible
                },
                apply_within_seconds: 20,
                apply_on_death: true,
                ..common
            },
            Self::SectorsEdgeWeights => Policy {
                weigh: Weigh::Weight { default: None },
                party_multipliers: PartyMultipliers([115, 120, 125]),
                trigger: Trigger {
                    power_ratio: Some(2000),
                    left_alone_in: modes(&[
                        "ffa",
                        "gg",
                        "hh",
                        "sandbox",
                        "trailer",
                        "endless",
                        "tournament",
                        "scrimmage",
                    ]),
                    left_alone_seconds: 180,
                    ..trigger
                },
                eligible: Eligibility {
                    move_again: true,
                    ..common.eligible
                },
                largest_team_share: 10_000,
                apply_within_seconds: 20,
                apply_on_death: true,
                ..common
            },
            Self::Ns2 => Policy {
                trigger: Trigger {
                    win_probability: Probability::new(0.6),
                    ..trigger
                },
                act: Act::Swap,
                ..common
            },
            Self::Ut2004 => Policy {
                weigh: Weigh::Weight {
                    default: Some(points(50)),
                },
                trigger: Trigger {
                    bots: true,
                    ..trigger
                },
                act: Act::Fill(Filling {
                    least_players: 8,
                    bot_weight: points(20),
                }),
                largest_team_share: 5625,
                apply_within_seconds: 0,
                ..common
            },
        }
    }
}

fn points(points: u32) -> Power {
    Power::of_quarters(4 * points)
}

fn modes(names: &[&str]) -> Vec<ModeName> {
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_found_by_its_name_and_leaves_its_matches_alone() {
        for preset in Preset::ALL {
            assert_eq!(Preset::named(preset.name()), Some(preset));
            // None of the names got lost in the parsing.
            assert!(
                preset.policy().trigger.left_alone_in.len() >= 4,
                "{preset:?}"
            );
        }
        assert_eq!(Preset::named("SynElo"), None);
    }
}
