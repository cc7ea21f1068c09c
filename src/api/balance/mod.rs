pub(crate) mod answer;
pub(crate) mod player;

use std::collections::HashSet;

use serde::Deserialize;
use utoipa::ToSchema;

use super::json::bounded::Whole;
use super::json::object::{Object, default_where_null};
use super::schema::AnyMatchPlayer;
use crate::domain::{FieldProblem, MAX_TEAM, ModeName, PolicyName, ServerName};
use player::{MatchPlayer, Weight};

/// The most modes that a match is told to have.
const MAX_MODES: usize = 16;

/// `POST /v1/balance`: a match as it stands.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BalanceRequest {
    /// Whose match; its pool's ratings and policies count.
    pub server: ServerName,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    #[serde(default)]
    pub policy: Option<PolicyName>,
    /// Team a, 0 to 64 players.
    #[schema(value_type = Vec<AnyMatchPlayer>, max_items = 64)]
    pub team_a: Vec<MatchPlayer>,
    /// Team b, 0 to 64 players.
    #[schema(value_type = Vec<AnyMatchPlayer>, max_items = 64)]
    pub team_b: Vec<MatchPlayer>,
    /// What kind of match it is.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// The seconds left in the round.
    #[serde(default)]
    pub seconds_left: Option<Whole<0, 1_000_000>>,
    /// The bots on the teams.
    #[serde(default)]
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// For how many players the map is made.
    #[serde(default)]
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
}

/// `POST /v1/place`: a match as it stands, and who joins it.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceRequest {
    /// Whose match; its pool's ratings and policies count.
    pub server: ServerName,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    #[serde(default)]
    pub policy: Option<PolicyName>,
    /// Team a, 0 to 64 players.
    #[schema(value_type = Vec<AnyMatchPlayer>, max_items = 64)]
    pub team_a: Vec<MatchPlayer>,
    /// Team b, 0 to 64 players.
    #[schema(value_type = Vec<AnyMatchPlayer>, max_items = 64)]
    pub team_b: Vec<MatchPlayer>,
    /// Who joins, 1 to 64 players.
    #[schema(value_type = Vec<AnyMatchPlayer>, min_items = 1, max_items = 64)]
    pub joining: Vec<MatchPlayer>,
    /// The bots on the teams.
    #[serde(default)]
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// For how many players the map is made.
    #[serde(default)]
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
}

/// The bots on the teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotsRequest {
    /// How many stand on team a.
    #[serde(default)]
    pub a: Option<Whole<0, 64>>,
    /// How many stand on team b.
    #[serde(default)]
    pub b: Option<Whole<0, 64>>,
    /// What one weighs on average.
    #[serde(default)]
    pub weight: Option<Weight>,
}

/// For how many players a map is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPlayersRequest {
    /// The least.
    pub least: Whole<0, 128>,
    /// The most.
    pub most: Whole<0, 128>,
}

impl BalanceRequest {
    /// This request, if it makes sense as a whole.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let lists = [("/team_a", &self.team_a), ("/team_b", &self.team_b)];
        let mut problems = check_lists(&lists);
        if self.modes.len() > MAX_MODES {
            problems.push(FieldProblem::new(
                "/modes",
                format!("has {} modes; send at most {MAX_MODES}", self.modes.len()),
            ));
        }
        problems.extend(check_map(self.map_players));
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(problems)
        }
    }
}

impl PlaceRequest {
    /// This request, if it makes sense as a whole.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let lists = [
            ("/team_a", &self.team_a),
            ("/team_b", &self.team_b),
            ("/joining", &self.joining),
        ];
        let mut problems = check_lists(&lists);
        if self.joining.is_empty() {
            problems.push(FieldProblem::new(
                "/joining",
                format!("has 0 players; send 1 to {MAX_TEAM} who join"),
            ));
        }
        problems.extend(check_map(self.map_players));
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(problems)
        }
    }
}

/// Names every list that is too long; where there is none, everybody who stands twice.
fn check_lists(lists: &[(&str, &Vec<MatchPlayer>)]) -> Vec<FieldProblem> {
    let too_long = lists.iter().filter(|(_, list)| list.len() > MAX_TEAM);
    let too_long: Vec<FieldProblem> = too_long
        .map(|(field, list)| {
            let detail = format!("has {} players; send at most {MAX_TEAM}", list.len());
            FieldProblem::new(*field, detail)
        })
        .collect();
    if !too_long.is_empty() {
        return too_long;
    }
    let mut seen = HashSet::new();
    let mut problems = Vec::new();
    for (field, list) in lists {
        for (index, player) in list.iter().enumerate() {
            if !seen.insert(player.id) {
                problems.push(FieldProblem::new(
                    format!("{field}/{index}"),
                    format!("{} stands twice; name each player once", player.id),
                ));
            }
        }
    }
    problems
}

fn check_map(map: Option<Object<MapPlayersRequest>>) -> Option<FieldProblem> {
    let Object(map) = map?;
    (map.most < map.least).then(|| {
        FieldProblem::new(
            "/map_players/most",
            format!(
                "is {}, below \"least\", {}; send at least that",
                map.most, map.least
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::read;

    fn fields(text: &str) -> Vec<String> {
        let request: PlaceRequest = read(text.as_bytes()).unwrap();
        let problems = request.checked().unwrap_err().into_iter();
        problems.map(|problem| problem.field).collect()
    }

    #[test]
    fn everything_wrong_with_the_whole_is_named() {
        let text = r#"{"server":"s","team_a":["[U:1:1]"],"team_b":[{"id":"[U:1:2]"},"[U:1:1]"],
            "joining":["[U:1:2]"],"map_players":{"least":8,"most":6}}"#;
        assert_eq!(
            fields(text),
            ["/team_b/1", "/joining/0", "/map_players/most"]
        );
        let nobody = r#"{"server":"s","team_a":[],"team_b":[],"joining":[]}"#;
        assert_eq!(fields(nobody), ["/joining"]);
    }

    #[test]
    fn null_tells_nothing() {
        let request = |more: &str| -> BalanceRequest {
            let text = format!("{{\"server\":\"s\",\"team_a\":[],\"team_b\":[]{more}}}");
            read(text.as_bytes()).unwrap()
        };
        let nulls =
            r#","policy":null,"modes":null,"seconds_left":null,"bots":null,"map_players":null"#;
        assert_eq!(request(nulls), request(""));
    }
}
