//! Tests of team balance by the examples in the documents of game communities, and helpers for these tests.

mod ns2;
mod powers;
mod sectors_edge;
mod synelo;
mod ut2004;
mod weights;

use std::sync::LazyLock;

use super::*;
use crate::domain::{PlayerId, Rating, Side};

const THETA: f64 = 2400.0;

pub(super) static BUILT_IN: LazyLock<Policies> = LazyLock::new(|| Policies::built_in().unwrap());

impl Tally {
    pub(super) fn size_difference(&self) -> usize {
        self.a.size.abs_diff(self.b.size)
    }
}

pub(super) fn built_in(name: &str) -> Policy {
    BUILT_IN.named(&name.parse().unwrap()).unwrap().clone()
}

pub(super) fn player(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap()
}

pub(super) fn rated(number: u64, points: i32) -> Player {
    Player::rated(player(number), Rating::new(points).unwrap())
}

fn team(first: u64, ratings: &[i32]) -> Vec<Player> {
    (first..)
        .zip(ratings)
        .map(|(number, points)| rated(number, *points))
        .collect()
}

/// Returns test players with these weights in points and ids from `first` on. The first `friends` players are a party.
fn weighed(first: u64, friends: usize, weights: &[f64]) -> Vec<Player> {
    let numbered = (first..).zip(weights).enumerate();
    let players = numbered.map(|(place, (number, weight))| Player {
        weight: Power::new(*weight),
        party: (place < friends).then(|| "friends".parse().unwrap()),
        ..rated(number, 1000)
    });
    players.collect()
}

fn state(team_a: Vec<Player>, team_b: Vec<Player>) -> Match {
    Match {
        team_a,
        team_b,
        ..Match::default()
    }
}

fn judged(policy: &str, team_a: Vec<Player>, team_b: Vec<Player>) -> Verdict {
    balance(&state(team_a, team_b), &built_in(policy), THETA).unwrap()
}

fn moved(verdict: &Verdict) -> Vec<PlayerId> {
    verdict.moves.iter().map(|one| one.id).collect()
}
