use std::collections::HashMap;

use super::weigh::party_sizes;
use crate::balance::state::{Player, Power};
use crate::domain::PlayerId;

/// Rules that say which players may be moved to the other team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Eligibility {
    /// `true` if a player may be moved whose party has at least two present members.
    pub(crate) move_parties: bool,
    pub(crate) move_again: bool,
    /// Share of a team that may be moved, in ten-thousandths: the players with the fewest points among those whom no
    /// other rule excludes. The number is rounded down, but is at least one unless the share is 0.
    pub(crate) movable_share: u32,
    /// Minimum time in the match before a player may be moved, in seconds.
    pub(crate) least_seconds: u32,
}

/// Reason why a player must not be moved; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ineligible {
    Party,
    Moved,
    /// Player who must not be moved now, such as the carrier of the flag.
    Immune,
    /// Player who joined the match less than the policy's minimum number of seconds ago, and so must not be moved.
    JustJoined,
    /// Player who is among the best of the team by points in the match.
    Best,
}

/// Returns the players of `team` who must not be moved, with the reasons. `present` is everybody in the match.
///
/// The share of movable players counts only players whom no other rule excludes. Nobody is among the best if no points
/// are known.
pub(crate) fn ineligible(
    team: &[&Player],
    present: &[&Player],
    powers: &HashMap<PlayerId, Power>,
    rules: Eligibility,
) -> HashMap<PlayerId, Ineligible> {
    let parties = party_sizes(present.iter().copied());
    let in_party = |player: &Player| {
        let members = player.party.as_ref().and_then(|party| parties.get(party));
        members.is_some_and(|members| *members > 1)
    };
    let just_joined = |player: &Player| {
        let joined = player.joined_seconds;
        joined.is_some_and(|seconds| seconds < rules.least_seconds)
    };
    let mut out = HashMap::new();
    let mut rest = Vec::new();
    for player in team {
        if !rules.move_parties && in_party(player) {
            out.insert(player.id, Ineligible::Party);
        } else if !rules.move_again && player.moved {
            out.insert(player.id, Ineligible::Moved);
        } else if player.immune {
            out.insert(player.id, Ineligible::Immune);
        } else if just_joined(player) {
            out.insert(player.id, Ineligible::JustJoined);
        } else {
            rest.push(*player);
        }
    }
    if present.iter().any(|player| player.points.is_some()) {
        rest.sort_unstable_by_key(|player| {
            (
                player.points.unwrap_or(0),
                powers.get(&player.id).copied(),
                player.id,
            )
        });
        let least = usize::from(rules.movable_share > 0);
        let movable = (rest.len() * rules.movable_share as usize / 10_000).max(least);
        for player in rest.split_off(movable.min(rest.len())) {
            out.insert(player.id, Ineligible::Best);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::examples::{built_in, rated};

    fn why(team: &[Player], rules: Eligibility) -> Vec<Option<Ineligible>> {
        let all: Vec<&Player> = team.iter().collect();
        let found = ineligible(&all, &all, &HashMap::new(), rules);
        team.iter()
            .map(|player| found.get(&player.id).copied())
            .collect()
    }

    #[test]
    fn the_best_third_stays() {
        let rules = built_in("sectors-edge").eligible;
        for (players, movable) in [(1, 1), (2, 1), (3, 2), (4, 2), (6, 4), (9, 6), (12, 8)] {
            let scored = |number| Player {
                points: Some(10 * i32::try_from(number).unwrap()),
                ..rated(number, 1000)
            };
            let team: Vec<Player> = (1..=players).map(scored).collect();
            let expected: Vec<_> = (1..=players)
                .map(|number| (number > movable).then_some(Ineligible::Best))
                .collect();
            assert_eq!(why(&team, rules), expected, "{players} players");
        }
    }

    #[test]
    fn each_rule_has_its_word_and_a_party_of_one_is_none() {
        let rules = Eligibility {
            movable_share: 7000,
            least_seconds: 60,
            ..built_in("synelo").eligible
        };
        let team = [
            Player {
                party: Some("one".parse().unwrap()),
                ..rated(1, 1000)
            },
            Player {
                moved: true,
                ..rated(2, 1000)
            },
            Player {
                immune: true,
                ..rated(3, 1000)
            },
            Player {
                joined_seconds: Some(59),
                ..rated(4, 1000)
            },
            Player {
                joined_seconds: Some(60),
                ..rated(5, 1000)
            },
            Player {
                points: Some(1),
                ..rated(6, 1000)
            },
        ];
        let expected = [
            None,
            Some(Ineligible::Moved),
            Some(Ineligible::Immune),
            Some(Ineligible::JustJoined),
            None,
            Some(Ineligible::Best),
        ];
        assert_eq!(why(&team, rules), expected);
        let lenient = Eligibility {
            move_again: true,
            movable_share: 10_000,
            least_seconds: 0,
            ..rules
        };
        let immune = Some(Ineligible::Immune);
        assert_eq!(why(&team, lenient), [None, None, immune, None, None, None]);
    }
}
