//! Contradictory wishes, and wishes that only seem contradictory.

use serde_json::json;

use super::refusals::assert_wishes_refused;
use super::scramble::{request, scramble};
use crate::http::{id, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    wishes_that_contradict_each_other_are_refused,
    all_that_is_wrong_is_named_at_once,
    what_is_said_of_absent_players_contradicts_nothing,
    the_most_that_can_be_wished_is_answered,
);

async fn wishes_that_contradict_each_other_are_refused(app: &App) {
    let cases = [
        (
            json!({"must_play": ids([1, 2]), "must_wait": ids([3, 2])}),
            "/must_wait/1",
            "is in \"must_play\" too",
        ),
        (
            json!({"parties": [ids([3, 4]), ids([1, 5, 2])], "apart": [ids([3, 5]), ids([2, 1])]}),
            "/apart/1",
            "together in the party at index 1",
        ),
        (
            json!({"parties": [ids([3, 4]), ids([1, 5, 2])], "must_play": ids([2]), "must_wait": ids([1])}),
            "/parties/1",
            "who must wait",
        ),
        (
            json!({"sizes": [3, 4], "alternatives": {"size": 2, "count": 3}}),
            "/alternatives/size",
            "which is not in \"sizes\"",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}

async fn all_that_is_wrong_is_named_at_once(app: &App) {
    let lists = json!({
        "server": "s", "players": ids([1, 1]), "must_play": ids([2, 2]), "sizes": [4, 4],
        "parties": [[], ids([3, 3])],
    });
    let (_, problem) = refused(request(app, &lists), 422).await;
    assert_eq!(
        fields(&problem),
        [
            "/players/1",
            "/must_play/1",
            "/parties/0",
            "/parties/1/1",
            "/sizes/1"
        ]
    );
    let together = json!({
        "server": "s", "players": ids(1..=8), "current": {"a": ids([1]), "b": ids([1])},
        "parties": [ids([1, 2])], "apart": [ids([1, 2])], "must_play": ids([1, 3]),
        "must_wait": ids([2, 3]), "sizes": [4], "alternatives": {"size": 3, "count": 1},
    });
    let (_, problem) = refused(request(app, &together), 422).await;
    assert_eq!(
        fields(&problem),
        [
            "/current/b/0",
            "/apart/0",
            "/must_wait/1",
            "/parties/0",
            "/alternatives/size"
        ]
    );
}

async fn what_is_said_of_absent_players_contradicts_nothing(app: &App) {
    let body = json!({"server": "s", "players": ids(1..=4)});
    let table = scramble(app, &body).await;
    for wishes in [
        json!({"must_play": ids([90]), "must_wait": ids([90])}),
        json!({"parties": [ids([1, 90])], "apart": [ids([1, 90])]}),
        json!({"parties": [ids([90, 91])], "apart": [ids([90, 91])]}),
        json!({"parties": [ids([90, 91])], "must_play": ids([90]), "must_wait": ids([91])}),
    ] {
        let asked = with(body.clone(), wishes);
        assert_eq!(scramble(app, &asked).await, table, "{asked}");
    }
}

async fn the_most_that_can_be_wished_is_answered(app: &App) {
    let (half, rest) = (ids(1..=64), ids(65..=128));
    let pairs: Vec<_> = (1..=64).map(|n| ids([n, 193 - n])).collect();
    let parties: Vec<_> = (1..=64).map(|n| ids([2 * n - 1, 2 * n])).collect();
    let waited: serde_json::Map<_, _> = (1..=1024).map(|n| (id(n), json!(1_000_000))).collect();
    let roles: Vec<_> = (1..=8)
        .map(|n| json!({"name": format!("{n:032}"), "players": ids(1..=128), "each": 8}))
        .collect();
    let body = json!({
        "server": "s", "players": ids(1..=8), "current": {"a": half, "b": rest},
        "parties": parties, "party_price": 10_000, "apart": pairs, "roles": roles, "must_play": ids(1..=128),
        "must_wait": ids(200..=327), "waited": waited, "tolerance": 1000, "spread": true,
        "recent": vec![json!({"a": half, "b": rest}); 16],
        "sizes": (2..=64).collect::<Vec<_>>(), "anchor": false,
        "alternatives": {"size": 64, "count": 20},
    });
    let table = scramble(app, &body).await;
    let splits = table["splits"].as_array().expect("splits");
    assert_eq!(splits.len(), 3, "two, three and four a team");
    assert_eq!(table["alternatives"], json!([]), "eight are too few for 64");
}
