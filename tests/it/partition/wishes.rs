//! Random wishes of every kind.

use proptest::prelude::*;
use rbs::domain::PlayerId;
use rbs::partition::{Current, Role, Wishes};

use super::pools::{player, players};

fn ids(of: usize, most: usize) -> impl Strategy<Value = Vec<PlayerId>> {
    let numbers: Vec<u64> = (1..=of as u64).collect();
    prop::sample::subsequence(numbers, 0..=most.min(of)).prop_map(players)
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

/// Up to three roles, whose players may overlap.
fn roles(players: usize) -> impl Strategy<Value = Vec<Role>> {
    let role = (ids(players, 5), 1..=2_usize);
    prop::collection::vec(role, 0..=3).prop_map(|roles| {
        let named = ["healer", "pilot", "commander"].into_iter().zip(roles);
        let role = |(name, (players, each)): (&str, (Vec<PlayerId>, usize))| Role {
            name: name.to_owned(),
            players,
            each,
        };
        named.map(role).collect()
    })
}

prop_compose! {
    /// Wishes of all kinds about players 1 to `players`, without contradictions.
    pub fn wishes(players: usize)(
        current in prop::option::of(two_teams(players)),
        groups in prop::collection::vec(0..4_usize, players),
        party_price in prop_oneof![Just(0_u32), Just(10), Just(100), Just(10_000)],
        apart in prop::collection::vec((1..=players as u64, 1..=players as u64), 0..3),
        must_play in prop_oneof![4 => ids(players, 3), 1 => ids(players, players)],
        must_wait in ids(players, 3),
        waited in prop::collection::vec(prop_oneof![3 => Just(0_u32), 1 => 1_u32..4], players),
        tolerance in prop_oneof![2 => Just(0_u32), 1 => Just(5), 1 => Just(200)],
        spread in any::<bool>(),
        recent in prop::collection::vec(two_teams(players), 0..3),
        with_parties in any::<bool>(),
        roles in prop_oneof![Just(Vec::new()), roles(players)],
        (newcomers, newcomers_price) in (ids(players, players), prop::sample::select(vec![0, 20, 100])),
        (anchor, bench) in (any::<bool>(), prop::bool::weighted(0.8)),
    ) -> Wishes {
        let party = |group: usize| -> Vec<PlayerId> {
            let members = (1..).zip(&groups).filter(|(_, of)| **of == group);
            members.map(|(number, _)| player(number)).collect()
        };
        let waits = |id: &PlayerId| bench && !must_play.contains(id);
        Wishes {
            current,
            parties: if with_parties { vec![party(1), party(2)] } else { Vec::new() },
            party_price,
            apart: apart
                .into_iter()
                .filter(|(one, other)| one != other)
                .map(|(one, other)| [player(one), player(other)])
                .collect(),
            must_wait: must_wait.into_iter().filter(waits).collect(),
            must_play,
            waited: (1..).map(player).zip(waited).collect(),
            tolerance,
            spread,
            recent,
            roles,
            newcomers,
            newcomers_price,
            anchor,
            bench,
            ..Wishes::default()
        }
    }
}
