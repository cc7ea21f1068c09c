//! The exact method with all wishes against trying everything: every way to seat a few players,
//! compared by the order of the wishes as their documentation has it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use proptest::prelude::*;
use rbs::domain::PlayerId;
use rbs::partition::{Candidate, Current, Limits, Method, Pool, Split, Wishes, solve};

use super::pools::{player, pool_of, teams};

/// Where a player sits: 1 on a team, -1 on the other, 0 waiting.
type Seats = Vec<i64>;

/// What is wished, and the players it is about, by their place in the pool.
struct Case<'case> {
    pool: &'case Pool,
    wishes: &'case Wishes,
}

/// What the wishes look at, each the smaller the better.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Merits {
    seats: Seats,
    hard: usize,
    difference: i64,
    /// How many wait who have waited so long, the longest wait first.
    turns: BTreeMap<Reverse<u32>, usize>,
    split: usize,
    together: usize,
    moves: usize,
    repeats: bool,
    top_two: bool,
}

impl Case<'_> {
    fn place(&self, id: PlayerId) -> Option<usize> {
        self.pool.players().iter().position(|one| one.id == id)
    }

    fn places(&self, ids: &[PlayerId]) -> Vec<usize> {
        ids.iter().filter_map(|id| self.place(*id)).collect()
    }

    fn standing(&self, teams: &Current) -> Seats {
        let players = self.pool.players().iter();
        players
            .map(|one| i64::from(teams.a.contains(&one.id)) - i64::from(teams.b.contains(&one.id)))
            .collect()
    }

    fn merits(&self, seats: Seats) -> Merits {
        let players = self.pool.players();
        let pairs = || players.iter().zip(&seats);
        let waits = |ids: &[PlayerId], seat: bool| {
            let places = self.places(ids);
            places
                .iter()
                .filter(|place| (seats[**place] == 0) == seat)
                .count()
        };
        let difference: i64 = pairs()
            .map(|(one, seat)| i64::from(one.rating.points()) * seat)
            .sum();
        let mut turns = BTreeMap::new();
        for (one, seat) in pairs() {
            let rounds = self.wishes.waited.get(&one.id).copied().unwrap_or(0);
            if rounds > 0 {
                *turns.entry(Reverse(rounds)).or_default() += usize::from(*seat == 0);
            }
        }
        let parties = self.wishes.parties.iter().map(|party| self.places(party));
        let split = parties.filter(|party| party.iter().any(|one| seats[*one] != seats[party[0]]));
        let mut apart: Vec<Vec<usize>> = self
            .wishes
            .apart
            .iter()
            .map(|pair| self.places(pair))
            .collect();
        for pair in &mut apart {
            pair.sort_unstable();
        }
        apart.sort();
        apart.dedup();
        let same = |one: usize, other: usize| seats[one] == seats[other] && seats[one] != 0;
        let moved = |from: &Seats, way: i64| {
            let players = from.iter().zip(&seats);
            players
                .filter(|(from, to)| **from != 0 && **to == -way * **from)
                .count()
        };
        let current = self
            .wishes
            .current
            .as_ref()
            .map(|teams| self.standing(teams));
        let mirrored: Seats = seats.iter().map(|seat| -seat).collect();
        let mut recent = self.wishes.recent.iter().map(|teams| self.standing(teams));
        Merits {
            hard: waits(&self.wishes.must_play, true) + waits(&self.wishes.must_wait, false),
            difference: difference.abs(),
            turns,
            split: split.count(),
            together: apart
                .iter()
                .filter(|pair| pair.len() == 2 && same(pair[0], pair[1]))
                .count(),
            moves: current.map_or(0, |from| moved(&from, 1).min(moved(&from, -1))),
            repeats: recent.any(|recent| recent == seats || recent == mirrored),
            top_two: self.wishes.spread && same(0, 1),
            seats,
        }
    }

    /// Every way to seat two teams of `size`, the anchor playing, with the hard wishes kept as far
    /// as they can be.
    fn all(&self, size: usize) -> Vec<Merits> {
        let must_wait = self.places(&self.wishes.must_wait);
        let players = self.pool.len();
        let must_play = self.places(&self.wishes.must_play);
        let has_place = must_play.contains(&0) || must_play.len() < 2 * size;
        let anchor = (self.wishes.anchor && !must_wait.contains(&0) && has_place).then_some(0);
        let mut all = Vec::new();
        for number in 0..3_usize.pow(u32::try_from(players).unwrap()) {
            let digit = |place: u32| number / 3_usize.pow(place) % 3;
            let digits = (0..u32::try_from(players).unwrap()).map(digit);
            let seats: Seats = digits
                .map(|digit| i64::try_from(digit).unwrap() - 1)
                .collect();
            let count = |team: i64| seats.iter().filter(|seat| **seat == team).count();
            let anchored = anchor.is_none_or(|anchor: usize| seats[anchor] != 0);
            if count(1) == size && count(-1) == size && anchored {
                all.push(self.merits(seats));
            }
        }
        let hard = all.iter().map(|one| one.hard).min();
        all.retain(|one| Some(one.hard) == hard);
        all
    }

    /// The best of all, in the documented order.
    fn best(&self, size: usize) -> Merits {
        let all = self.all(size);
        let (price, tolerance) = (
            i64::from(self.wishes.party_price),
            i64::from(self.wishes.tolerance),
        );
        let least = |of: &dyn Fn(&Merits) -> bool| -> Option<i64> {
            let some = all.iter().filter(|one| of(one));
            some.map(|one| one.difference).min()
        };
        let nearest = least(&|_| true).unwrap();
        let within = |limit: i64| all.iter().filter(move |one| one.difference <= limit);
        let turns_first = within(nearest + tolerance).min_by_key(|one| {
            let rest = (one.moves, one.repeats, one.top_two, one.difference);
            (one.turns.clone(), one.split, one.together, rest)
        });
        let turns_first = turns_first.unwrap().clone();
        if price == 0 || self.wishes.parties.is_empty() {
            return turns_first;
        }
        // Only what is paid for comes before the turns.
        let fewest_within = |limit| within(limit).map(|one| one.split).min().unwrap();
        let fewest = fewest_within(nearest + tolerance + price);
        if fewest >= fewest_within(nearest + tolerance) || turns_first.split == 0 {
            return turns_first;
        }
        let kept = least(&|one| one.split <= fewest).unwrap();
        let farthest = nearest + tolerance + price;
        let best = within(farthest.min(kept + tolerance)).min_by_key(|one| {
            let rest = (one.moves, one.repeats, one.top_two, one.difference);
            (one.split, one.turns.clone(), one.together, rest)
        });
        best.unwrap().clone()
    }

    /// The merits of what was answered.
    fn merits_of(&self, split: &Split) -> Merits {
        let seat =
            |one: &Candidate| i64::from(split.a.contains(one)) - i64::from(split.b.contains(one));
        self.merits(self.pool.players().iter().map(seat).collect())
    }
}

/// A few points, a few ratings of a real server, or far above.
fn rating() -> impl Strategy<Value = i32> {
    prop_oneof![
        8990..=9010,
        100..=108,
        900..=1100,
        100..=4000,
        (1..=12).prop_map(|step: i32| step * 100)
    ]
}

fn ids(players: usize, most: usize) -> impl Strategy<Value = Vec<PlayerId>> {
    let numbers: Vec<u64> = (1..=players as u64).collect();
    prop::sample::subsequence(numbers, 0..=most.min(players))
        .prop_map(|numbers| numbers.into_iter().map(player).collect())
}

fn two_teams(players: usize) -> impl Strategy<Value = Current> {
    prop::collection::vec(0..3, players).prop_map(|seats| {
        let on = |team| {
            let numbers = (1..).zip(&seats).filter(move |(_, seat)| **seat == team);
            numbers.map(|(number, _)| player(number)).collect()
        };
        Current { a: on(0), b: on(1) }
    })
}

prop_compose! {
    /// Wishes of all kinds about players 1 to `players`, none against another.
    pub fn wishes(players: usize)(
        current in prop::option::of(two_teams(players)),
        groups in prop::collection::vec(0..4_usize, players),
        party_price in prop_oneof![Just(0_u32), Just(10), Just(100), Just(10_000)],
        apart in prop::collection::vec((1..=players as u64, 1..=players as u64), 0..3),
        must_play in ids(players, 3),
        must_wait in ids(players, 3),
        waited in prop::collection::vec(prop_oneof![3 => Just(0_u32), 1 => 1_u32..4], players),
        tolerance in prop_oneof![2 => Just(0_u32), 1 => Just(5), 1 => Just(200)],
        spread in any::<bool>(),
        recent in prop::collection::vec(two_teams(players), 0..3),
        anchor in any::<bool>(),
        with_parties in any::<bool>(),
    ) -> Wishes {
        let party = |group: usize| -> Vec<PlayerId> {
            let members = (1..).zip(&groups).filter(|(_, of)| **of == group);
            members.map(|(number, _)| player(number)).collect()
        };
        Wishes {
            current,
            parties: if with_parties { vec![party(1), party(2)] } else { Vec::new() },
            party_price,
            apart: apart
                .into_iter()
                .filter(|(one, other)| one != other)
                .map(|(one, other)| [player(one), player(other)])
                .collect(),
            must_wait: must_wait.into_iter().filter(|id| !must_play.contains(id)).collect(),
            must_play,
            waited: (1..).map(player).zip(waited).collect(),
            tolerance,
            spread,
            recent,
            anchor,
            ..Wishes::default()
        }
    }
}

fn case() -> impl Strategy<Value = (Vec<i32>, Wishes)> {
    // Trying everything out takes 9 times as long with two players more.
    let players = prop_oneof![20 => 4..=8_usize, 1 => 9..=10_usize];
    let ratings = players.prop_flat_map(|players| prop::collection::vec(rating(), players));
    ratings.prop_flat_map(|ratings| {
        let players = ratings.len();
        (Just(ratings), wishes(players))
    })
}

proptest! {
    #[test]
    fn nothing_is_better_than_the_exact_answer((ratings, wishes) in case()) {
        let pool = pool_of(&ratings);
        let case = Case { pool: &pool, wishes: &wishes };
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        prop_assert!(splits.iter().map(|split| split.size).eq(pool.sizes()));
        for split in splits {
            let best = case.best(split.size);
            let answer = case.merits_of(&split);
            let anonymous = |merits: Merits| Merits { seats: Vec::new(), ..merits };
            prop_assert_eq!(
                anonymous(answer.clone()), anonymous(best.clone()),
                "size {}: {:?} is no better than {:?}", split.size, answer.seats, best.seats
            );
            prop_assert_eq!(split.method, Method::Exact);
            prop_assert!(split.optimal);

            // What is said of the split is what is seen of it.
            let outcome = &split.outcome;
            prop_assert_eq!(outcome.moves, wishes.current.as_ref().map(|_| answer.moves));
            prop_assert_eq!(outcome.split_parties.len(), answer.split);
            prop_assert_eq!(outcome.together.len(), answer.together);
            prop_assert_eq!(outcome.benched.len() + outcome.drafted.len(), answer.hard);
            prop_assert_eq!(outcome.repeats, answer.repeats);
            let none = Wishes { anchor: wishes.anchor, ..Wishes::default() };
            let without = Case { pool: &pool, wishes: &none }.best(split.size);
            prop_assert_eq!(outcome.best_difference, Some(without.difference.unsigned_abs()));
        }
    }

    #[test]
    fn what_was_answered_before_is_not_repeated_without_need(
        (ratings, wishes) in case(), times in 1..4_usize,
    ) {
        let pool = pool_of(&ratings);
        let mut wishes = wishes;
        for _ in 0..times {
            for split in solve(&pool, &wishes, &Limits::default()).splits {
                let (a, b) = teams(&split);
                wishes.recent.push(Current { a, b });
            }
        }
        let case = Case { pool: &pool, wishes: &wishes };
        for split in solve(&pool, &wishes, &Limits::default()).splits {
            let anonymous = |merits: Merits| Merits { seats: Vec::new(), ..merits };
            let best = anonymous(case.best(split.size));
            prop_assert_eq!(anonymous(case.merits_of(&split)), best, "size {}", split.size);
        }
    }

    #[test]
    fn alternatives_are_the_best_ones((ratings, wishes) in case(), count in 1..30_usize) {
        let pool = pool_of(&ratings);
        let size = pool.len() / 2;
        let wishes = Wishes {
            alternatives: Some(rbs::partition::Alternatives { size, count }),
            tolerance: 0,
            party_price: 0,
            recent: Vec::new(),
            spread: false,
            ..wishes
        };
        let case = Case { pool: &pool, wishes: &wishes };
        let table = solve(&pool, &wishes, &Limits::default());
        let mut all = case.all(size);
        // Each split once: whichever way round has the best player who plays on the first team.
        all.retain(|one| one.seats.iter().find(|seat| **seat != 0) == Some(&1));
        let key = |one: &Merits| {
            (one.difference, one.turns.clone(), one.split, one.together, one.moves)
        };
        all.sort_by_key(key);
        let alternatives = &table.alternatives;
        prop_assert_eq!(alternatives.len(), count.min(all.len()));
        prop_assert_eq!(Some(&alternatives[0]), table.splits.last());
        for (split, expected) in alternatives.iter().zip(&all) {
            prop_assert_eq!(key(&case.merits_of(split)), key(expected));
        }
        let mut distinct: Vec<_> = alternatives.iter().map(teams).collect();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), alternatives.len());
    }
}
