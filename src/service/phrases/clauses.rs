//! What became of single wishes, as clauses of the sentence on a split, `None` where nothing did; and figures of teams
//! in the sentences on balance.

use super::odds::{self, odds};
use super::plural;
use crate::balance::{PartyMultipliers, Policy, Power, Reason, Tally, Weigh};
use crate::partition::Split;

/// The number of players of the larger team, which has one more where an odd number play.
pub(crate) fn larger_team(split: &Split) -> usize {
    split.a.len().max(split.b.len())
}

/// How many players change teams; `None` where the current teams were not sent.
pub(crate) fn moves(split: &Split) -> Option<String> {
    Some(match split.outcome.moves? {
        0 => "nobody changes teams".to_owned(),
        moves => plural(moves, "player changes teams", "players change teams"),
    })
}

/// That all parties are together; where some are not, [`split_parties`] names them.
pub(crate) fn kept_parties(split: &Split) -> Option<String> {
    if !split.outcome.split_parties.is_empty() {
        return None;
    }
    match split.outcome.kept_parties.len() {
        0 => None,
        1 => Some("the party together".to_owned()),
        2 => Some("both parties together".to_owned()),
        parties => Some(format!("all {parties} parties together")),
    }
}

/// How many parties are split, or do not fit on a team.
pub(crate) fn split_parties(split: &Split) -> Option<String> {
    let parties = &split.outcome.split_parties;
    let which = match (parties.len(), split.outcome.kept_parties.len()) {
        (0, _) => return None,
        (1, 0) => "the party is".to_owned(),
        (1, 1) => "one of two parties is".to_owned(),
        (1, kept) => format!("1 of {} parties is", 1 + kept),
        (2, 0) => "both parties are".to_owned(),
        (apart, 0) => format!("all {apart} parties are"),
        (apart, kept) => format!("{apart} of {} parties are", apart + kept),
    };
    let how = if parties.iter().all(|party| party.len() > larger_team(split)) {
        "too large for a team"
    } else {
        "split"
    };
    Some(format!("{which} {how}"))
}

/// Names the role where it is one; a name is no word that could be put into the plural.
pub(crate) fn missing_roles(split: &Split) -> Option<String> {
    let roles = &split.outcome.missing_roles;
    let who = match &roles[..] {
        [] => return None,
        [role] => format!("the role {} lacks", role.name),
        several => format!("{} roles lack", several.len()),
    };
    let missing: usize = roles.iter().map(|role| role.missing).sum();
    Some(format!("{who} {}", plural(missing, "player", "players")))
}

/// Returns the numbers of newcomers on teams a and b; `None` if none are shared out.
pub(crate) fn shared_newcomers(split: &Split) -> Option<String> {
    let shared = split.outcome.newcomers?;
    Some(format!("newcomers {} and {}", shared.a, shared.b))
}

/// How many are in `list`, with what they do.
pub(crate) fn some<T>(list: &[T], one: &str, several: &str) -> Option<String> {
    (!list.is_empty()).then(|| plural(list.len(), one, several))
}

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
