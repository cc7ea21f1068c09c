use serde::{Deserialize, Serialize};

use super::handicap::{Advantages, BotRatings};
use crate::domain::Rating;

/// Constants of a pool's rating system. [`Parameters::checked`] verifies their ranges. The JSON keys are the names of
/// the settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// R0: rating of a new player in points, and centre of the Gaussian compression of K.
    pub initial_rating: Rating,
    /// Rmin: lower bound of every rating, in points.
    pub min_rating: Rating,
    /// Upper limit of a player's rating, in points, after the last round in which a new player's rating is hidden.
    pub graduation_cap: Rating,
    /// T_shadow: number of rated rounds until a player's rating is visible. 0 shows every rating at once.
    pub shadow_rounds: u32,
    /// T_stale: number of days without a round after which a player is stale, 1 to 36500.
    pub stale_days: u32,
    /// Kmin: smallest K-factor in points, at least 0.
    pub k_min: f64,
    /// Kmax: largest K-factor in points, at least Kmin and at least [`Parameters::MIN_SCALE`].
    pub k_max: f64,
    /// Θ: scale that turns a lead in points between team sums into log-odds, above 0.
    pub theta: f64,
    /// W: maximum number of rounds in a player's window, 1 to [`Parameters::MAX_WINDOW`].
    pub window: u32,
    /// w_vel: weight of the drift of a player's rating in F3, which measures how unsettled the rating is; at least 0.
    pub weight_velocity: f64,
    /// w_wre: weight of the gap between a player's mean score and mean win probability in F3, which measures how
    /// unsettled the rating is; at least 0.
    pub weight_win_rate: f64,
    /// w_vol: weight of the standard deviation of a player's ratings in F3, which measures how unsettled the rating is;
    /// at least 0.
    pub weight_volatility: f64,
    /// Divisor of the gap between a player's mean score and mean win probability (both 0 to 1) in formula F3, which
    /// measures how unsettled a rating is. At least [`Parameters::MIN_SCALE`]; 0.10 originally.
    pub win_rate_tolerance: f64,
    /// σ: width of the Gaussian compression of K in rating points, at least [`Parameters::MIN_SCALE`].
    pub sigma: f64,
    /// Half-life in seconds by which later seconds of a round weigh less, 0 to [`Parameters::MAX_HALF_LIFE`]. With 0, a
    /// part of a round counts as the whole round.
    // Parameters stored before this constant existed lack the field. Their rounds were rated as with 0.
    #[serde(default)]
    pub participation_half_life: u32,
    /// Exponent e by which larger games move ratings less, 0 to [`Parameters::MAX_EXPONENT`]. With 0, the size of a
    /// game has no effect.
    // From here on, JSON omits fields at their defaults, so that versions without these fields can read the rest.
    #[serde(default, skip_serializing_if = "is_default")]
    pub team_size_exponent: f64,
    /// `true` if the model `adaptive` never lets experience lower a player's strength: the learnt weight of experience
    /// is at least 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub experience_floor: bool,
    /// Number of days without a round after which a returning player's K is raised, 0 to 36500. 0 turns this off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub return_boost_days: u32,
    /// n: number of rounds after a return in which K is raised, 1 to [`Parameters::MAX_RETURN_BOOST_ROUNDS`]. If K is
    /// raised at all, n must not exceed the window.
    #[serde(
        default = "usual_return_boost_rounds",
        skip_serializing_if = "is_usual"
    )]
    pub return_boost_rounds: u32,
    /// Advantages of team a on maps with uneven sides, in points of a team's sum.
    #[serde(default, skip_serializing_if = "Advantages::is_empty")]
    pub advantages: Advantages,
    /// Ratings in points that bots count as, by the bots' level of skill.
    #[serde(default, skip_serializing_if = "BotRatings::is_empty")]
    pub bots: BotRatings,
}

fn usual_return_boost_rounds() -> u32 {
    10
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_usual(rounds: &u32) -> bool {
    *rounds == usual_return_boost_rounds()
}

/// Error: a parameter of the rating system is outside its valid range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} {rule}")]
pub struct InvalidParameter {
    /// Name of the invalid parameter in the configuration.
    pub name: &'static str,
    /// Requirement that the value of the invalid rating parameter violates, such as `must be above 0`.
    pub rule: &'static str,
}

impl Parameters {
    /// Maximum length of a player's window, in rounds. Sums over such a window stay far inside 64 bits.
    pub const MAX_WINDOW: u32 = 100_000;

    /// Maximum half-life of the weight of a round's seconds: eleven days, with which all seconds weigh nearly equal.
    pub const MAX_HALF_LIFE: u32 = 1_000_000;

    /// Maximum exponent e by which larger games move ratings less.
    pub const MAX_EXPONENT: f64 = 2.0;

    /// Maximum number of rounds in which K is raised after a player's return. A round reads up to this number of end
    /// times of every participant.
    pub const MAX_RETURN_BOOST_ROUNDS: u32 = 100;

    /// Minimum divisor of a signal of the convergence (F3). Much smaller divisors could turn a quotient into infinity,
    /// or a square into 0. The resulting K would not be a number, and would drop a rating to the minimum.
    pub const MIN_SCALE: f64 = 1e-6;

    /// Returns these parameters of the rating system if every value is within its range.
    ///
    /// # Errors
    /// Returns an error that names the first invalid parameter and its requirement.
    pub fn checked(self) -> Result<Self, InvalidParameter> {
        let above_floor = |name, rating: Rating| {
            let rule = "must not be below min_rating";
            require(rating >= self.min_rating, name, rule)
        };
        above_floor("initial_rating", self.initial_rating)?;
        above_floor("graduation_cap", self.graduation_cap)?;
        let fits = (1..=36_500).contains(&self.stale_days);
        require(fits, "stale_days", "must be 1 to 36500")?;
        not_negative("k_min", self.k_min)?;
        positive("k_max", self.k_max)?;
        require(self.k_max >= self.k_min, "k_max", "must not be below k_min")?;
        require(self.k_max <= 1e5, "k_max", "must be at most 100000")?;
        scale("k_max", self.k_max)?;
        positive("theta", self.theta)?;
        require(self.theta <= 1e9, "theta", "must be at most 1000000000")?;
        let fits = (1..=Self::MAX_WINDOW).contains(&self.window);
        require(fits, "window", "must be 1 to 100000 rounds")?;
        not_negative("weight_velocity", self.weight_velocity)?;
        not_negative("weight_win_rate", self.weight_win_rate)?;
        not_negative("weight_volatility", self.weight_volatility)?;
        scale("win_rate_tolerance", self.win_rate_tolerance)?;
        let fits = self.participation_half_life <= Self::MAX_HALF_LIFE;
        let rule = "must be 0 to 1000000 seconds";
        require(fits, "participation_half_life", rule)?;
        let fits = (0.0..=Self::MAX_EXPONENT).contains(&self.team_size_exponent);
        require(fits, "team_size_exponent", "must be 0 to 2")?;
        let fits = self.bots.levels().len() <= BotRatings::MAX;
        require(fits, "bots", "must name at most 32 levels")?;
        scale("sigma", self.sigma)?;
        let fits = self.return_boost_days <= 36_500;
        require(fits, "return_boost_days", "must be 0 to 36500")?;
        let fits = (1..=Self::MAX_RETURN_BOOST_ROUNDS).contains(&self.return_boost_rounds);
        require(fits, "return_boost_rounds", "must be 1 to 100")?;
        // A prune keeps only the entries of the longest window, so the boost must not look back further.
        let fits = self.return_boost_days == 0 || self.return_boost_rounds <= self.window;
        require(fits, "return_boost_rounds", "must not be above window")?;
        Ok(self)
    }

    /// Returns the number of a player's last rounds whose end times a rating needs; 0 if returns do not raise K.
    #[must_use]
    pub fn returning_rounds(&self) -> usize {
        if self.return_boost_days == 0 {
            0
        } else {
            self.return_boost_rounds as usize
        }
    }
}

fn require(holds: bool, name: &'static str, rule: &'static str) -> Result<(), InvalidParameter> {
    holds.then_some(()).ok_or(InvalidParameter { name, rule })
}

fn not_negative(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    require(value.is_finite() && value >= 0.0, name, "must be 0 or more")
}

fn positive(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    require(value.is_finite() && value > 0.0, name, "must be above 0")
}

/// Requires a parameter that is a divisor to be finite and at least [`Parameters::MIN_SCALE`].
fn scale(name: &'static str, value: f64) -> Result<(), InvalidParameter> {
    positive(name, value)?;
    let rule = "must be at least 0.000001";
    require(value >= Parameters::MIN_SCALE, name, rule)
}

impl Default for Parameters {
    /// Returns the rating parameters of the original system, for teams of up to 12 players.
    fn default() -> Self {
        Self {
            initial_rating: Rating::from_rounded(1000.0),
            min_rating: Rating::from_rounded(100.0),
            graduation_cap: Rating::from_rounded(2200.0),
            shadow_rounds: 50,
            stale_days: 30,
            k_min: 2.0,
            k_max: 72.0,
            theta: 2400.0,
            window: 500,
            weight_velocity: 0.25,
            weight_win_rate: 0.25,
            weight_volatility: 0.50,
            win_rate_tolerance: 0.10,
            sigma: 400.0,
            participation_half_life: 0,
            team_size_exponent: 0.0,
            experience_floor: false,
            return_boost_days: 0,
            return_boost_rounds: usual_return_boost_rounds(),
            advantages: Advantages::default(),
            bots: BotRatings::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Probability, Score};
    use crate::rating::{Totals, TotalsStep, Window, boundaries, convergence, k_factor};

    type Change = fn(&mut Parameters, f64);

    /// Names of all rating parameters of type `f64`, each with its minimum value and a setter.
    const FLOATS: [(&str, f64, Change); 8] = [
        ("k_min", 0.0, |p, value| p.k_min = value),
        ("k_max", Parameters::MIN_SCALE, |p, value| {
            p.k_min = 0.0;
            p.k_max = value;
        }),
        ("theta", f64::MIN_POSITIVE, |p, value| p.theta = value),
        ("weight_velocity", 0.0, |p, value| p.weight_velocity = value),
        ("weight_win_rate", 0.0, |p, value| p.weight_win_rate = value),
        ("weight_volatility", 0.0, |p, value| {
            p.weight_volatility = value;
        }),
        ("win_rate_tolerance", Parameters::MIN_SCALE, |p, value| {
            p.win_rate_tolerance = value;
        }),
        ("sigma", Parameters::MIN_SCALE, |p, value| p.sigma = value),
    ];

    fn refused(change: impl FnOnce(&mut Parameters)) -> Option<&'static str> {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        parameters.checked().err().map(|invalid| invalid.name)
    }

    #[test]
    fn every_float_has_a_least_value_and_must_be_a_finite_number() {
        for (name, least, change) in FLOATS {
            assert_eq!(refused(|p| change(p, least)), None, "{name}");
            let too_small = match name {
                // Subnormal numbers lie between 0 and this minimum, so 0 is the largest invalid value.
                "theta" => 0.0,
                _ if least > 0.0 => least * 0.999,
                _ => -1e-9,
            };
            for value in [too_small, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(refused(|p| change(p, value)), Some(name), "{name} {value}");
            }
        }
    }

    #[test]
    fn ratings_counts_and_the_order_of_k_are_checked() {
        assert_eq!(refused(|_| ()), None, "the defaults");
        let low = Rating::from_rounded(99.0);
        assert_eq!(refused(|p| p.initial_rating = low), Some("initial_rating"));
        assert_eq!(refused(|p| p.graduation_cap = low), Some("graduation_cap"));
        assert_eq!(refused(|p| p.stale_days = 0), Some("stale_days"));
        assert_eq!(refused(|p| p.k_min = 72.1), Some("k_max"));
        assert_eq!(refused(|p| p.k_min = 72.0), None);
        assert_eq!(refused(|p| p.k_max = 100_001.0), Some("k_max"));
        assert_eq!(refused(|p| p.shadow_rounds = 0), None);
        assert_eq!(refused(|p| p.window = 0), Some("window"));
        assert_eq!(refused(|p| p.window = 1), None);
        assert_eq!(refused(|p| p.window = 100_000), None);
        assert_eq!(refused(|p| p.window = 100_001), Some("window"));
        assert_eq!(refused(|p| p.team_size_exponent = 2.0), None);
        for exponent in [-0.1, 2.1, f64::NAN] {
            let name = refused(|p| p.team_size_exponent = exponent);
            assert_eq!(name, Some("team_size_exponent"), "{exponent}");
        }
    }

    #[test]
    fn returns_raise_k_within_the_window_alone() {
        assert_eq!(refused(|p| p.window = 9), None, "where they raise nothing");
        let with = |days, rounds, window| {
            refused(|p| {
                (p.return_boost_days, p.return_boost_rounds, p.window) = (days, rounds, window);
            })
        };
        assert_eq!(with(14, 10, 10), None);
        assert_eq!(with(14, 100, 500), None);
        assert_eq!(with(36_501, 10, 500), Some("return_boost_days"));
        for (rounds, window) in [(0, 500), (101, 500), (10, 9)] {
            assert_eq!(with(14, rounds, window), Some("return_boost_rounds"));
        }
    }

    #[test]
    fn later_constants_are_written_only_where_they_are_set() {
        let text = |parameters: &Parameters| serde_json::to_string(parameters).unwrap();
        let off = Parameters::default();
        for name in [
            "team_size_exponent",
            "experience_floor",
            "return_boost",
            "advantages",
            "bots",
        ] {
            assert!(!text(&off).contains(name), "{name} in {}", text(&off));
        }
        let on = Parameters {
            team_size_exponent: 0.5,
            experience_floor: true,
            return_boost_days: 14,
            return_boost_rounds: 5,
            advantages: serde_json::from_str(r#"{"uphill":-300}"#).unwrap(),
            bots: serde_json::from_str(r#"{"easy":600}"#).unwrap(),
            ..off.clone()
        };
        for parameters in [off, on] {
            let read: Parameters = serde_json::from_str(&text(&parameters)).unwrap();
            assert_eq!(read, parameters);
        }
    }

    #[test]
    fn whatever_is_accepted_gives_finite_signals_and_a_k_within_its_ends() {
        let step = |rating| TotalsStep::of(rating, Probability::HALF, Score::LOSS);
        let totals = Totals::default().with(step(Rating::from_rounded(0.0)));
        let last = totals.with(step(Rating::MAX));
        let ends = boundaries(2, 2, 500);
        let window = Window::between(ends, Totals::default(), totals, totals, last);
        for (name, least, change) in FLOATS {
            for weight in [0.0, 0.5, f64::MAX] {
                let mut parameters = Parameters {
                    weight_velocity: weight,
                    weight_win_rate: weight,
                    weight_volatility: weight,
                    ..Parameters::default()
                };
                change(&mut parameters, least);
                let parameters = parameters.checked().unwrap();
                let found = convergence(&window, &parameters);
                let signals = [found.velocity, found.win_rate_excess, found.volatility];
                assert!(signals.into_iter().all(f64::is_finite), "{name}: {found:?}");
                assert!((0.0..=1.0).contains(&found.score), "{name}: {found:?}");
                let lowest = Rating::from_rounded(0.0);
                for rating in [lowest, parameters.initial_rating, Rating::MAX] {
                    let k = k_factor(rating, found.score, &parameters);
                    let ends = parameters.k_min..=parameters.k_max;
                    assert!(ends.contains(&k), "{name}: {k}");
                }
            }
        }
    }
}
