//! Pools of the kinds that a split can be hard for, and everything that can be wished of them.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rbs::domain::{PlayerId, Rating};
use rbs::partition::{Candidate, Current, Pool, Wishes};

use super::Dice;

/// The highest rating that is measured.
pub const HIGHEST: i32 = 10_000;

/// How the ratings of a pool are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// About normal, with mean 1000 and standard deviation 300.
    Typical,
    /// A third is new and has exactly 1000, the rest is typical.
    ShadowMix,
    /// Multiples of 100.
    Steps,
    /// One player far above typical ones.
    Outlier,
    /// One half near 1000, the other near 9000.
    TwoClusters,
    /// Anything from 100 to the highest.
    Uniform,
    /// Each some percent above the one before, up to the highest.
    Powers,
}

/// All of them, in the order they are measured.
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
    /// What it is called in the results.
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

    /// The ratings of a pool of this class.
    pub fn ratings(self, players: usize, dice: &mut Dice) -> Vec<i32> {
        let lowest = between(dice, 1..=100);
        (0..players)
            .map(|index| match self {
                Self::ShadowMix if index % 3 == 0 => 1000,
                Self::Outlier if index == 0 => HIGHEST,
                Self::Typical | Self::ShadowMix | Self::Outlier => typical(dice),
                Self::Steps => (typical(dice) + 50) / 100 * 100,
                Self::TwoClusters if index % 2 == 0 => between(dice, 995..=1005),
                Self::TwoClusters => between(dice, 8995..=9005),
                Self::Uniform => between(dice, 100..=HIGHEST),
                Self::Powers => power(lowest, index, players),
            })
            .collect()
    }
}

/// One of the numbers of `range`.
pub fn between(dice: &mut Dice, range: RangeInclusive<i32>) -> i32 {
    let sides = usize::try_from(range.end() - range.start() + 1).expect("a range with numbers");
    range.start() + i32::try_from(dice.roll(sides)).expect("a number of the range")
}

fn typical(dice: &mut Dice) -> i32 {
    // The sum of twelve such numbers has a standard deviation of 600.
    let sum: i32 = (0..12).map(|_| between(dice, -300..=300)).sum();
    (1000 + sum / 2).clamp(100, 4000)
}

/// The rating of the player `index`, where the first has `lowest` and the last the highest one.
fn power(lowest: i32, index: usize, players: usize) -> i32 {
    let [index, last] = [index, players - 1].map(|number| {
        let number = u32::try_from(number).expect("few players");
        f64::from(number)
    });
    let lowest = f64::from(lowest);
    Rating::from_rounded(lowest * (f64::from(HIGHEST) / lowest).powf(index / last)).points()
}

/// The pool of these ratings.
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

/// Everything that can be wished at once of 12 players or more: the current teams, two parties, a
/// pair apart, one who must play, a third that has waited, and a split not to repeat.
pub fn all_wishes(players: usize, dice: &mut Dice) -> Wishes {
    let mut teams = || {
        let shuffled = shuffled(players, dice);
        let (a, b) = shuffled.split_at(players / 2);
        Current {
            a: a.to_vec(),
            b: b.to_vec(),
        }
    };
    let (current, recent) = (teams(), teams());
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

fn shuffled(players: usize, dice: &mut Dice) -> Vec<PlayerId> {
    let mut ids = ids(players);
    for index in 0..players {
        let other = index + dice.roll(players - index);
        ids.swap(index, other);
    }
    ids
}
