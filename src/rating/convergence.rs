use super::{Parameters, Window};

/// F3: how far a player's rating is from having settled, and the three signals it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// C, 0 (settled) to 1 (still moving, or no rounds yet).
    pub score: f64,
    /// v_vel: drift between the halves of the window, in Kmax; at least 0.
    pub velocity: f64,
    /// v_wre: excess of the win rate over the predictions, in tolerances; at least 0.
    pub win_rate_excess: f64,
    /// v_vol: standard deviation of the ratings in the window, in Kmax; at least 0.
    pub volatility: f64,
}

/// F3: the convergence of a player with this `window` of rounds before.
#[must_use]
pub fn convergence(window: &Window, parameters: &Parameters) -> Convergence {
    let velocity = window.drift() / parameters.k_max;
    let win_rate_excess = window.win_rate_excess() / parameters.win_rate_tolerance;
    let volatility = window.deviation() / parameters.k_max;
    let weighted = parameters.weight_velocity * velocity
        + parameters.weight_win_rate * win_rate_excess
        + parameters.weight_volatility * volatility;
    let score = if window.length() == 0 {
        1.0
    } else {
        weighted.clamp(0.0, 1.0)
    };
    Convergence {
        score,
        velocity,
        win_rate_excess,
        volatility,
    }
}
