use crate::domain::Rating;

/// The constants of a pool's rating system, checked to make sense together.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// R0: a new player's rating, and the centre of the Gaussian compression.
    pub initial_rating: Rating,
    /// Rmin: nobody falls below.
    pub min_rating: Rating,
    /// The highest rating that the round which ends the shadow period may give.
    pub graduation_cap: Rating,
    /// T_shadow: rated rounds until a player is visible; 0 shows everybody at once.
    pub shadow_rounds: u32,
    /// T_stale: days without a round after which a player is stale, at least 1.
    pub stale_days: u32,
    /// Kmin, at least 0.
    pub k_min: f64,
    /// Kmax, above 0 and not below Kmin.
    pub k_max: f64,
    /// Θ, the logistic scale in rating points of a team's sum, above 0.
    pub theta: f64,
    /// W, the rounds that a window holds, 1 to [`Parameters::MAX_WINDOW`].
    pub window: u32,
    /// w_vel, at least 0.
    pub weight_velocity: f64,
    /// w_wre, at least 0.
    pub weight_win_rate: f64,
    /// w_vol, at least 0.
    pub weight_volatility: f64,
    /// The deviation of the win rate that saturates its signal, above 0; 0.10 in F3.
    pub win_rate_tolerance: f64,
    /// σ, the width of the Gaussian compression in rating points, above 0.
    pub sigma: f64,
}

/// A parameter that makes no sense, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} {rule}")]
pub struct InvalidParameter {
    /// The parameter, as the configuration names it.
    pub name: &'static str,
    /// What it must be.
    pub rule: &'static str,
}

impl Parameters {
    /// The longest window; a sum over it stays far inside 64 bits.
    pub const MAX_WINDOW: u32 = 100_000;

    /// These parameters, if every one is within its range.
    ///
    /// # Errors
    /// The first that is not, with what it must be.
    pub fn checked(self) -> Result<Self, InvalidParameter> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let not_negative = |value: f64| value.is_finite() && value >= 0.0;
        let rules = [
            (
                self.initial_rating >= self.min_rating,
                "initial_rating",
                "must not be below min_rating",
            ),
            (
                self.graduation_cap >= self.min_rating,
                "graduation_cap",
                "must not be below min_rating",
            ),
            (self.stale_days >= 1, "stale_days", "must be at least 1"),
            (not_negative(self.k_min), "k_min", "must be 0 or more"),
            (positive(self.k_max), "k_max", "must be above 0"),
            (self.k_max >= self.k_min, "k_max", "must not be below k_min"),
            (self.k_max <= 100_000.0, "k_max", "must be at most 100000"),
            (positive(self.theta), "theta", "must be above 0"),
            (
                (1..=Self::MAX_WINDOW).contains(&self.window),
                "window",
                "must be 1 to 100000 rounds",
            ),
            (
                not_negative(self.weight_velocity),
                "weight_velocity",
                "must be 0 or more",
            ),
            (
                not_negative(self.weight_win_rate),
                "weight_win_rate",
                "must be 0 or more",
            ),
            (
                not_negative(self.weight_volatility),
                "weight_volatility",
                "must be 0 or more",
            ),
            (
                positive(self.win_rate_tolerance),
                "win_rate_tolerance",
                "must be above 0",
            ),
            (positive(self.sigma), "sigma", "must be above 0"),
        ];
        match rules.into_iter().find(|(holds, _, _)| !holds) {
            Some((_, name, rule)) => Err(InvalidParameter { name, rule }),
            None => Ok(self),
        }
    }
}

impl Default for Parameters {
    /// The values of the original system, for teams of up to 12.
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
        }
    }
}
