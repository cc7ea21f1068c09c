//! Sentences that explain to admins why the teams of a running match are as they are.

use std::time::Duration;

use super::duration;
use super::odds::odds_for;
use crate::api::{InterventionAnswer, LivePlayerAnswer, PlayerChange};
use crate::domain::{PlayerDisplayName, PlayerId, Probability, Side};

/// Maximum number of players that a clause names. Of more players, it has the number.
const MAX_NAMED: usize = 4;

/// Describes the odds of the teams, and the changes of the players that led to them. `earlier` is the age of the teams
/// that the present ones come from, with the odds that a scramble predicted; a round has no such odds.
pub(crate) fn why(
    odds_a: Probability,
    earlier: Option<(Duration, Option<Probability>)>,
    players: &[LivePlayerAnswer],
) -> String {
    let mut odds = odds_for(odds_a);
    if !odds.starts_with("even") {
        let is_a = odds_a > Probability::HALF;
        let favourite = team(if is_a { Side::A } else { Side::B });
        odds = format!("{odds} for {favourite}");
    }
    odds[..1].make_ascii_uppercase();
    let Some((age, predicted)) = earlier else {
        return format!("{odds}. RBS knows no other teams from the last 3 hours to compare with.");
    };
    let earlier = match predicted {
        Some(predicted) => format!("the scramble {} with {}", ago(age), odds_for(predicted)),
        None => format!("the round that ended {}", ago(age)),
    };
    let changes = changes(players);
    if changes.is_empty() {
        format!("{odds}: these are the teams of {earlier}.")
    } else {
        format!("{odds}: since {earlier}, {}.", changes.join("; "))
    }
}

/// Names the parties of which several players are there, all on one team.
pub(crate) fn parties(
    parties: &[Vec<PlayerId>],
    players: &[LivePlayerAnswer],
) -> impl Iterator<Item = String> {
    parties.iter().filter_map(|party| {
        let there: Vec<&LivePlayerAnswer> = players
            .iter()
            .filter(|player| party.contains(&player.id))
            .filter(|player| player.change != Some(PlayerChange::Left))
            .collect();
        let side = there.first()?.team;
        let together = there.len() > 1 && there.iter().all(|player| player.team == side);
        let names: Vec<String> = there
            .iter()
            .map(|one| name(one.id, one.name.as_ref()))
            .collect();
        together.then(|| format!("{} are a party on {}.", listed(&names), team(side)))
    })
}

/// Names the moves that the last answer about the teams recommended. `age` is the time since then.
pub(crate) fn advice(last: &InterventionAnswer, age: Duration) -> String {
    let moves = last.moves.iter().map(|one| {
        let name = name(one.player.id, one.name.as_ref());
        format!("{name} to {}", team(one.player.to))
    });
    match &moves.collect::<Vec<_>>()[..] {
        [] => format!(
            "RBS found {} that no allowed move makes the teams more even.",
            ago(age)
        ),
        moves => format!("RBS recommended {}: {}.", ago(age), listed(moves)),
    }
}

/// Says who joined, moved to and left each team.
fn changes(players: &[LivePlayerAnswer]) -> Vec<String> {
    let mut clauses = Vec::new();
    for (change, verb) in [
        (PlayerChange::Joined, "joined"),
        (PlayerChange::Moved, "moved to"),
        (PlayerChange::Left, "left"),
    ] {
        for side in [Side::A, Side::B] {
            let names: Vec<String> = players
                .iter()
                .filter(|one| one.change == Some(change) && one.team == side)
                .map(|one| format!("{} ({})", name(one.id, one.name.as_ref()), one.rating))
                .collect();
            let who = match names.len() {
                0 => continue,
                1..=MAX_NAMED => listed(&names),
                more => format!("{more} players"),
            };
            clauses.push(format!("{who} {verb} {}", team(side)));
        }
    }
    clauses
}

fn name(id: PlayerId, name: Option<&PlayerDisplayName>) -> String {
    name.map_or_else(|| id.to_string(), ToString::to_string)
}

fn ago(age: Duration) -> String {
    match age.as_secs() / 60 {
        0 => "less than a minute ago".to_owned(),
        minutes => format!("{} ago", duration(Duration::from_mins(minutes))),
    }
}

fn team(side: Side) -> String {
    format!("team {}", side.to_string().to_uppercase())
}

fn listed(items: &[String]) -> String {
    match items {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        items => items.concat(),
    }
}
