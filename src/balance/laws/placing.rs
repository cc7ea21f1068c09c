//! Property tests of placement, the choice of teams for players who join a match.

use proptest::prelude::*;
use proptest::sample::subsequence;

use super::*;
use crate::domain::PartyName;

fn joined(state: &Match, players: impl IntoIterator<Item = (Player, Side)>) -> Match {
    let mut with = state.clone();
    for (player, side) in players {
        match side {
            Side::A => with.team_a.push(player),
            Side::B => with.team_b.push(player),
        }
    }
    with
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(1000),
        ..ProptestConfig::default()
    })]

    #[test]
    fn those_who_join_are_placed_as_well_as_can_be(
        state in matches(), joining in (0..7_usize).prop_flat_map(|count| players(40, count)),
        policy in policies(),
    ) {
        let placement = place(&state, &joining, &policy, THETA).unwrap();
        prop_assert_eq!(placement.placed.len(), joining.len());

        // Parties stay together, and join members who already play.
        let on = |side: Side, party: &PartyName| {
            all_of(&state).any(|(of, one)| of == side && one.party.as_ref() == Some(party))
        };
        let is_legal = |seats: &[Side]| joining.iter().zip(seats).all(|(one, side)| match &one.party {
            None => true,
            Some(party) => match (on(Side::A, party), on(Side::B, party)) {
                (true, false) => *side == Side::A,
                (false, true) => *side == Side::B,
                _ => joining.iter().zip(seats).all(|(other, of)| other.party.as_ref() != Some(party) || of == side),
            },
        });
        let team_of = |one: &Player| placement.placed.iter().find(|placed| placed.id == one.id).unwrap().team;
        let answered: Vec<Side> = joining.iter().map(team_of).collect();
        prop_assert!(is_legal(&answered));

        // The answer and its runners-up are the best of all placements.
        let score = |tally: &Tally| {
            let all = tally.a.size + tally.b.size;
            let most = all.div_ceil(2).max(all * policy.largest_team_share as usize / 10_000);
            (
                !policy.trigger.reasons(tally, None, THETA).is_empty(),
                tally.a.size.max(tally.b.size).saturating_sub(most),
                tally.lead().abs(),
                tally.size_difference(),
            )
        };
        let tally_of = |state: &Match| {
            let verdict = balance(state, &policy, THETA).unwrap();
            if verdict.fill.is_some() { verdict.after } else { verdict.before }
        };
        let mut scores = Vec::new();
        for mask in 0..1_u32 << joining.len() {
            let seats: Vec<Side> = (0..joining.len())
                .map(|place| if mask >> place & 1 == 1 { Side::A } else { Side::B })
                .collect();
            if is_legal(&seats) {
                let seated = joining.iter().cloned().zip(seats);
                scores.push(score(&tally_of(&joined(&state, seated))));
            }
        }
        scores.sort_unstable();
        scores.truncate(4);
        let answered = std::iter::once(&placement.after)
            .chain(placement.runners_up.iter().map(|other| &other.after));
        prop_assert_eq!(answered.map(score).collect::<Vec<_>>(), scores);
        prop_assert!(placement.optimal);

        // `before` and `alone` equal the tally that the match has in that state.
        prop_assert_eq!(placement.before, balance(&state, &policy, THETA).unwrap().before);
        for placed in &placement.placed {
            let one = joining.iter().find(|one| one.id == placed.id).unwrap().clone();
            prop_assert_eq!(placed.alone, tally_of(&joined(&state, [(one, placed.team)])));
        }
        let mut seen: Vec<_> = placement.runners_up.iter().map(|other| &other.team_a).collect();
        seen.dedup();
        prop_assert_eq!(seen.len(), placement.runners_up.len());
    }

    #[test]
    fn the_order_of_those_who_join_does_not_matter(
        state in matches(), policy in policies(),
        (joining, shuffled) in players(40, 6).prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        some in subsequence((0..6_usize).collect::<Vec<_>>(), 0..6),
    ) {
        let chosen = |all: &[Player]| -> Vec<Player> {
            all.iter().filter(|one| some.iter().any(|place| one.id == player(40 + *place as u64))).cloned().collect()
        };
        prop_assert_eq!(
            place(&state, &chosen(&joining), &policy, THETA),
            place(&state, &chosen(&shuffled), &policy, THETA)
        );
    }
}
