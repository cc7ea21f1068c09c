//! How matches are weighed, as data: a community's policy is a table in TOML.

mod policy_table;

pub use policy_table::{MatchPolicies, MatchPolicyTable};

/// What a match is worth and what is allowed of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchPolicy {
    /// What uneven odds cost a player: this much where the outcome is certain, nothing where odds are even.
    pub evenness: f64,
    /// What the spread of the ratings costs: half of this at [`spread_points`](Self::spread_points).
    pub spread: f64,
    /// The standard deviation of a match's ratings, in points, that costs half.
    pub spread_points: f64,
    /// What pings cost: half of this at [`ping_ms`](Self::ping_ms).
    pub ping: f64,
    /// The ping in milliseconds that costs half.
    pub ping_ms: f64,
    /// What roles that nobody can take cost where all are missing.
    pub roles: f64,
    /// By how much more a place is worth to who has waited for [`due_seconds`](Self::due_seconds).
    pub waiting: f64,
    /// What is allowed for those who have just come.
    pub at_once: Limits,
    /// What is allowed after [`widen_seconds`](Self::widen_seconds); between the two it grows evenly.
    pub widened: Limits,
    /// How long limits widen.
    pub widen_seconds: u32,
    /// After how long a match may lack roles.
    pub roles_seconds: u32,
    /// After how long nothing is limited any more, and who waits longest goes first.
    pub due_seconds: u32,
}

/// The most that is allowed of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// |P - ½|, by how much the odds may differ from even.
    pub uneven: f64,
    /// The standard deviation of the ratings, in points.
    pub spread: f64,
    /// Anybody's ping, in milliseconds.
    pub ping: f64,
}

impl MatchPolicy {
    /// What is allowed of a match whose longest wait is this; `None` where that is due.
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
    /// What a built-in policy's table changes.
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
