use std::collections::HashSet;

use super::{BalanceRequest, BotsRequest, MapPlayersRequest, PlaceRequest, TeamLists};
use crate::api::check::Problems;
use crate::api::json::object::Object;
use crate::api::lobby::LobbyPlayer;
use crate::domain::{BotCounts, FieldProblem, MAX_TEAM};

const MAX_MODES: usize = 16;
/// Minimum and maximum number of teams of a match.
const MIN_TEAMS: usize = 2;
const MAX_TEAMS: usize = 8;
/// Maximum number of players of all `teams` together.
const MAX_OF_TEAMS: usize = 2 * MAX_TEAM;

impl BalanceRequest {
    pub(crate) fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        let sent = [
            self.team_a.is_some(),
            self.team_b.is_some(),
            self.teams.is_some(),
        ];
        check_form(sent, &mut problems);
        check_beside_teams(sent[2], self.map.is_some(), &mut problems);
        check_players(self.lists(), &self.joining, &mut problems);
        problems.check_count("/modes", self.modes.len(), MAX_MODES, "modes");
        check_map(self.map_players, &mut problems);
        check_bots(
            self.bots.as_ref(),
            self.teams.as_ref().map(Vec::len),
            &mut problems,
        );
        problems.none_or(self)
    }
}

impl PlaceRequest {
    /// Returns this placing request as a balance request if its fields are valid together; otherwise returns the
    /// problems.
    pub(crate) fn checked(self) -> Result<BalanceRequest, Vec<FieldProblem>> {
        let nobody_joins = self.joining.is_empty();
        let checked = BalanceRequest::from(self).checked();
        if !nobody_joins {
            return checked;
        }
        let mut problems = checked.err().unwrap_or_default();
        let detail = format!("has 0 players; send the players who join, 1 to {MAX_TEAM}");
        problems.push(FieldProblem::new("/joining", detail));
        Err(problems)
    }
}

/// Adds a problem unless the request has either `team_a` and `team_b`, or `teams`. The flags state which of the three
/// fields were sent, in this order.
fn check_form([a, b, teams]: [bool; 3], problems: &mut Problems) {
    for (field, is_there) in [("/team_a", a), ("/team_b", b)] {
        match (teams, is_there) {
            (true, true) => problems.add(field, "cannot be combined with \"teams\"; leave it out"),
            (false, false) => problems.add(
                field,
                "is missing; send a list of players, or send all teams in \"teams\"",
            ),
            _ => {}
        }
    }
}

/// Adds a problem to `problems` if a request that lists its teams in `teams` also names a map. Advantages of maps are
/// known only for team a against team b.
fn check_beside_teams(are_teams: bool, names_map: bool, problems: &mut Problems) {
    if are_teams && names_map {
        problems.add(
            "/map",
            "cannot be combined with \"teams\", which are balanced by ratings only; leave this field out",
        );
    }
}

/// Adds a problem for every list of players that is too long, and for every player listed twice.
fn check_players(teams: TeamLists, joining: &[LobbyPlayer], problems: &mut Problems) {
    let mut lists: Vec<(String, &[LobbyPlayer])> = match teams {
        TeamLists::Two(a, b) => vec![("/team_a".to_owned(), a), ("/team_b".to_owned(), b)],
        TeamLists::Teams(teams) => {
            let count = teams.len();
            if count < MIN_TEAMS {
                problems.add(
                    "/teams",
                    format!("has {count} teams; send {MIN_TEAMS} to {MAX_TEAMS} teams"),
                );
            }
            problems.check_count("/teams", count, MAX_TEAMS, "teams");
            let players = teams.iter().map(Vec::len).sum();
            problems.check_count("/teams", players, MAX_OF_TEAMS, "players");
            teams
                .iter()
                .take(MAX_TEAMS)
                .enumerate()
                .map(|(place, team)| (format!("/teams/{place}"), team.as_slice()))
                .collect()
        }
    };
    lists.push(("/joining".to_owned(), joining));
    for (field, list) in &lists {
        problems.check_count(field, list.len(), MAX_TEAM, "players");
    }
    let mut seen = HashSet::new();
    for (field, list) in lists {
        let ids = list.iter().map(|player| player.id);
        problems.check_distinct(&field, ids, "player", &mut seen);
    }
}

fn check_map(map: Option<Object<MapPlayersRequest>>, problems: &mut Problems) {
    if let Some(Object(map)) = map
        && map.most < map.least
    {
        let detail = format!(
            "is {}, below \"least\" ({least}); send {least} or more",
            map.most,
            least = map.least
        );
        problems.add("/map_players/most", detail);
    }
}

/// Adds a problem for every bot field that does not fit the form of the teams. `teams` is the number of teams if the
/// request has the field `teams`.
fn check_bots(bots: Option<&Object<BotsRequest>>, teams: Option<usize>, problems: &mut Problems) {
    let Some(Object(bots)) = bots else {
        return;
    };
    let of_two = [
        ("a", bots.a.is_some()),
        ("b", bots.b.is_some()),
        ("weights_a", bots.weights_a.is_some()),
        ("weights_b", bots.weights_b.is_some()),
        ("levels_a", bots.levels_a.is_some()),
        ("levels_b", bots.levels_b.is_some()),
    ];
    match teams {
        Some(teams) => {
            for (field, _) in of_two.into_iter().filter(|(_, is_there)| *is_there) {
                let detail = "cannot be combined with \"teams\"; send the number of \
                              bots on each team in \"teams\" inside \"bots\"";
                problems.add(format!("/bots/{field}"), detail);
            }
            if let Some(counts) = bots.teams.as_ref().filter(|counts| counts.len() != teams) {
                let count = counts.len();
                problems.add(
                    "/bots/teams",
                    format!("has {count} numbers; send one for each of the {teams} teams"),
                );
            }
        }
        None if bots.teams.is_some() => problems.add(
            "/bots/teams",
            "cannot be combined with \"team_a\" and \"team_b\"; send the number of bots of each team as \"a\" and \"b\" in \"bots\"",
        ),
        None => {}
    }
    if bots.weight.is_some() && bots.level.is_some() {
        problems.add(
            "/bots/level",
            "cannot be combined with \"weight\"; leave one of them out",
        );
    }
    let of_sides = [
        ("a", bots.a, &bots.weights_a, &bots.levels_a),
        ("b", bots.b, &bots.weights_b, &bots.levels_b),
    ];
    for (side, count, weights, levels) in of_sides {
        let weights = weights.as_ref().map(Vec::len);
        let levels = levels.as_ref().map(Vec::len);
        if weights.is_some() && levels.is_some() {
            let detail =
                format!("cannot be combined with \"weights_{side}\"; leave one of them out");
            problems.add(format!("/bots/levels_{side}"), detail);
        }
        for (noun, sent, most) in [
            ("weights", weights, MAX_TEAM),
            ("levels", levels, usize::from(BotCounts::MAX)),
        ] {
            let Some(sent) = sent else { continue };
            let field = format!("/bots/{noun}_{side}");
            problems.check_count(&field, sent, most, noun);
            if let Some(count) = count.filter(|count| count.count() != sent) {
                let detail = format!(
                    "is {count}, but \"{noun}_{side}\" has {sent} {noun}; leave out one of the two fields"
                );
                problems.add(format!("/bots/{side}"), detail);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::read;

    fn fields(text: &str) -> Vec<String> {
        let request: PlaceRequest = read(text.as_bytes()).unwrap();
        request
            .checked()
            .unwrap_err()
            .into_iter()
            .map(|problem| problem.field)
            .collect()
    }

    #[test]
    fn teams_come_in_one_form() {
        for (teams, expected) in [
            ("", &["/team_a", "/team_b"][..]),
            (r#""team_a":[],"#, &["/team_b"]),
            (r#""team_a":[],"teams":[[],[]],"#, &["/team_a"]),
            (r#""teams":[[]],"#, &["/teams"]),
            (r#""teams":[[],[],[],[],[],[],[],[],[]],"#, &["/teams"]),
            (
                r#""teams":[["[U:1:9]"],["[U:1:2]","[U:1:9]"]],"#,
                &["/teams/1/1"],
            ),
            (
                r#""teams":[[],[]],"bots":{"a":1,"weights_b":[]},"#,
                &["/bots/a", "/bots/weights_b"],
            ),
            (r#""teams":[[],[]],"bots":{"teams":[1]},"#, &["/bots/teams"]),
            (
                r#""team_a":[],"team_b":[],"bots":{"teams":[1,1]},"#,
                &["/bots/teams"],
            ),
            (
                r#""team_a":[],"team_b":[],"bots":{"a":1,"weights_a":[5,6]},"#,
                &["/bots/a"],
            ),
            (
                r#""team_a":[],"team_b":[],"bots":{"b":1,"levels_b":[],"weights_a":[],"levels_a":[]},"#,
                &["/bots/levels_a", "/bots/b"],
            ),
            (
                r#""teams":[[],[]],"bots":{"levels_a":[],"weight":1,"level":"easy"},"#,
                &["/bots/levels_a", "/bots/level"],
            ),
        ] {
            let text = format!(r#"{{"server":"s",{teams}"joining":["[U:1:1]"]}}"#);
            assert_eq!(fields(&text), expected, "{text}");
        }
    }

    #[test]
    fn null_is_nothing() {
        let request = |more: &str| -> BalanceRequest {
            let text = format!("{{\"server\":\"s\",\"team_a\":[],\"team_b\":[]{more}}}");
            read(text.as_bytes()).unwrap()
        };
        let nulls = r#","policy":null,"by":null,"mode":null,"mutators":null,"teams":null,"joining":null,"modes":null,"seconds_left":null,
            "bots":null,"map_players":null,"pick":null,"ticket":null,"hypothetical":null"#;
        assert_eq!(request(nulls), request(""));
    }
}
