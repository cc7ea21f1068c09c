//! Roles that each team should have somebody for.

use serde_json::{Value, json};

use super::refusals::assert_wishes_refused;
use super::wishes::{rate, says, seat, split};
use crate::http::{id, ids};
use crate::support::App;

same_on_both_databases!(
    each_team_has_its_share_of_a_role,
    a_role_that_is_not_filled_is_named,
    a_role_comes_after_the_difference_and_before_the_moves,
    roles_have_their_shape_and_size,
);

/// Everybody is equally good, so that roles alone decide.
const MEDICS: [u64; 2] = [2, 5];

fn medics(each: u64) -> Value {
    json!([{"name": "medic", "players": ids(MEDICS), "each": each}])
}

async fn each_team_has_its_share_of_a_role(app: &App) {
    // Both would play on one team as the teams stand.
    let current = json!({"a": ids([2, 3, 5]), "b": ids([1, 4, 6])});
    let wishes = json!({"roles": medics(1), "current": current, "sizes": [3]});
    let split = split(app, 6, wishes).await;
    assert_ne!(seat(&split, 2), seat(&split, 5), "{split}");
    assert_eq!(split["roles"], json!({"missing": []}), "{split}");
    assert!(!says(&split, "role"), "{split}");
}

async fn a_role_that_is_not_filled_is_named(app: &App) {
    // Whom nobody knows here is passed over.
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

async fn a_role_comes_after_the_difference_and_before_the_moves(app: &App) {
    // 1 and 4 against 2 and 3 differ by 200, 1 and 3 against 2 and 4 by 400.
    rate(app, &[1600, 1300, 1000, 900]).await;
    let roles = json!([{"name": "medic", "players": ids([1, 4])}]);
    let close = split(app, 4, json!({"roles": roles})).await;
    assert_eq!(close["difference"], 200, "{close}");
    assert_eq!(close["roles"]["missing"][0]["missing"], 1, "{close}");
    let current = json!({"a": ids([1, 4]), "b": ids([2, 3])});
    let wishes = json!({"roles": roles, "current": current, "tolerance": 200});
    let traded = split(app, 4, wishes).await;
    assert_eq!(traded["roles"], json!({"missing": []}), "{traded}");
    assert_eq!(traded["moves"], 2, "{traded}");
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
            "has no player; send those who can fill the role",
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
            "is the name of the role at index 0 already",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}
