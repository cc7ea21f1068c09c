//! Sentences that explain to admins why the teams of a running match are as they are.

use std::iter::once;
use std::time::Duration;

use super::duration;
use super::odds::odds_of;
use crate::api::{LivePlayerAnswer, PlayerChange};
use crate::domain::{PlayerId, Probability, Side};
use crate::store::PlayerMove;

/// Maximum number of players that a clause names.
const MAX_NAMED: usize = 4;

/// Facts about a running match that explain its teams.
#[derive(Debug)]
pub(crate) struct Story<'all> {
    pub(crate) odds_a: Probability,
    /// Age of the earlier teams that the present ones come from, and the scramble's prediction; `None` for a round.
    pub(crate) earlier: Option<(Option<Probability>, Duration)>,
    /// Players with their changes since the earlier teams.
    pub(crate) players: &'all [LivePlayerAnswer],
    pub(crate) parties: &'all [Vec<PlayerId>],
    /// Age and recommended moves of the last intervention since the earlier teams.
    pub(crate) advice: Option<(Duration, Vec<PlayerMove>)>,
}

/// Explains the teams of a running match. The first sentence has the odds, and the changes that led to them.
pub(crate) fn why(story: &Story<'_>) -> String {
    let side = if story.odds_a < Probability::HALF {
        Side::B
    } else {
        Side::A
    };
    let odds = match favourite(story.odds_a) {
        even if even.starts_with("even") => even.replacen('e', "E", 1),
        uneven => format!("{} for {}", uneven.replacen('o', "O", 1), team(side)),
    };
    let changes = changes(story.players);
    let earlier = story.earlier.map(|(predicted, age)| match predicted {
        Some(predicted) => format!("the scramble {} with {}", ago(age), favourite(predicted)),
        None => format!("the round that ended {}", ago(age)),
    });
    let first = match earlier {
        None => format!("{odds}. No earlier teams of the last 3 hours are known."),
        Some(earlier) if changes.is_empty() => format!("{odds}: these are the teams of {earlier}."),
        Some(earlier) => format!("{odds}: since {earlier}, {}.", changes.join("; ")),
    };
    let parties = story.parties.iter().filter_map(|party| {
        let there = story.players.iter().filter(|player| {
            party.contains(&player.id) && player.change != Some(PlayerChange::Left)
        });
        let (sides, names): (Vec<Side>, Vec<String>) =
            there.map(|player| (player.team, name(player))).unzip();
        let side = team(*sides.first()?);
        let together = sides.len() > 1 && sides.iter().all(|one| *one == sides[0]);
        together.then(|| format!("{} are a party on {side}.", listed(&names)))
    });
    let advice = story.advice.as_ref().map(|(age, moves)| {
        let moves = moves.iter().map(|one| {
            let player = story.players.iter().find(|player| player.id == one.id);
            let name = player.map_or_else(|| one.id.to_string(), name);
            format!("{name} to {}", team(one.to))
        });
        let moves: Vec<String> = moves.collect();
        match &moves[..] {
            [] => format!("RBS found {} that no allowed move helps.", ago(*age)),
            moves => format!("RBS recommended {}: {}.", ago(*age), listed(moves)),
        }
    });
    let sentences = once(first).chain(parties).chain(advice);
    sentences.collect::<Vec<_>>().join(" ")
}

/// Says who joined, changed and left the teams.
fn changes(players: &[LivePlayerAnswer]) -> Vec<String> {
    let mut clauses = Vec::new();
    for (change, verb) in [
        (PlayerChange::Joined, "joined"),
        (PlayerChange::Moved, "moved to"),
        (PlayerChange::Left, "left"),
    ] {
        for side in [Side::A, Side::B] {
            let who = players.iter();
            let who = who.filter(|one| one.change == Some(change) && one.team == side);
            let names = who.map(|one| format!("{} ({})", name(one), one.rating));
            let mut names: Vec<String> = names.collect();
            if names.len() > MAX_NAMED {
                let more = format!("{} more", names.len() - MAX_NAMED);
                names.splice(MAX_NAMED.., [more]);
            }
            if !names.is_empty() {
                clauses.push(format!("{} {verb} {}", listed(&names), team(side)));
            }
        }
    }
    clauses
}

fn name(player: &LivePlayerAnswer) -> String {
    let id = || player.id.to_string();
    player.name.as_ref().map_or_else(id, ToString::to_string)
}

/// Describes the odds, the favourite's first.
fn favourite(odds_a: Probability) -> String {
    odds_of(odds_a.get().max(odds_a.complement().get()))
}

fn ago(age: Duration) -> String {
    match age.as_secs() / 60 {
        0 => "less than a minute ago".to_owned(),
        minutes => format!("{} ago", duration(Duration::from_mins(minutes))),
    }
}

fn team(side: Side) -> &'static str {
    match side {
        Side::A => "team A",
        Side::B => "team B",
    }
}

fn listed(items: &[String]) -> String {
    match items {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        items => items.concat(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn player(number: usize, team: &str, change: Option<&str>) -> LivePlayerAnswer {
        let name = ["Ana", "Bob", "Cem"].get(number);
        let player = json!({"id": format!("[U:1:{number}]"), "name": name, "rating": 1500 - 100 * number,
                            "team": team, "change": change});
        from_value(player).unwrap()
    }

    #[test]
    fn the_first_sentence_has_the_odds_and_the_changes_behind_them() {
        let minutes = |count: u64| Duration::from_secs(60 * count + 59);
        let probability = |share: f64| from_value::<Probability>(share.into()).unwrap();
        let mut players = vec![player(0, "b", Some("joined")), player(1, "b", None)];
        players.push(player(2, "a", Some("left")));
        players.extend((3..8).map(|number| player(number, "a", Some("moved"))));
        let ids: Vec<PlayerId> = players.iter().map(|player| player.id).collect();
        let to_a = json!({"id": ids[1], "from": "b", "to": "a", "with": null});
        let mut story = Story {
            odds_a: probability(0.287),
            earlier: Some((Some(probability(0.496)), minutes(12))),
            players: &players,
            parties: &[&ids[..3], &ids[1..4], &ids[2..4]].map(<[_]>::to_vec),
            advice: Some((minutes(0), vec![from_value(to_a).unwrap()])),
        };
        assert_eq!(
            why(&story),
            "Odds of 71.3 % to 28.7 % for team B: since the scramble 12 minutes ago with even odds (50.4 %), Ana (1500) \
             joined team B; 76561197960265731 (1200), 76561197960265732 (1100), 76561197960265733 (1000), \
             76561197960265734 (900) and 1 more moved to team A; Cem (1300) left team A. Ana and Bob are a party on team \
             B. RBS recommended less than a minute ago: Bob to team A."
        );
        (story.players, story.odds_a) = (&players[1..2], probability(0.504));
        story.earlier = Some((None, minutes(61)));
        story.advice = Some((minutes(3), Vec::new()));
        assert_eq!(
            why(&story),
            "Even odds (50.4 %): these are the teams of the round that ended 1 hour 1 minute ago. RBS found 3 minutes ago \
             that no allowed move helps."
        );
        (story.earlier, story.advice) = (None, None);
        let unknown = "Even odds (50.4 %). No earlier teams of the last 3 hours are known.";
        assert_eq!(why(&story), unknown);
    }
}
