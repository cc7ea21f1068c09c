//! Random pools, players and rounds.

use proptest::collection::vec;
use proptest::prelude::*;
use rbs::domain::{PlayerEntry, PlayerId, Probability, Rating, Score, Winner};
use rbs::rating::{Advantages, BotRatings, Parameters};

use super::projection::{Player, Projection};

pub(super) fn rating() -> impl Strategy<Value = Rating> {
    prop_oneof![
        6 => 0..=3_000_i32,
        2 => 0..=10_000_i32,
        1 => 0..=Rating::MAX.points(),
    ]
    .prop_map(|points| Rating::new(points).unwrap())
}

pub(super) fn probability() -> impl Strategy<Value = Probability> {
    prop_oneof![
        8 => 0.0..=1.0_f64,
        1 => Just(0.0),
        1 => Just(0.5),
        1 => Just(1.0),
    ]
    .prop_map(|value| Probability::new(value).unwrap())
}

pub(super) fn score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Score::LOSS), Just(Score::DRAW), Just(Score::WIN)]
}

pub(super) fn winner() -> impl Strategy<Value = Winner> {
    prop_oneof![Just(Winner::A), Just(Winner::B), Just(Winner::Draw)]
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub after: Rating,
    pub expected: Probability,
    pub score: Score,
}

pub(super) fn entry() -> impl Strategy<Value = Entry> {
    (rating(), probability(), score()).prop_map(|(after, expected, score)| Entry {
        after,
        expected,
        score,
    })
}

prop_compose! {
    fn any_parameters()(
        min in 0..=1_500_i32,
        above in 0..=1_500_i32,
        cap in 0..=2_500_i32,
        shadow_rounds in 0..=12_u32,
        k_min in 0.0..20.0_f64,
        k_range in 0.001..200.0_f64,
        theta in 1.0..10_000.0_f64,
        window in prop_oneof![1..=12_u32, 1..=40_u32],
        weights in [0.0..2.0_f64, 0.0..2.0_f64, 0.0..2.0_f64],
        win_rate_tolerance in 0.001..1.0_f64,
        sigma in 1.0..5_000.0_f64,
    ) -> Parameters {
        let [weight_velocity, weight_win_rate, weight_volatility] = weights;
        Parameters {
            initial_rating: Rating::new(min + above).unwrap(),
            min_rating: Rating::new(min).unwrap(),
            graduation_cap: Rating::new(min + cap).unwrap(),
            shadow_rounds,
            stale_days: 30,
            k_min,
            k_max: k_min + k_range,
            theta,
            window,
            weight_velocity,
            weight_win_rate,
            weight_volatility,
            win_rate_tolerance,
            sigma,
            participation_half_life: 0,
            team_size_exponent: 0.0,
            experience_floor: false,
            return_boost_days: 0,
            return_boost_rounds: 10,
            advantages: Advantages::default(),
            bots: BotRatings::default(),
        }
        .checked()
        .unwrap()
    }
}

pub(super) fn parameters() -> impl Strategy<Value = Parameters> {
    prop_oneof![1 => Just(Parameters::default()), 3 => any_parameters()]
}

/// A player with any past and any rating, as an admin may set.
fn player(parameters: Parameters) -> impl Strategy<Value = Player> {
    let history = vec(entry(), 0..=16);
    (history, prop::option::weighted(0.2, 0..=16_usize), rating()).prop_map(
        move |(history, reset_at, rating)| {
            let mut player = Player::new(&parameters);
            for (index, entry) in history.iter().enumerate() {
                if reset_at == Some(index) {
                    player.reset(&parameters);
                }
                player.record(entry.after, entry.expected, entry.score);
            }
            player.rating = rating;
            player
        },
    )
}

/// A round about to be played in a pool with history.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) projection: Projection,
    pub(super) winner: Winner,
    pub(super) team_a: Vec<PlayerEntry>,
    pub(super) team_b: Vec<PlayerEntry>,
}

/// Teams of 1 to 12, equal or not. Some players joined late, some left without participation.
pub(super) fn scene() -> impl Strategy<Value = Scene> {
    let flags = || {
        let flag = || prop::bool::weighted(0.9);
        let size = prop_oneof![3 => 1..=4_usize, 1 => 1..=12_usize];
        size.prop_flat_map(move |size| vec((flag(), flag()), size))
    };
    (parameters(), winner(), flags(), flags())
        .prop_flat_map(|(parameters, winner, flags_a, flags_b)| {
            let count = flags_a.len() + flags_b.len();
            let players = vec(player(parameters.clone()), count);
            (Just((parameters, winner, flags_a, flags_b)), players)
        })
        .prop_map(|((parameters, winner, flags_a, flags_b), players)| {
            let mut projection = Projection::new(parameters);
            let mut ids = (76_561_197_960_265_729_u64..)
                .map(|number| PlayerId::from_steam_id64(number).unwrap());
            let mut team = |flags: Vec<(bool, bool)>| -> Vec<PlayerEntry> {
                std::iter::zip(flags, ids.by_ref())
                    .enumerate()
                    .map(|(index, ((at_start, participated), id))| PlayerEntry {
                        id,
                        at_start: at_start || index == 0,
                        participated,
                        seconds: None,
                        stats: None,
                        role: None,
                        name: None,
                    })
                    .collect()
            };
            let team_a = team(flags_a);
            let team_b = team(flags_b);
            let ids = team_a.iter().chain(&team_b).map(|entry| entry.id);
            projection.players.extend(ids.zip(players));
            Scene {
                projection,
                winner,
                team_a,
                team_b,
            }
        })
}
