//! Clauses of the sentences that describe a split of players or the balance of a match. A clause reports one subject,
//! such as parties, roles, newcomers or the strengths of the teams, and is `None` if there is nothing to report.

use super::odds::{self, odds};
use super::plural;
use crate::balance::{PartyMultipliers, Policy, Power, Reason, Tally, Weigh};
use crate::partition::Split;

/// Returns the number of players of a split's larger team. Teams differ in size by one if the number of players is odd.
pub(crate) fn larger_team(split: &Split) -> usize {
    split.a.len().max(split.b.len())
}

/// Says how many players change teams by a split; `None` if the request did not contain the current teams.
pub(crate) fn moves(split: &Split) -> Option<String> {
    Some(match split.outcome.moves? {
        0 => "nobody changes teams".to_owned(),
        moves => plural(moves, "player changes teams", "players change teams"),
    })
}

/// Says that a split keeps all parties together; `None` if a party is separated, see [`split_parties`].
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

/// Says how many parties are separated by a split, or too large for a team.
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

/// Says how many players a split lacks in roles. Names a single role, counts several, and puts no name into the plural.
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

/// Says how many newcomers a split puts on team a and on team b; `None` if it does not share newcomers out.
pub(crate) fn shared_newcomers(split: &Split) -> Option<String> {
    let shared = split.outcome.newcomers?;
    Some(format!("newcomers {} and {}", shared.a, shared.b))
}

/// Returns the number of items in `list` with a singular or plural phrase; `None` for an empty list.
pub(crate) fn some<T>(list: &[T], one: &str, several: &str) -> Option<String> {
    (!list.is_empty()).then(|| plural(list.len(), one, several))
}

/// Describes the strength of both teams by the measure that `reason` is about: the odds, or the sums of weights.
/// Without such a reason, uses odds if the policy weighs teams by ratings, else the weights.
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

/// Returns `true` if the policy weighs teams by the ratings that the odds are computed from.
fn weighs_by_odds(policy: &Policy) -> bool {
    policy.weigh == Weigh::Rating && policy.party_multipliers == PartyMultipliers::NONE
}

/// Returns the win probability of the stronger team, 0.5 to 1. Returns its share of the total power instead if the
/// policy does not weigh teams by ratings.
pub(super) fn favourite(tally: &Tally, policy: &Policy, theta: f64) -> f64 {
    if weighs_by_odds(policy) {
        return odds::favourite(tally.odds_lead().unsigned_abs(), theta);
    }
    let (a, b) = (tally.a.power.points(), tally.b.power.points());
    if a + b > 0.0 { a.max(b) / (a + b) } else { 0.5 }
}

/// Formats the power of a team with three decimals below 10, two below 1000, and none above. Drops trailing zeros.
pub(super) fn points(power: Power) -> String {
    let points = power.points();
    let decimals = match points {
        ..10.0 => 3,
        ..1000.0 => 2,
        _ => return format!("{points:.0}"),
    };
    let text = format!("{points:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
