pub(crate) mod answer;

use std::collections::HashSet;

use serde::Deserialize;
use utoipa::ToSchema;

use super::check::Problems;
use super::json::bounded::Whole;
use super::json::object::{Object, default_where_null};
use super::lobby::{LobbyPlayer, Weight};
use super::schema::AnyLobbyPlayer;
use crate::domain::{FieldProblem, MAX_TEAM, MapName, ModeName, PolicyName, ServerName};

/// The most modes that a match has.
const MAX_MODES: usize = 16;

/// `POST /v1/balance`: a match as it stands.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BalanceRequest {
    /// Whose match; its pool's ratings and policies count.
    pub server: ServerName,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    pub policy: Option<PolicyName>,
    /// Team a, 0 to 64 players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 64)]
    pub team_a: Vec<LobbyPlayer>,
    /// Team b, 0 to 64 players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 64)]
    pub team_b: Vec<LobbyPlayer>,
    /// What kind of match it is.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<ModeName>>, max_items = 16)]
    pub modes: Vec<ModeName>,
    /// The seconds left in the round.
    pub seconds_left: Option<Whole<0, 1_000_000>>,
    /// The bots on the teams.
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// For how many players the map is made.
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
    /// The map that is played, where the pool's model knows how it leans.
    pub map: Option<MapName>,
}

/// `POST /v1/place`: a match as it stands, and who joins it.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceRequest {
    /// Whose match; its pool's ratings and policies count.
    pub server: ServerName,
    /// By which policy, built in or the configuration's own; the pool's where none is named.
    pub policy: Option<PolicyName>,
    /// Team a, 0 to 64 players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 64)]
    pub team_a: Vec<LobbyPlayer>,
    /// Team b, 0 to 64 players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 64)]
    pub team_b: Vec<LobbyPlayer>,
    /// Who joins, 1 to 64 players.
    #[schema(value_type = Vec<AnyLobbyPlayer>, min_items = 1, max_items = 64)]
    pub joining: Vec<LobbyPlayer>,
    /// The bots on the teams.
    #[schema(value_type = Option<BotsRequest>)]
    pub bots: Option<Object<BotsRequest>>,
    /// For how many players the map is made.
    #[schema(value_type = Option<MapPlayersRequest>)]
    pub map_players: Option<Object<MapPlayersRequest>>,
    /// The map that is played, where the pool's model knows how it leans.
    pub map: Option<MapName>,
}

/// The bots on the teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotsRequest {
    /// How many stand on team a.
    pub a: Option<Whole<0, 64>>,
    /// How many stand on team b.
    pub b: Option<Whole<0, 64>>,
    /// What one weighs on average.
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
        let mut problems = Problems::default();
        let lists = [("/team_a", &*self.team_a), ("/team_b", &*self.team_b)];
        check_lists(&lists, &mut problems);
        problems.check_count("/modes", self.modes.len(), MAX_MODES, "modes");
        check_map(self.map_players, &mut problems);
        problems.none_or(self)
    }
}

impl PlaceRequest {
    /// This request, if it makes sense as a whole.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        let lists = [
            ("/team_a", &*self.team_a),
            ("/team_b", &*self.team_b),
            ("/joining", &*self.joining),
        ];
        check_lists(&lists, &mut problems);
        if self.joining.is_empty() {
            problems.add(
                "/joining",
                format!("has 0 players; send 1 to {MAX_TEAM} who join"),
            );
        }
        check_map(self.map_players, &mut problems);
        problems.none_or(self)
    }
}

/// Names every list that is too long, and everybody who is listed twice.
fn check_lists(lists: &[(&str, &[LobbyPlayer])], problems: &mut Problems) {
    for (field, list) in lists {
        problems.check_count(field, list.len(), MAX_TEAM, "players");
    }
    let mut seen = HashSet::new();
    for (field, list) in lists {
        let ids = list.iter().map(|player| player.id);
        problems.check_distinct(field, ids, "player", &mut seen);
    }
}

fn check_map(map: Option<Object<MapPlayersRequest>>, problems: &mut Problems) {
    if let Some(Object(map)) = map
        && map.most < map.least
    {
        let detail = format!(
            "is {}, below \"least\", {}; send at least that",
            map.most, map.least
        );
        problems.add("/map_players/most", detail);
    }
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
    fn null_is_nothing() {
        let request = |more: &str| -> BalanceRequest {
            let text = format!("{{\"server\":\"s\",\"team_a\":[],\"team_b\":[]{more}}}");
            read(text.as_bytes()).unwrap()
        };
        let nulls =
            r#","policy":null,"modes":null,"seconds_left":null,"bots":null,"map_players":null"#;
        assert_eq!(request(nulls), request(""));
    }
}
