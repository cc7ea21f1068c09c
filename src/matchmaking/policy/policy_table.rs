use serde::Deserialize;

use super::{Limits, MatchPolicy};
use crate::catalog::{Catalog, InvalidEntry, Table};
use crate::domain::PolicyName;

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
    const BUILT_IN: &'static str = include_str!("../../../config/match-policies.toml");
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
    if policy.evenness + policy.spread + policy.ping + policy.roles > 0.99 {
        return Err(InvalidEntry::new(
            "evenness, spread, ping and roles must be at most 0.99 together, so that a match that is allowed \
             is always better than none",
        ));
    }
    if policy.widen_seconds > policy.due_seconds {
        return Err(InvalidEntry::new(
            "widen_seconds must be at most due_seconds, the time after which no limit applies",
        ));
    }
    let [from, to] = [policy.at_once, policy.widened];
    if from.uneven > to.uneven || from.spread > to.spread || from.ping > to.ping {
        return Err(InvalidEntry::new(
            "uneven_at_once must be at most uneven_widened, spread_at_once at most spread_widened, and ping_at_once \
             at most ping_widened",
        ));
    }
    Ok(())
}
