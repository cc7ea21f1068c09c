//! Matchmaking policies: weights of costs and limits of matches, configured in TOML.

use serde::Deserialize;

use crate::catalog::{Catalog, InvalidEntry, Table, check};
use crate::domain::PolicyName;

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

/// Table in TOML that defines a matchmaking policy; all fields are optional.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPolicyTable {
    /// Built-in policy whose values the new policy inherits.
    like: Option<PolicyName>,
    evenness: Option<f64>,
    spread: Option<f64>,
    spread_points: Option<f64>,
    ping: Option<f64>,
    ping_ms: Option<f64>,
    roles: Option<f64>,
    waiting: Option<f64>,
    uneven_at_once: Option<f64>,
    uneven_widened: Option<f64>,
    spread_at_once: Option<f64>,
    spread_widened: Option<f64>,
    ping_at_once: Option<f64>,
    ping_widened: Option<f64>,
    widen_seconds: Option<u32>,
    roles_seconds: Option<u32>,
    due_seconds: Option<u32>,
}

/// Catalog of the available matchmaking policies.
pub type MatchPolicies = Catalog<MatchPolicyTable>;

impl Table for MatchPolicyTable {
    type Name = PolicyName;
    type Entry = MatchPolicy;

    const NOUN: &'static str = "policy";
    const BUILT_IN: &'static str = include_str!("../../config/match-policies.toml");
    const CHOICE: &'static str = "policy";
    const LIKE_AS_SET: bool = false;

    fn like(&self) -> Option<&PolicyName> {
        self.like.as_ref()
    }

    fn built_in(&self) -> Result<MatchPolicy, InvalidEntry> {
        self.over(MatchPolicy::default())
    }

    fn over(&self, base: MatchPolicy) -> Result<MatchPolicy, InvalidEntry> {
        let number = |setting: &str, set: Option<f64>, base: f64, least: f64, most: f64| {
            let value = set.unwrap_or(base);
            let wrong = || InvalidEntry::new(format!("{setting} must be {least} to {most}"));
            (least..=most)
                .contains(&value)
                .then_some(value)
                .ok_or_else(wrong)
        };
        let seconds = |setting: &str, set: Option<u32>, base: u32, least: u32| {
            let value = set.unwrap_or(base);
            let wrong = || InvalidEntry::new(format!("{setting} must be {least} to 86400 seconds"));
            (least..=86_400)
                .contains(&value)
                .then_some(value)
                .ok_or_else(wrong)
        };
        let limits = |base: Limits, end: &str, set: [Option<f64>; 3]| {
            Ok(Limits {
                uneven: number(&format!("uneven_{end}"), set[0], base.uneven, 0.0, 0.5)?,
                spread: number(&format!("spread_{end}"), set[1], base.spread, 0.0, 1e6)?,
                ping: number(&format!("ping_{end}"), set[2], base.ping, 0.0, 60_000.0)?,
            })
        };
        let at_once = [self.uneven_at_once, self.spread_at_once, self.ping_at_once];
        let widened = [self.uneven_widened, self.spread_widened, self.ping_widened];
        let policy = MatchPolicy {
            evenness: number("evenness", self.evenness, base.evenness, 0.0, 1.0)?,
            spread: number("spread", self.spread, base.spread, 0.0, 1.0)?,
            spread_points: number(
                "spread_points",
                self.spread_points,
                base.spread_points,
                1.0,
                1e6,
            )?,
            ping: number("ping", self.ping, base.ping, 0.0, 1.0)?,
            ping_ms: number("ping_ms", self.ping_ms, base.ping_ms, 1.0, 60_000.0)?,
            roles: number("roles", self.roles, base.roles, 0.0, 1.0)?,
            waiting: number("waiting", self.waiting, base.waiting, 0.0, 100.0)?,
            at_once: limits(base.at_once, "at_once", at_once)?,
            widened: limits(base.widened, "widened", widened)?,
            widen_seconds: seconds("widen_seconds", self.widen_seconds, base.widen_seconds, 1)?,
            roles_seconds: seconds("roles_seconds", self.roles_seconds, base.roles_seconds, 0)?,
            due_seconds: seconds("due_seconds", self.due_seconds, base.due_seconds, 1)?,
        };
        check_sense(&policy)?;
        Ok(policy)
    }
}

/// Rejects combinations of a policy's values that contradict each other.
fn check_sense(policy: &MatchPolicy) -> Result<(), InvalidEntry> {
    check(
        policy.evenness + policy.spread + policy.ping + policy.roles <= 0.99,
        "evenness, spread, ping and roles must be at most 0.99 together, so that a match that is allowed \
         is always better than none",
    )?;
    check(
        policy.widen_seconds <= policy.due_seconds,
        "widen_seconds must be at most due_seconds, the time after which no limit applies",
    )?;
    let [from, to] = [policy.at_once, policy.widened];
    check(
        from.uneven <= to.uneven && from.spread <= to.spread && from.ping <= to.ping,
        "uneven_at_once must be at most uneven_widened, spread_at_once at most spread_widened, and ping_at_once \
         at most ping_widened",
    )
}
