//! Formulas F3 to F5 as published, over whole windows in plain floating point, against the service's running sums.

use proptest::collection::vec;
use proptest::prelude::*;
use rbs::domain::{Probability, Rating, Score};
use rbs::rating::{
    Parameters, Totals, Window, boundaries, convergence, k_factor, theta_for_team_size,
};

use super::generate::{Entry, entry, parameters, rating};
use super::projection::Player;

const TOLERANCE: f64 = 1e-9;

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / number(values.len())
}

/// The three signals of F3 before normalization, by definition.
#[derive(Debug)]
struct Direct {
    drift: f64,
    excess: f64,
    deviation: f64,
}

impl Direct {
    /// `window`: rounds of the window, oldest first.
    fn of(window: &[Entry]) -> Self {
        if window.is_empty() {
            return Self {
                drift: 0.0,
                excess: 0.0,
                deviation: 0.0,
            };
        }
        let ratings: Vec<f64> = window
            .iter()
            .map(|entry| f64::from(entry.after.points()))
            .collect();
        let expected: Vec<f64> = window.iter().map(|entry| entry.expected.get()).collect();
        let outcomes: Vec<f64> = window.iter().map(|entry| entry.score.value()).collect();
        let half = ratings.len() / 2;
        let drift = if half == 0 {
            0.0
        } else {
            let old = &ratings[..half];
            let new = &ratings[ratings.len() - half..];
            (mean(new) - mean(old)).abs()
        };
        let centre = mean(&ratings);
        let squares: Vec<f64> = ratings.iter().map(|w| (w - centre).powi(2)).collect();
        Self {
            drift,
            excess: (mean(&outcomes) - mean(&expected)).abs(),
            deviation: mean(&squares).sqrt(),
        }
    }

    /// Convergence C of a non-empty window.
    fn score(&self, parameters: &Parameters) -> f64 {
        let velocity = self.drift / parameters.k_max;
        let excess = self.excess / parameters.win_rate_tolerance;
        let volatility = self.deviation / parameters.k_max;
        let weighted = parameters.weight_velocity * velocity
            + parameters.weight_win_rate * excess
            + parameters.weight_volatility * volatility;
        weighted.clamp(0.0, 1.0)
    }
}

/// Convergence C of these rounds, oldest first; 1 of a player without rounds.
pub fn direct_convergence(window: &[Entry], parameters: &Parameters) -> f64 {
    if window.is_empty() {
        return 1.0;
    }
    Direct::of(window).score(parameters)
}

/// K factor of a player with this rating and convergence.
pub fn direct_k(rating: Rating, convergence: f64, parameters: &Parameters) -> f64 {
    let distance = f64::from(rating.points()) - f64::from(parameters.initial_rating.points());
    let compression = (-distance.powi(2) / (2.0 * parameters.sigma.powi(2))).exp();
    parameters.k_min + (parameters.k_max - parameters.k_min) * convergence * compression
}

/// Integer sums over `entries`, added one by one.
fn direct_totals(entries: &[Entry]) -> Totals {
    let points = |entry: &Entry| i64::from(entry.after.points());
    let units = |entry: &Entry| {
        let scaled = entry.expected.get() * 2.0_f64.powi(42);
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^42")]
        let whole = scaled.round_ties_even() as i64;
        whole
    };
    Totals {
        rating: entries.iter().map(points).sum(),
        rating_squared: entries.iter().map(|entry| points(entry).pow(2)).sum(),
        expected: entries.iter().map(units).sum(),
        score_halves: entries
            .iter()
            .map(|entry| i64::from(entry.score.halves()))
            .sum(),
    }
}

fn direct_window(entries: &[Entry]) -> Window {
    let length = u32::try_from(entries.len()).unwrap();
    let half = entries.len() / 2;
    Window::between(
        boundaries(u64::from(length), length, u32::MAX),
        Totals::default(),
        direct_totals(&entries[..half]),
        direct_totals(&entries[..entries.len() - half]),
        direct_totals(entries),
    )
}

#[derive(Clone, Debug)]
enum Event {
    Round(Entry),
    Reset,
}

fn history() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        79 => entry().prop_map(Event::Round),
        1 => Just(Event::Reset),
    ];
    vec(event, 0..=300)
}

proptest! {
    #[test]
    fn running_sums_give_what_whole_windows_give_after_every_round(
        history in history(),
        window in 1..=40_u32,
        other_window in 1..=400_u32,
    ) {
        let parameters = Parameters::default();
        let mut player = Player::new(&parameters);
        let mut counted: Vec<Entry> = Vec::new();
        for event in history {
            match event {
                Event::Round(entry) => {
                    player.record(entry.after, entry.expected, entry.score);
                    counted.push(entry);
                }
                Event::Reset => {
                    player.reset(&parameters);
                    counted.clear();
                }
            }
            // The window length may change at any time without changes to the entries.
            let changed = if counted.len().is_multiple_of(16) { other_window } else { window };
            let length = counted.len().min(usize::try_from(changed).unwrap());
            let direct_entries = &counted[counted.len() - length..];
            let found = player.window(changed);
            prop_assert_eq!(usize::try_from(found.length()), Ok(length));
            prop_assert_eq!(found, direct_window(direct_entries));
            let direct = Direct::of(direct_entries);
            for (figure, found, direct) in [
                ("drift", found.drift(), direct.drift),
                ("excess", found.win_rate_excess(), direct.excess),
                ("deviation", found.deviation(), direct.deviation),
            ] {
                prop_assert!((found - direct).abs() <= TOLERANCE, "{figure}: {found}, {direct}");
            }
        }
    }

    #[test]
    fn convergence_and_k_are_the_printed_formulas(
        entries in vec(entry(), 0..=60),
        parameters in parameters(),
        rating in rating(),
    ) {
        let mut player = Player::new(&parameters);
        for entry in &entries {
            player.record(entry.after, entry.expected, entry.score);
        }
        let found = convergence(&player.window(parameters.window), &parameters).score;
        let length = entries.len().min(usize::try_from(parameters.window).unwrap());
        let direct = direct_convergence(&entries[entries.len() - length..], &parameters);
        prop_assert!((found - direct).abs() <= TOLERANCE, "C: {found}, {direct}");

        let direct = direct_k(rating, direct, &parameters);
        let found = k_factor(rating, found, &parameters);
        let scale = parameters.k_max.max(1.0);
        prop_assert!((found - direct).abs() <= TOLERANCE * scale, "K: {found}, {direct}");
    }
}

#[test]
fn the_longest_window_of_the_highest_ratings_is_still_exact() {
    let parameters = Parameters::default();
    let mut player = Player::new(&parameters);
    let certain = Probability::new(1.0).unwrap();
    let low = Rating::from_rounded(0.0);
    for _ in 0..Parameters::MAX_WINDOW / 2 {
        player.record(low, certain, Score::LOSS);
    }
    for _ in 0..Parameters::MAX_WINDOW / 2 {
        player.record(Rating::MAX, certain, Score::LOSS);
    }
    let window = player.window(Parameters::MAX_WINDOW);
    assert_eq!(window.length(), Parameters::MAX_WINDOW);
    assert_eq!(window.drift(), 1_000_000.0);
    assert_eq!(window.deviation(), 500_000.0);
    assert_eq!(window.win_rate_excess(), 1.0);
}

#[test]
fn theta_is_400_times_the_floor_of_the_median_team_size() {
    for largest in 1..=64_u32 {
        let sizes: Vec<u32> = (1..=largest).collect();
        let middle = sizes.len() / 2;
        let twice_the_median = if sizes.len().is_multiple_of(2) {
            sizes[middle - 1] + sizes[middle]
        } else {
            2 * sizes[middle]
        };
        let expected = 400.0 * (f64::from(twice_the_median) / 2.0).floor();
        assert_eq!(theta_for_team_size(largest), expected, "{largest}");
    }
}
