use std::collections::BTreeMap;

use super::newcomers::Newcomers;
use super::recent_rounds::RecentRounds;
use crate::api::{Object, RoleRequest, ScrambleRequest, TeamSize, TeamsRequest, Whole};
use crate::domain::PlayerId;
use crate::partition::{Alternatives, Current, Role, Wishes};

/// Default tolerance if players on the bench take turns, in rating points of additional difference.
///
/// With a tolerance of 0, nearly always only one split is the closest, so a player may wait again and again. In 18 of
/// 30 arenas with 15 players, a player who had waited three rounds in a row waited a fourth. With 10 points this
/// happened in none. 20 points are 0.2 % of win probability at Θ = 2400.
const TURNS_TOLERANCE: u32 = 20;

/// Returns the wishes of a validated request, with the recent rounds and `newcomers` that the service knows.
pub(crate) fn wishes_of(
    request: &ScrambleRequest,
    known: &RecentRounds,
    newcomers: Newcomers,
) -> Wishes {
    let unless_sent = Wishes::default();
    let mut waited = known.waited.clone();
    waited.extend(request.all_waited());
    let recent = request.recent.iter().map(teams);
    // A single newcomer, or a single other player, cannot be shared out.
    let shared = 2..=request.players.len().saturating_sub(2);
    let are_shared = shared.contains(&newcomers.players.len());
    let mut newcomers = Some(newcomers).filter(|_| are_shared).unwrap_or_default();
    // Sorted, because equal questions are computed once, whatever the order of the players in the request.
    newcomers.players.sort_unstable();
    Wishes {
        current: request.current.as_ref().map(teams),
        parties: request.all_parties().map(|party| party.players()).collect(),
        party_price: request
            .party_price
            .map_or(unless_sent.party_price, Whole::get),
        apart: request.all_apart().map(|apart| apart.pair).collect(),
        roles: request.roles.iter().map(role).collect(),
        newcomers: newcomers.players,
        newcomers_price: newcomers.price,
        must_play: request.must_play.clone(),
        must_wait: request.must_wait.clone(),
        tolerance: tolerance(request, &waited, unless_sent.tolerance),
        waited,
        spread: request.spread.unwrap_or(unless_sent.spread),
        recent: recent.chain(known.teams.iter().cloned()).collect(),
        sizes: request
            .sizes
            .as_ref()
            .map(|sizes| sizes.iter().copied().map(TeamSize::count).collect()),
        anchor: request.anchor.unwrap_or(unless_sent.anchor),
        bench: request.bench.unwrap_or(unless_sent.bench),
        alternatives: alternatives(request),
    }
}

/// Returns the team size of the alternative splits that `request` needs, and their number: enough both for the list and
/// for the random draw that it asks for. Returns `None` if it asks for neither.
fn alternatives(request: &ScrambleRequest) -> Option<Alternatives> {
    let listed = request
        .alternatives
        .map_or(0, |Object(wanted)| wanted.count.count());
    let drawn = request.pick.map_or(0, |Object(pick)| pick.of.count());
    let count = listed.max(drawn);
    let size = request.drawn_size().filter(|_| count > 0)?;
    Some(Alternatives { size, count })
}

/// Returns the rating points by which wishes of `request` may raise the difference of the teams' rating sums above the
/// minimum. Without a value in the request, returns [`TURNS_TOLERANCE`] if players take turns on the bench, and else
/// `otherwise`.
fn tolerance(request: &ScrambleRequest, waited: &BTreeMap<PlayerId, u32>, otherwise: u32) -> u32 {
    let has_waited = |player| waited.get(&player).is_some_and(|rounds| *rounds > 0);
    let takes_turns = request.bench != Some(false) && request.eligible().any(has_waited);
    let unless_sent = if takes_turns {
        TURNS_TOLERANCE
    } else {
        otherwise
    };
    request.tolerance.map_or(unless_sent, Whole::get)
}

fn teams(Object(teams): &Object<TeamsRequest>) -> Current {
    let [a, b] = teams.teams.clone().map(|(_, team)| team);
    Current { a, b }
}

fn role(Object(role): &Object<RoleRequest>) -> Role {
    Role {
        name: role.name.to_string(),
        players: role.players.clone(),
        each: role.each.map_or(1, Whole::count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(players: &str, wishes: &str) -> ScrambleRequest {
        let text = format!("{{\"server\":\"s\",\"players\":[{players}]{wishes}}}");
        crate::api::read(text.as_bytes()).unwrap()
    }

    fn wishes(text: &str) -> Wishes {
        wishes_of(
            &request("", text),
            &RecentRounds::default(),
            Newcomers::default(),
        )
    }

    fn id(account: u64) -> PlayerId {
        format!("[U:1:{account}]").parse().unwrap()
    }

    #[test]
    fn whoever_wishes_nothing_gets_what_is_usual() {
        assert_eq!(wishes(""), Wishes::default());
    }

    #[test]
    fn turns_on_the_bench_have_some_tolerance_where_somebody_has_waited() {
        let there = r#""[U:1:1]","[U:1:2]""#;
        let tolerance = |players: &str, wishes: &str, recent: &RecentRounds| {
            wishes_of(&request(players, wishes), recent, Newcomers::default()).tolerance
        };
        let nothing = &RecentRounds::default();
        let waited = r#","waited":{"[U:1:1]":2}"#;
        assert_eq!(tolerance(there, waited, nothing), TURNS_TOLERANCE);
        let labelled = r#"{"id":"[U:1:1]","waited":1}"#;
        assert_eq!(tolerance(labelled, "", nothing), TURNS_TOLERANCE);
        for (wishes, expected) in [
            ("", 0),
            (r#","waited":{"[U:1:1]":0,"[U:1:9]":5}"#, 0),
            (r#","waited":{"[U:1:1]":2},"tolerance":0"#, 0),
            (r#","waited":{"[U:1:1]":2},"tolerance":7"#, 7),
            (r#","waited":{"[U:1:1]":2},"bench":false"#, 0),
        ] {
            assert_eq!(tolerance(there, wishes, nothing), expected, "{wishes}");
        }
        let known = RecentRounds {
            waited: [(id(2), 1)].into(),
            teams: Vec::new(),
        };
        assert_eq!(
            tolerance(there, r#","waited":"auto""#, &known),
            TURNS_TOLERANCE
        );
    }

    #[test]
    fn what_is_sent_stands_above_what_is_known_and_recent_teams_add_up() {
        let teams = |a, b| Current {
            a: vec![id(a)],
            b: vec![id(b)],
        };
        let recent = RecentRounds {
            waited: [(id(1), 4), (id(2), 3)].into(),
            teams: vec![teams(3, 4)],
        };
        let sent = request(
            r#"{"id":"[U:1:1]","waited":1},"[U:1:2]""#,
            r#","waited":"auto","repeat":1,"recent":[{"a":["[U:1:5]"],"b":["[U:1:6]"]}]"#,
        );
        let wishes = wishes_of(&sent, &recent, Newcomers::default());
        assert_eq!(wishes.waited, [(id(1), 1), (id(2), 3)].into());
        assert_eq!(wishes.recent, [teams(5, 6), teams(3, 4)]);
    }

    #[test]
    fn newcomers_arrive_in_any_order_where_they_and_the_others_are_several() {
        let there = r#""[U:1:1]","[U:1:2]","[U:1:3]","[U:1:4]""#;
        let shared = |numbers: &[u64]| {
            let newcomers = Newcomers {
                players: numbers.iter().map(|number| id(*number)).collect(),
                price: 20,
            };
            let wishes = wishes_of(&request(there, ""), &RecentRounds::default(), newcomers);
            (wishes.newcomers, wishes.newcomers_price)
        };
        assert_eq!(shared(&[3, 2]), (vec![id(2), id(3)], 20));
        for numbers in [&[][..], &[2], &[2, 3, 4], &[1, 2, 3, 4]] {
            assert_eq!(shared(numbers), (Vec::new(), 0), "{numbers:?}");
        }
    }

    #[test]
    fn every_wish_arrives() {
        let teams = |a, b| Current {
            a: vec![id(a)],
            b: vec![id(b)],
        };
        assert_eq!(
            wishes(
                r#","current":{"a":["[U:1:1]"],"b":["[U:1:2]"]},"parties":[["[U:1:3]","[U:1:4]"]],
                   "party_price":7,"apart":[["[U:1:5]","[U:1:6]"]],"must_play":["[U:1:7]"],
                   "must_wait":["[U:1:8]"],"waited":{"[U:1:9]":2},"tolerance":11,"spread":false,
                   "recent":[{"a":["[U:1:10]"],"b":["[U:1:11]"]}],"sizes":[6,9],"anchor":false,"bench":false,
                   "alternatives":{"size":9,"count":20},
                   "roles":[{"name":"medic","players":["[U:1:12]"],"each":2},
                            {"name":"pilot","players":["[U:1:13]"]}]"#
            ),
            Wishes {
                current: Some(teams(1, 2)),
                parties: vec![vec![id(3), id(4)]],
                newcomers: Vec::new(),
                newcomers_price: 0,
                party_price: 7,
                apart: vec![[id(5), id(6)]],
                roles: [("medic", 12, 2), ("pilot", 13, 1)]
                    .map(|(name, player, each)| Role {
                        name: name.to_owned(),
                        players: vec![id(player)],
                        each,
                    })
                    .to_vec(),
                must_play: vec![id(7)],
                must_wait: vec![id(8)],
                waited: [(id(9), 2)].into(),
                tolerance: 11,
                spread: false,
                recent: vec![teams(10, 11)],
                sizes: Some(vec![6, 9]),
                anchor: false,
                bench: false,
                alternatives: Some(Alternatives { size: 9, count: 20 }),
            }
        );
    }
}
