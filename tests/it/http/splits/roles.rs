//! Roles that each team should fill.

use serde_json::{Value, json};

use super::refusals::assert_wishes_refused;
use super::wishes::{says, split};
use crate::http::{id, ids};
use crate::support::App;

same_on_both_databases!(
    a_role_that_is_not_filled_is_named,
    roles_have_their_shape_and_size,
);

/// All ratings are equal, so only roles decide.
const MEDICS: [u64; 2] = [2, 5];

async fn a_role_that_is_not_filled_is_named(app: &App) {
    let roles = json!([
        {"name": "medic", "players": ids(MEDICS), "each": 2},
        {"name": "pilot", "players": ids([90])},
        {"name": "tank", "players": ids(1..=6), "each": 3},
    ]);
    let both = split(app, 6, json!({"roles": roles, "sizes": [3]})).await;
    let missing = json!([{"name": "medic", "missing": 2}, {"name": "pilot", "missing": 2}]);
    assert_eq!(both["roles"], json!({"missing": missing}), "{both}");
    assert!(says(&both, "; 2 roles lack 4 players."), "{both}");
    let alone = json!([{"name": "medic", "players": [id(1)]}]);
    let one = split(app, 6, json!({"roles": alone, "sizes": [3]})).await;
    assert!(says(&one, "; the role medic lacks 1 player."), "{one}");
}

async fn roles_have_their_shape_and_size(app: &App) {
    let medics = |players: Value| json!([{"name": "medic", "players": players}]);
    let roles: Vec<_> = (1..=9)
        .map(|n| json!({"name": format!("role-{n}"), "players": ids([n])}))
        .collect();
    let cases = [
        (json!({"roles": {}}), "/roles", "send a list"),
        (
            json!({"roles": [["medic", []]]}),
            "/roles/0",
            "send an object",
        ),
        (
            json!({"roles": roles}),
            "/roles",
            "has 9 roles; send at most 8",
        ),
        (
            json!({"roles": [{"name": "combat medic", "players": ids([1])}]}),
            "/roles/0/name",
            "must be 1 to 32 visible ASCII characters",
        ),
        (
            json!({"roles": [{"name": "medic", "players": ids([1]), "each": 9}]}),
            "/roles/0/each",
            "send a whole number from 1 to 8",
        ),
        (
            json!({"roles": medics(json!([]))}),
            "/roles/0/players",
            "has no players; send the players who can fill the role",
        ),
        (
            json!({"roles": medics(json!(ids(1..=129)))}),
            "/roles/0/players",
            "has 129 players; send at most 128",
        ),
        (
            json!({"roles": medics(json!([id(1), "[U:1:1]"]))}),
            "/roles/0/players/1",
            "name each player once",
        ),
        (
            json!({"roles": [roles[0], roles[1], roles[0]]}),
            "/roles/2/name",
            "is already the name of the role at index 0",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}
