//! Matchmaking policies: weights and limits of matches, configured in TOML.

mod policy_table;

pub use policy_table::{MatchPolicies, MatchPolicyTable};

/// Weights that define the value of a match, and limits on what is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchPolicy {
    /// Cost per player of uneven odds, if the outcome is certain; proportional to |P - ½|. In units of a place in a
    /// match.
    pub evenness: f64,
    /// Cost per player of unequal ratings. Half of the cost applies at [`spread_points`](Self::spread_points).
    pub spread: f64,
    /// Standard deviation of the ratings in a match, in points, that costs half of `spread`.
    pub spread_points: f64,
    /// Cost per player of high pings. Half of the cost applies at [`ping_ms`](Self::ping_ms).
    pub ping: f64,
    /// Ping in milliseconds that costs half of `ping`.
    pub ping_ms: f64,
    /// Cost per player of missing roles, if all roles are missing.
    pub roles: f64,
    /// Extra value of a place for a player who has waited for [`due_seconds`](Self::due_seconds); proportional to
    /// the wait.
    pub waiting: f64,
    /// Limits for players who have just joined the queue.
    pub at_once: Limits,
    /// Limits after [`widen_seconds`](Self::widen_seconds). Limits in between are interpolated linearly.
    pub widened: Limits,
    /// Seconds until limits are fully widened.
    pub widen_seconds: u32,
    /// Seconds of waiting after which a match may lack roles.
    pub roles_seconds: u32,
    /// Seconds of waiting after which no limit applies, and the longest wait takes precedence.
    pub due_seconds: u32,
}

/// Upper limits that a match must keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum deviation of the odds from even, |P - ½|.
    pub uneven: f64,
    /// Maximum standard deviation of the ratings, in points.
    pub spread: f64,
    /// Maximum ping of any player, in milliseconds.
    pub ping: f64,
}

impl MatchPolicy {
    /// Returns the limits of a match whose longest wait is `waited_seconds`, or `None` if the wait is overdue.
    #[must_use]
    pub fn limits(&self, waited_seconds: u32) -> Option<Limits> {
        if waited_seconds >= self.due_seconds {
            return None;
        }
        let share = if waited_seconds >= self.widen_seconds {
            1.0
        } else {
            f64::from(waited_seconds) / f64::from(self.widen_seconds)
        };
        let between = |from: f64, to: f64| from + (to - from) * share;
        Some(Limits {
            uneven: between(self.at_once.uneven, self.widened.uneven),
            spread: between(self.at_once.spread, self.widened.spread),
            ping: between(self.at_once.ping, self.widened.ping),
        })
    }
}

impl Default for MatchPolicy {
    /// Returns the values that the tables of the built-in policies override.
    fn default() -> Self {
        Self {
            evenness: 0.35,
            spread: 0.35,
            spread_points: 200.0,
            ping: 0.15,
            ping_ms: 100.0,
            roles: 0.1,
            waiting: 1.0,
            at_once: Limits {
                uneven: 0.05,
                spread: 150.0,
                ping: 80.0,
            },
            widened: Limits {
                uneven: 0.2,
                spread: 400.0,
                ping: 200.0,
            },
            widen_seconds: 120,
            roles_seconds: 60,
            due_seconds: 300,
        }
    }
}
