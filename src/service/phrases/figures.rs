//! Figures of teams in the sentences on balance.

use super::odds::{self, odds};
use crate::balance::{PartyMultipliers, Policy, Power, Reason, Tally, Weigh};

/// What the rule looks at that fired: the odds, or what the teams weigh. Where that was the sizes, or
/// nothing, the odds where the policy goes by them.
pub(super) fn figure(
    tally: &Tally,
    reason: Option<&Reason>,
    policy: &Policy,
    theta: f64,
) -> String {
    let by_odds = match reason {
        Some(Reason::WinProbability { .. }) => true,
        Some(Reason::PowerDifference { .. } | Reason::PowerRatio { .. }) => false,
        _ => weighs_by_odds(policy),
    };
    if by_odds {
        odds(tally.odds_lead().unsigned_abs(), theta)
    } else {
        let (a, b) = (points(tally.a.power), points(tally.b.power));
        format!("power {a} to {b}")
    }
}

/// Whether what the teams weigh is what the odds come from.
fn weighs_by_odds(policy: &Policy) -> bool {
    policy.weigh == Weigh::Rating && policy.party_multipliers == PartyMultipliers::NONE
}

/// The stronger team's odds, or where the policy weighs otherwise its share of what both weigh.
pub(super) fn favourite(tally: &Tally, policy: &Policy, theta: f64) -> f64 {
    if weighs_by_odds(policy) {
        return odds::favourite(tally.odds_lead().unsigned_abs(), theta);
    }
    let (a, b) = (tally.a.power.points(), tally.b.power.points());
    if a + b > 0.0 { a.max(b) / (a + b) } else { 0.5 }
}

/// A power in as many decimals as matter.
pub(super) fn points(power: Power) -> String {
    let points = power.points();
    let decimals = match points {
        ..10.0 => 3,
        ..1000.0 => 2,
        _ => return format!("{points:.0}"),
    };
    let decimal = format!("{points:.decimals$}");
    let decimal = decimal.trim_end_matches('0');
    decimal.trim_end_matches('.').to_owned()
}
