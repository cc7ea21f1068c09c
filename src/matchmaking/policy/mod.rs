//! Matchmaking policies: weights of costs and limits of matches, configured in TOML.

mod policy_table;

pub use policy_table::{MatchPolicies, MatchPolicyTable};

/// Matchmaking policy: weights that define the value of a match, and limits on matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchPolicy {
    /// Maximum cost per player of uneven odds, reached if one team is sure to win; proportional to the distance of the
    /// win probability from ½. A player in a match is worth 1.
    pub evenness: f64,
    /// Maximum cost per player of unequal ratings; a player in a match is worth 1. Half applies at
    /// [`spread_points`](Self::spread_points).
    pub spread: f64,
    /// Standard deviation of the ratings in a match, in points, at which half of the cost [`spread`](Self::spread)
    /// applies.
    pub spread_points: f64,
    /// Maximum cost per player of a high ping; a player in a match is worth 1. Half applies at
    /// [`ping_ms`](Self::ping_ms).
    pub ping: f64,
    /// Ping of a player, in milliseconds, at which half of the cost [`ping`](Self::ping) applies.
    pub ping_ms: f64,
    /// Cost per player of missing roles, if all wanted roles are missing; a player in a match is worth 1.
    pub roles: f64,
    /// Extra value of a player who has waited for [`due_seconds`](Self::due_seconds); proportional to the wait. Without
    /// it, a player in a match is worth 1.
    pub waiting: f64,
    /// Maximum unevenness of the odds, spread of ratings and ping in a match of players who have just joined the queue.
    pub at_once: Limits,
    /// Maximum unevenness of the odds, spread of ratings and ping in a match after
    /// [`widen_seconds`](Self::widen_seconds) of waiting. For shorter waits, limits are interpolated linearly from
    /// [`at_once`](Self::at_once).
    pub widened: Limits,
    /// Seconds of waiting in the queue until the limits on matches are fully widened.
    pub widen_seconds: u32,
    /// Seconds of waiting in the queue after which a match may lack players for roles, such as medic.
    pub roles_seconds: u32,
    /// Seconds of waiting after which no limit applies to a match, and the longest wait takes precedence.
    pub due_seconds: u32,
}

/// Upper limits on the odds, ratings and pings of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum distance of the win probability from even, |P - ½|, 0 to 0.5.
    pub uneven: f64,
    /// Maximum standard deviation of the ratings in the match, in points.
    pub spread: f64,
    /// Maximum ping of any player in the match, in milliseconds.
    pub ping: f64,
}

impl MatchPolicy {
    /// Returns the limits on odds, ratings and pings of a match whose longest wait is `waited_seconds`; `None` (no
    /// limits) from [`due_seconds`](Self::due_seconds) on.
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
    /// Returns the default matchmaking policy, whose values the built-in policies override.
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
