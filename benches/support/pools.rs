//! Pools of the kinds that are hard to split, and all kinds of wishes.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rbs::domain::{PlayerId, Rating};
use rbs::partition::{Candidate, Current, Pool, Role, Wishes};

use super::Dice;

/// Highest rating in the benchmarks.
pub const MAX_RATING: i32 = 10_000;

/// Distribution of the ratings of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Roughly normal, with mean 1000 and standard deviation 300.
    Typical,
    /// A third of the players are new with exactly 1000; the others are typical.
    ShadowMix,
    /// Ratings are multiples of 100.
    Steps,
    /// One player far above typical players.
    Outlier,
    /// One half near 1000, the other half near 9000.
    TwoClusters,
    /// Uniform from 100 to the maximum.
    Uniform,
    /// Geometric up to the maximum.
    Powers,
}

pub const CLASSES: [Class; 7] = [
    Class::Typical,
    Class::ShadowMix,
    Class::Steps,
    Class::Outlier,
    Class::TwoClusters,
    Class::Uniform,
    Class::Powers,
];

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::Typical => "typical",
            Self::ShadowMix => "shadow_mix",
            Self::Steps => "steps",
            Self::Outlier => "outlier",
            Self::TwoClusters => "two clusters",
            Self::Uniform => "uniform",
            Self::Powers => "powers",
        }
    }

    pub fn ratings(self, players: usize, dice: &mut Dice) -> Vec<i32> {
        let lowest = between(dice, 1..=100);
        (0..players)
            .map(|index| match self {
                Self::ShadowMix if index % 3 == 0 => 1000,
                Self::Outlier if index == 0 => MAX_RATING,
                Self::Typical | Self::ShadowMix | Self::Outlier => typical(dice),
                Self::Steps => (typical(dice) + 50) / 100 * 100,
                Self::TwoClusters if index % 2 == 0 => between(dice, 995..=1005),
                Self::TwoClusters => between(dice, 8995..=9005),
                Self::Uniform => between(dice, 100..=MAX_RATING),
                Self::Powers => power(lowest, index, players),
            })
            .collect()
    }
}

/// Draws a number from `range`.
pub fn between(dice: &mut Dice, range: RangeInclusive<i32>) -> i32 {
    let sides = usize::try_from(range.end() - range.start() + 1).expect("a range with numbers");
    range.start() + i32::try_from(dice.roll(sides)).expect("a number of the range")
}

fn typical(dice: &mut Dice) -> i32 {
    // The sum of twelve such numbers has a standard deviation of 600.
    let sum: i32 = (0..12).map(|_| between(dice, -300..=300)).sum();
    (1000 + sum / 2).clamp(100, 4000)
}

/// Rating of the player `index` of a geometric series from `lowest` to [`MAX_RATING`].
fn power(lowest: i32, index: usize, players: usize) -> i32 {
    let [index, last] = [index, players - 1].map(|number| {
        let number = u32::try_from(number).expect("few players");
        f64::from(number)
    });
    let lowest = f64::from(lowest);
    Rating::from_rounded(lowest * (f64::from(MAX_RATING) / lowest).powf(index / last)).points()
}

pub fn pool_of(ratings: &[i32]) -> Pool {
    let ids = ids(ratings.len());
    let candidates = ids.into_iter().zip(ratings).map(|(id, &points)| Candidate {
        id,
        rating: Rating::new(points).expect("a rating"),
    });
    Pool::new(candidates).expect("ids count up")
}

fn ids(players: usize) -> Vec<PlayerId> {
    let ids = super::players(0, players as u64).into_iter();
    ids.map(|id| PlayerId::from_steam_id64(id).expect("an account"))
        .collect()
}

/// All kinds of wishes at once, for 12 players or more: the current teams, two parties, a pair apart, one player who
/// must play, a third who have waited, and a split to avoid.
pub fn all_wishes(players: usize, dice: &mut Dice) -> Wishes {
    let (current, recent) = (some_teams(players, dice), some_teams(players, dice));
    let waited: BTreeMap<PlayerId, u32> = shuffled(players, dice)
        .into_iter()
        .take(players / 3)
        .zip([1, 2, 3].into_iter().cycle())
        .collect();
    let chosen = shuffled(players, dice);
    Wishes {
        current: Some(current),
        parties: vec![chosen[..2].to_vec(), chosen[2..5].to_vec()],
        apart: vec![[chosen[5], chosen[6]]],
        must_play: vec![chosen[7]],
        waited,
        recent: vec![recent],
        ..Wishes::default()
    }
}

/// Random wishes of every kind, for 12 players or more: up to five parties of two to five, up to four pairs apart,
/// forced and excluded players, waits, roles, the current teams, splits to avoid, tolerances up to 300 and party prices
/// up to 1000.
pub fn random_wishes(players: usize, dice: &mut Dice) -> Wishes {
    let chosen = shuffled(players, dice);
    let mut free = chosen.iter().copied();
    let parties = (0..dice.roll(6)).map(|_| free.by_ref().take(2 + dice.roll(4)).collect());
    let parties: Vec<Vec<PlayerId>> = parties.collect();
    let must = shuffled(players, dice);
    let (must_play, must_wait) = must.split_at(players / 2);
    let longest = 1 + dice.roll(4);
    let mut waited = BTreeMap::new();
    for id in &chosen {
        if dice.roll(2) == 0 {
            waited.insert(*id, [1, 2, 3, 4][dice.roll(longest)]);
        }
    }
    Wishes {
        waited,
        parties: parties
            .into_iter()
            .filter(|party| party.len() > 1)
            .collect(),
        party_price: between(dice, 0..=1000).unsigned_abs(),
        apart: pairs(dice.roll(5), players, dice),
        must_play: must_play[..dice.roll(4)].to_vec(),
        must_wait: must_wait[..dice.roll(3)].to_vec(),
        tolerance: [0, 0, 20, 100, 300][dice.roll(5)],
        current: (dice.roll(2) == 0).then(|| some_teams(players, dice)),
        recent: (0..dice.roll(3))
            .map(|_| some_teams(players, dice))
            .collect(),
        roles: (0..dice.roll(3))
            .map(|number| role(number, players, dice))
            .collect(),
        anchor: dice.roll(4) > 0,
        ..Wishes::default()
    }
}

/// Draws `count` random pairs apart. Many pairs form a connected web.
pub fn pairs(count: usize, players: usize, dice: &mut Dice) -> Vec<[PlayerId; 2]> {
    let mut pair = || {
        let shuffled = shuffled(players, dice);
        [shuffled[0], shuffled[1]]
    };
    (0..count).map(|_| pair()).collect()
}

fn role(number: usize, players: usize, dice: &mut Dice) -> Role {
    let mut of = shuffled(players, dice);
    of.truncate(2 + dice.roll(4));
    Role {
        name: format!("role {number}"),
        players: of,
        each: 1 + dice.roll(2),
    }
}

fn some_teams(players: usize, dice: &mut Dice) -> Current {
    let shuffled = shuffled(players, dice);
    let (a, b) = shuffled.split_at(players / 2);
    Current {
        a: a.to_vec(),
        b: b.to_vec(),
    }
}

fn shuffled(players: usize, dice: &mut Dice) -> Vec<PlayerId> {
    let mut ids = ids(players);
    for index in 0..players {
        let other = index + dice.roll(players - index);
        ids.swap(index, other);
    }
    ids
}
