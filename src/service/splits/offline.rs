use std::collections::HashMap;

use serde::Serialize;

use super::answer::{method_name, roles, spread};
use crate::api::{MethodName, RolesAnswer, SpreadAnswer};
use crate::domain::{InvalidPlayerId, PlayerId, Probability, Rating};
use crate::partition::{Alternatives, Candidate, Limits, Pool, Role, Split, Wishes, solve};
use crate::rating::win_probability;
use crate::service::ServiceError;

/// The most players that a list may have, as many as a scramble.
pub const MAX_LISTED: usize = 128;

/// A player of a list, known by the line alone: names may stand twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedPlayer {
    /// The line, from 1.
    pub line: usize,
    /// What counts into a team's sum.
    pub rating: Rating,
    /// What the player is called.
    pub name: String,
}

/// Which splits of a list are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedSplits {
    /// The best of every size from 2 to half of the players.
    EverySize,
    /// That of everybody, in which nobody waits; an odd number plays k against k + 1.
    Everybody,
    /// The best of each of these sizes.
    Sizes(Vec<usize>),
    /// Several of one size, the best first.
    Best {
        /// Players a team.
        size: usize,
        /// How many splits, where there are that many.
        count: usize,
    },
}

/// A role that each team should have players for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRole {
    /// What it is called.
    pub name: String,
    /// How many of the players each team should have.
    pub each: usize,
    /// Who can fill it, as places in the list, from 0; players that are not there are passed over.
    pub players: Vec<usize>,
}

/// What may be asked about a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRequest {
    /// Which splits.
    pub wanted: WantedSplits,
    /// Whether the highest rated player always plays.
    pub anchor: bool,
    /// The roles that each team should have players for.
    pub roles: Vec<ListedRole>,
    /// The points above the least difference within which the two best may be kept apart.
    pub tolerance: u32,
    /// Θ, above 0.
    pub theta: f64,
}

/// A split of a list. Players stand by rating, the highest first, and equals by line. In JSON it has
/// the names that it has in the answer to a scramble.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedSplit<'list> {
    /// Players a team; of uneven teams, the smaller one's.
    pub size: usize,
    /// One team.
    pub a: Vec<&'list ListedPlayer>,
    /// The other.
    pub b: Vec<&'list ListedPlayer>,
    /// Everybody else.
    pub waiting: Vec<&'list ListedPlayer>,
    /// The sum of team a's ratings.
    pub sum_a: i64,
    /// The sum of team b's ratings.
    pub sum_b: i64,
    /// |sum_a - sum_b|.
    pub difference: u64,
    /// F1.
    pub win_probability_a: Probability,
    /// How the split was found.
    pub method: MethodName,
    /// Whether no split of the size that fits the request is better.
    pub optimal: bool,
    /// The least difference that a split of this size can have with no wish but the anchor, and
    /// with as many who wait; `None` where it is not known.
    pub best_difference: Option<u64>,
    /// The roles that players are missing for.
    pub roles: RolesAnswer,
    /// How alike the teams are.
    pub spread: SpreadAnswer,
}

/// The splits of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ListedSplits<'list> {
    /// The best of every size wanted, ascending.
    pub splits: Vec<ListedSplit<'list>>,
    /// Several of one size, where they are wanted, the best first.
    pub alternatives: Vec<ListedSplit<'list>>,
}

/// The splits of players who are known from a list alone, without a service and its database.
///
/// # Errors
/// None that a list of at most [`MAX_LISTED`] players can cause.
pub fn split_list<'list>(
    players: &'list [ListedPlayer],
    request: &ListRequest,
) -> Result<ListedSplits<'list>, ServiceError> {
    // Ids that only tell the players apart, and put equals in the order of their lines.
    let ids = (1..=players.len()).map(|number| format!("[U:1:{number}]").parse());
    let ids: Result<Vec<PlayerId>, InvalidPlayerId> = ids.collect();
    let ids = ids.map_err(ServiceError::internal)?;
    let by_id: HashMap<PlayerId, &ListedPlayer> = ids.iter().copied().zip(players).collect();
    let candidates = by_id.iter().map(|(&id, player)| Candidate {
        id,
        rating: player.rating,
    });
    let pool = Pool::new(candidates).map_err(ServiceError::internal)?;
    let table = solve(&pool, &wishes(request, &ids), &Limits::default());
    let listed = |found: &[Split]| {
        let listed = found
            .iter()
            .map(|split| listed(split, &by_id, request.theta));
        listed.collect()
    };
    Ok(ListedSplits {
        splits: listed(&table.splits),
        alternatives: listed(&table.alternatives),
    })
}

/// What `request` wishes of the splits of the players who have these ids, in the order of the list.
fn wishes(request: &ListRequest, ids: &[PlayerId]) -> Wishes {
    let (sizes, alternatives) = match &request.wanted {
        WantedSplits::EverySize | WantedSplits::Everybody => (None, None),
        WantedSplits::Sizes(sizes) => (Some(sizes.clone()), None),
        &WantedSplits::Best { size, count } => {
            (Some(vec![size]), Some(Alternatives { size, count }))
        }
    };
    Wishes {
        sizes,
        alternatives,
        anchor: request.anchor,
        bench: request.wanted != WantedSplits::Everybody,
        roles: request.roles.iter().map(|role| named(role, ids)).collect(),
        tolerance: request.tolerance,
        ..Wishes::default()
    }
}

fn named(role: &ListedRole, ids: &[PlayerId]) -> Role {
    let players = role.players.iter().filter_map(|&place| ids.get(place));
    Role {
        name: role.name.clone(),
        players: players.copied().collect(),
        each: role.each,
    }
}

fn listed<'list>(
    split: &Split,
    by_id: &HashMap<PlayerId, &'list ListedPlayer>,
    theta: f64,
) -> ListedSplit<'list> {
    let players = |seated: &[Candidate]| seated.iter().map(|player| by_id[&player.id]).collect();
    ListedSplit {
        size: split.size,
        a: players(&split.a),
        b: players(&split.b),
        waiting: players(&split.waiting),
        sum_a: split.sum_a,
        sum_b: split.sum_b,
        difference: split.difference,
        win_probability_a: win_probability(split.sum_a, split.sum_b, theta),
        method: method_name(split.method),
        optimal: split.optimal,
        best_difference: split.outcome.best_difference,
        roles: roles(&split.outcome),
        spread: spread(&split.outcome),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: ListRequest = ListRequest {
        wanted: WantedSplits::EverySize,
        anchor: true,
        roles: Vec::new(),
        tolerance: 0,
        theta: 2400.0,
    };

    fn players(ratings: &[i32]) -> Vec<ListedPlayer> {
        let numbered = (1..).zip(ratings);
        let player = |(line, &points)| ListedPlayer {
            line,
            rating: Rating::new(points).unwrap(),
            name: "Roger".to_owned(),
        };
        numbered.map(player).collect()
    }

    fn lines(players: &[&ListedPlayer]) -> Vec<usize> {
        players.iter().map(|player| player.line).collect()
    }

    #[test]
    fn players_of_one_name_are_told_apart_and_equals_stand_by_line() {
        let players = players(&[1000, 1300, 1000, 700, 1000]);
        let splits = split_list(&players, &REQUEST).unwrap().splits;
        let [split] = &splits[..] else {
            panic!("{splits:#?}");
        };
        assert_eq!(
            (split.sum_a, split.sum_b, split.difference),
            (2000, 2000, 0)
        );
        assert_eq!(lines(&split.a), [2, 4], "the best and the weakest");
        let mut others = [lines(&split.b), lines(&split.waiting)].concat();
        assert!(lines(&split.b).is_sorted());
        others.sort_unstable();
        assert_eq!(others, [1, 3, 5]);
        assert_eq!(split.win_probability_a, Probability::HALF);
        assert_eq!((split.spread.a, split.spread.b), (300.0, 0.0));
        assert_eq!((split.method, split.optimal), (MethodName::Exact, true));
    }

    #[test]
    fn the_odds_follow_theta() {
        let players = players(&[4000, 1000, 1000, 1000, 1000]);
        let request = ListRequest {
            theta: 3000.0,
            ..REQUEST
        };
        let splits = split_list(&players, &request).unwrap().splits;
        let odds = splits[0].win_probability_a.get();
        assert!((odds - 0.731_058_578_630_004_9).abs() < 1e-12, "{odds}");
    }

    #[test]
    fn below_four_players_there_is_nothing_to_split() {
        for count in 0..4 {
            let players = players(&vec![1000; count]);
            assert_eq!(
                split_list(&players, &REQUEST).unwrap(),
                ListedSplits::default()
            );
        }
    }

    #[test]
    fn the_longest_list_is_split() {
        let ratings: Vec<i32> = (0..128)
            .map(|number| 1000 + number * number % 769)
            .collect();
        assert_eq!(ratings.len(), MAX_LISTED);
        let players = players(&ratings);
        let splits = split_list(&players, &REQUEST).unwrap().splits;
        assert!(splits.iter().map(|split| split.size).eq(2..=64));
    }

    #[test]
    fn what_is_asked_becomes_wishes() {
        let ids: Vec<PlayerId> = ["[U:1:1]", "[U:1:2]"].map(|id| id.parse().unwrap()).into();
        assert_eq!(wishes(&REQUEST, &ids), Wishes::default());
        let sizes = ListRequest {
            wanted: WantedSplits::Sizes(vec![3, 8]),
            anchor: false,
            roles: vec![ListedRole {
                name: "medic".to_owned(),
                each: 2,
                players: vec![1, 7],
            }],
            tolerance: 20,
            theta: 1.0,
        };
        let expected = Wishes {
            sizes: Some(vec![3, 8]),
            anchor: false,
            roles: vec![Role {
                name: "medic".to_owned(),
                players: vec![ids[1]],
                each: 2,
            }],
            tolerance: 20,
            ..Wishes::default()
        };
        assert_eq!(wishes(&sizes, &ids), expected);
        let everybody = ListRequest {
            wanted: WantedSplits::Everybody,
            ..REQUEST
        };
        let expected = Wishes {
            bench: false,
            ..Wishes::default()
        };
        assert_eq!(wishes(&everybody, &ids), expected);
        let best = ListRequest {
            wanted: WantedSplits::Best { size: 8, count: 5 },
            ..REQUEST
        };
        let expected = Wishes {
            sizes: Some(vec![8]),
            alternatives: Some(Alternatives { size: 8, count: 5 }),
            ..Wishes::default()
        };
        assert_eq!(wishes(&best, &ids), expected);
    }
}
