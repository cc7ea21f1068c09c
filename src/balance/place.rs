use std::collections::BTreeMap;

use super::climb::climb;
use super::fill::fill;
use super::standing::Standing;
use super::sums::{Item, Sums};
use super::{Act, Fill, Match, MissingWeight, Player, Policy, Power, Tally, TeamTally};
use crate::domain::{PartyName, PlayerId, Side};

/// Where those go who join a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Everybody who joins, by id.
    pub placed: Vec<Placed>,
    /// The teams without them.
    pub before: Tally,
    /// The teams with them.
    pub after: Tally,
    /// Whether no better way to place them is proven to exist.
    pub optimal: bool,
    /// Other ways to place them, the best first.
    pub runners_up: Vec<OtherPlacement>,
    /// The bots that there should be then, where the policy has bots.
    pub fill: Option<Fill>,
}

/// Somebody who joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Who.
    pub id: PlayerId,
    /// Which team.
    pub team: Side,
    /// The teams if nobody else joined.
    pub alone: Tally,
}

/// Another way to place those who join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPlacement {
    /// Who would go to team a, by id; everybody else goes to team b.
    pub team_a: Vec<PlayerId>,
    /// Who would go to team b, by id.
    pub team_b: Vec<PlayerId>,
    /// The teams then.
    pub after: Tally,
}

/// The most runners-up.
const MOST_RUNNERS_UP: usize = 3;
/// With more groups than these the search for runners-up would take too long.
const MANY_GROUPS: usize = 12;

/// What a placing is judged by, the less the better: players over what one team may have, how far
/// the powers differ, how far the sizes do.
type Key = (usize, u64, usize);

/// Places `joining` together on the teams of `state`, friends on one team.
///
/// First no team gets more players than the policy's share. Then the sums come as close as they can,
/// and with them the odds to even; then the sizes. Friends follow those of their party who stand on one team already.
///
/// # Errors
/// A player of whom a weight must be sent, and none is.
pub fn place(
    state: &Match,
    joining: &[Player],
    policy: &Policy,
) -> Result<Placement, MissingWeight> {
    let standing = Standing::of(state, joining, policy)?;
    let mut before = standing.tally();
    if let Act::Fill(filling) = policy.act {
        before = fill(&before, &state.bots, filling).1;
    }
    let groups = groups(&standing);
    let question = Question::new(&standing, policy, &groups, &before);
    let (seats, optimal) = question.solve(None);
    let after = |seats: &[Side]| -> Tally {
        let mut after = before;
        for (group, side) in groups.iter().zip(seats) {
            for player in &group.players {
                standing.join(&mut after, *side, player);
            }
        }
        refilled(after, state, policy).0
    };
    let mut placed: Vec<Placed> = Vec::new();
    for (group, side) in groups.iter().zip(&seats) {
        placed.extend(group.players.iter().map(|player| {
            let mut alone = before;
            standing.join(&mut alone, *side, player);
            Placed {
                id: player.id,
                team: *side,
                alone: refilled(alone, state, policy).0,
            }
        }));
    }
    placed.sort_unstable_by_key(|placed| placed.id);

    let mut others: Vec<(Key, OtherPlacement)> = Vec::new();
    let free = (0..groups.len()).filter(|place| groups[*place].fixed.is_none());
    let looked_at = if groups.len() > MANY_GROUPS {
        0
    } else {
        groups.len()
    };
    for place in free.take(looked_at) {
        let (other, _) = question.solve(Some((place, seats[place].other())));
        let of = |side: Side| -> Vec<PlayerId> {
            let sides = groups.iter().zip(&other).filter(|(_, team)| **team == side);
            let players = sides.flat_map(|(group, _)| group.players.iter().map(|player| player.id));
            let mut ids: Vec<PlayerId> = players.collect();
            ids.sort_unstable();
            ids
        };
        let other = (
            question.key_of(&other),
            OtherPlacement {
                team_a: of(Side::A),
                team_b: of(Side::B),
                after: after(&other),
            },
        );
        if !others.contains(&other) {
            others.push(other);
        }
    }
    others.sort_by(|(one, left), (other, right)| (one, &left.team_a).cmp(&(other, &right.team_a)));
    others.truncate(MOST_RUNNERS_UP);
    let after = after(&seats);
    Ok(Placement {
        placed,
        before,
        after,
        optimal,
        runners_up: others.into_iter().map(|(_, other)| other).collect(),
        fill: refilled(after, state, policy).1,
    })
}

/// The tally with the bots that there should be, where the policy has bots.
fn refilled(tally: Tally, state: &Match, policy: &Policy) -> (Tally, Option<Fill>) {
    match policy.act {
        Act::Fill(filling) => {
            let (fill, tally) = fill(&tally, &state.bots, filling);
            (tally, Some(fill))
        }
        Act::Transfer | Act::Swap => (tally, None),
    }
}

/// Players who are placed together.
#[derive(Debug)]
struct Group<'all> {
    players: Vec<&'all Player>,
    power: Power,
    /// Where their friends are, if they are on one team.
    fixed: Option<Side>,
}

/// Those who join, friends together: the largest parties first, then the heaviest.
fn groups<'all>(standing: &Standing<'all>) -> Vec<Group<'all>> {
    let mut parties: BTreeMap<&PartyName, Vec<&Player>> = BTreeMap::new();
    let mut groups: Vec<Vec<&Player>> = Vec::new();
    for player in &standing.joining {
        match &player.party {
            Some(party) => parties.entry(party).or_default().push(player),
            None => groups.push(vec![player]),
        }
    }
    groups.extend(parties.into_values());
    let has = |side: Side, party: &PartyName| {
        let mut team = standing.team(side).iter();
        team.any(|player| player.party.as_ref() == Some(party))
    };
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|players| {
            let party = players.first().and_then(|player| player.party.as_ref());
            let friends = party.map(|party| (has(Side::A, party), has(Side::B, party)));
            Group {
                power: players.iter().map(|player| standing.power(player)).sum(),
                fixed: match friends {
                    Some((true, false)) => Some(Side::A),
                    Some((false, true)) => Some(Side::B),
                    _ => None,
                },
                players,
            }
        })
        .collect();
    groups.sort_by_key(|group| {
        let first = group.players.first().map(|player| player.id);
        (std::cmp::Reverse((group.players.len(), group.power)), first)
    });
    groups
}

/// The question where the groups go.
#[derive(Debug)]
struct Question<'all> {
    groups: &'all [Group<'all>],
    /// What each adds to its team, less the bots whose places it takes.
    values: Vec<i64>,
    /// The team sizes without those who join.
    sizes: (usize, usize),
    /// By how much team a leads without them.
    lead: i64,
    /// The players that one team may have.
    most: usize,
    /// How many join, and the sum of their values.
    all: usize,
    total: i64,
}

impl<'all> Question<'all> {
    fn new(
        standing: &Standing,
        policy: &Policy,
        groups: &'all [Group<'all>],
        before: &Tally,
    ) -> Self {
        let players = |group: &Group| group.players.len();
        let sizes = (before.a.size, before.b.size);
        let joining: usize = groups.iter().map(players).sum();
        let all = sizes.0 + sizes.1 + joining;
        // With bots both teams end with one size, so a player adds what he weighs beyond a bot.
        let bot = standing.bot_weight.unwrap_or_default();
        let value = |group: &Group| (group.power - bot * players(group)).steps();
        let humans = |team: &TeamTally| team.power - bot * team.bots - bot * team.size;
        let values: Vec<i64> = groups.iter().map(value).collect();
        Self {
            total: values.iter().sum(),
            values,
            groups,
            sizes,
            lead: (humans(&before.a) - humans(&before.b)).steps(),
            most: all
                .div_ceil(2)
                .max(all * policy.largest_team_share as usize / 10_000),
            all: joining,
        }
    }

    /// The key where so many of those who join, weighing so much, go to team a.
    fn key(&self, players: usize, value: i64) -> Key {
        let (a, b) = (self.sizes.0 + players, self.sizes.1 + self.all - players);
        let lead = self.lead + value - (self.total - value);
        (
            a.max(b).saturating_sub(self.most),
            lead.unsigned_abs(),
            a.abs_diff(b),
        )
    }

    fn key_of(&self, seats: &[Side]) -> Key {
        let on_a = (0..seats.len()).filter(|place| seats[*place] == Side::A);
        let (players, value) = on_a.fold((0, 0), |(players, value), place| {
            (
                players + self.groups[place].players.len(),
                value + self.values[place],
            )
        });
        self.key(players, value)
    }

    /// The best seats, one group being sat down beforehand where that is told; and whether they are
    /// proven to be the best.
    fn solve(&self, seated: Option<(usize, Side)>) -> (Vec<Side>, bool) {
        let fixed: Vec<Option<Side>> = (0..self.groups.len())
            .map(|place| match seated {
                Some((who, side)) if who == place => Some(side),
                _ => self.groups[place].fixed,
            })
            .collect();
        let free: Vec<usize> = (0..fixed.len())
            .filter(|place| fixed[*place].is_none())
            .collect();
        let item = |place: usize| Item {
            players: self.groups[place].players.len(),
            value: self.values[place],
        };
        let items: Vec<Item> = free.iter().map(|place| item(*place)).collect();
        let on_a = (0..fixed.len())
            .filter(|place| fixed[*place] == Some(Side::A))
            .map(item);
        let (players, value) = on_a.fold((0, 0), |(players, value), item| {
            (players + item.players, value + item.value)
        });
        let key = |more: usize, value_more: i64| self.key(players + more, value + value_more);
        let all = items.iter().map(|item| item.players).sum();
        let (chosen, proven) = match Sums::of(&items, all) {
            Some(sums) => (best_of(&sums, all, key), true),
            None => climbed(&items, key),
        };
        let mut seats: Vec<Side> = fixed.iter().map(|side| side.unwrap_or(Side::B)).collect();
        for place in chosen {
            seats[free[place]] = Side::A;
        }
        (seats, proven)
    }
}

/// The items for team a that have the least key. How many players are too many depends on their
/// number alone and comes first, so that only the numbers with the fewest are looked through.
fn best_of(sums: &Sums, all: usize, key: impl Fn(usize, i64) -> Key) -> Vec<usize> {
    let excess = |count: usize| key(count, 0).0;
    let mut counts: Vec<usize> = (0..=all).rev().collect();
    counts.sort_by_key(|count| excess(*count));
    let best = counts
        .chunk_by(|one, other| excess(*one) == excess(*other))
        .find_map(|counts| {
            let each = counts.iter();
            let each =
                each.flat_map(|count| sums.all(*count).into_iter().map(move |sum| (*count, sum)));
            each.min_by_key(|(count, sum)| key(*count, *sum))
        });
    best.map(|(count, sum)| sums.first(count, sum))
        .unwrap_or_default()
}

/// The same where there are too many to prove it: each in turn to the better team, then step by
/// step.
fn climbed(items: &[Item], key: impl Fn(usize, i64) -> Key) -> (Vec<usize>, bool) {
    let mut chosen = vec![false; items.len()];
    let (mut players, mut value) = (0, 0);
    for (place, item) in items.iter().enumerate() {
        if key(players + item.players, value + item.value) < key(players, value) {
            chosen[place] = true;
            (players, value) = (players + item.players, value + item.value);
        }
    }
    let grouped: Vec<(usize, Item)> = items.iter().map(|item| (0, *item)).collect();
    let (excess, lead, _) = climb(&grouped, &mut chosen, true, key);
    let places = (0..chosen.len()).filter(|place| chosen[*place]).collect();
    // Nothing is closer than even.
    (places, excess == 0 && lead == 0)
}
