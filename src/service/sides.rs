//! Teams of a match, compared with the earlier teams that they come from.

use std::collections::BTreeMap;

use crate::api::{PlayerChange, SplitAnswer, SplitTableAnswer};
use crate::domain::{PlayerId, Round, Side};

/// Team of each player of a match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides(pub(crate) BTreeMap<PlayerId, Side>);

impl Sides {
    pub(crate) fn of_teams([a, b]: [impl Iterator<Item = PlayerId>; 2]) -> Self {
        let a = a.map(|id| (id, Side::A));
        Self(a.chain(b.map(|id| (id, Side::B))).collect())
    }

    /// Returns the teams of the rated players of a round.
    pub(crate) fn of_round(round: &Round) -> Self {
        let players = round.participants().map(|(side, entry)| (entry.id, side));
        Self(players.collect())
    }

    pub(crate) fn of_split(split: &SplitAnswer) -> Self {
        Self::of_teams([&split.a, &split.b].map(|team| team.iter().copied()))
    }

    pub(crate) fn team(&self, side: Side) -> impl Iterator<Item = PlayerId> {
        let players = self.0.iter().filter(move |(_, on)| **on == side);
        players.map(|(id, _)| *id)
    }

    /// Returns the split of `table` that these teams come from, with its teams turned to these. At least half of the
    /// players must be on the team of the split, after subtracting those on the other team.
    pub(crate) fn made_by<'table>(
        &self,
        table: &'table SplitTableAnswer,
    ) -> Option<(&'table SplitAnswer, Self)> {
        let splits = table.splits.iter().chain(&table.alternatives);
        let turned = splits.map(|split| (split, Self::of_split(split).turned_to(self)));
        let (split, (teams, likeness)) = turned.max_by_key(|(_, (_, likeness))| *likeness)?;
        (2 * likeness >= self.0.len() as u64).then_some((split, teams))
    }

    /// Swaps the sides of these earlier teams if then fewer players have moved until `now`. Returns the teams, and the
    /// number of players who are still on their team minus the number of those who have moved.
    pub(crate) fn turned_to(mut self, now: &Self) -> (Self, u64) {
        let likeness: i64 = now
            .0
            .iter()
            .map(|(id, side)| match self.0.get(id) {
                Some(before) if before == side => 1,
                Some(_) => -1,
                None => 0,
            })
            .sum();
        if likeness < 0 {
            for side in self.0.values_mut() {
                *side = side.other();
            }
        }
        (self, likeness.unsigned_abs())
    }

    /// Returns the change since these earlier teams of a player who is on the team `now`, or on none.
    pub(crate) fn change(&self, player: PlayerId, now: Option<Side>) -> Option<PlayerChange> {
        match (self.0.get(&player).copied(), now) {
            (None, Some(_)) => Some(PlayerChange::Joined),
            (Some(_), None) => Some(PlayerChange::Left),
            (before, now) => (before != now).then_some(PlayerChange::Moved),
        }
    }
}
