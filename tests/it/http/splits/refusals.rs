//! Refusals of splits, each with the pointer of the invalid field.

use reqwest::Method;
use serde_json::{Value, json};

use super::scramble::request;
use crate::http::{assert_nothing_stored, id, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    a_scramble_needs_a_server_and_players,
    lists_of_players_have_their_shape_and_size,
    teams_have_their_shape_and_size,
    parties_and_pairs_have_their_shape_and_size,
    numbers_have_their_bounds,
    what_stands_twice_in_a_wish_is_named,
);

/// Asserts that each body is refused with this field and words of the detail, and stores nothing.
pub(super) async fn assert_refused(
    app: &App,
    cases: impl IntoIterator<Item = (Value, &str, &str)>,
) {
    for (body, field, says) in cases {
        let (_, problem) = refused(request(app, &body), 422).await;
        assert_eq!(fields(&problem), [field], "{body:.200}: {problem}");
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(says), "{body:.200}: {problem}");
    }
    refused(app.request(Method::GET, "/v1/scramble?server=s"), 404).await;
    assert_nothing_stored(app).await;
}

pub(super) async fn assert_wishes_refused(
    app: &App,
    cases: impl IntoIterator<Item = (Value, &str, &str)>,
) {
    let cases = cases.into_iter().map(|(wishes, field, says)| {
        let body = json!({"server": "s", "players": ids(1..=8)});
        (with(body, wishes), field, says)
    });
    assert_refused(app, cases).await;
}

async fn a_scramble_needs_a_server_and_players(app: &App) {
    let all = |list: Value| json!({"server": "s", "players": list});
    let cases = [
        (json!({"players": []}), "/server", "is missing; send it"),
        (json!({"server": "s"}), "/players", "is missing; send it"),
        (all(json!(null)), "/players", "send a list"),
        (
            all(json!(ids(1..=129))),
            "/players",
            "has 129 players; send at most 128",
        ),
        (
            all(json!([id(1), "[U:1:1]"])),
            "/players/1",
            "name each player once",
        ),
        (
            json!({"server": "a b", "players": []}),
            "/server",
            "letters",
        ),
    ];
    assert_refused(app, cases).await;
}

async fn lists_of_players_have_their_shape_and_size(app: &App) {
    let many = json!(ids(1..=129));
    let waited: serde_json::Map<_, _> = (1..=1025).map(|n| (id(n), json!(1))).collect();
    let cases = [
        (
            json!({"must_play": many}),
            "/must_play",
            "has 129 players; send at most 128",
        ),
        (
            json!({"must_wait": many}),
            "/must_wait",
            "has 129 players; send at most 128",
        ),
        (json!({"must_wait": id(1)}), "/must_wait", "send a list"),
        (
            json!({"waited": [id(1)]}),
            "/waited",
            "send an object with the number of rounds for each player id, or \"auto\"",
        ),
        (
            json!({"waited": {"BOT": 1}}),
            "/waited/BOT",
            "send a SteamID64",
        ),
        (
            json!({"waited": {"[U:1:1]": 1_000_001}}),
            "/waited/[U:1:1]",
            "send a whole number from 0 to 1000000",
        ),
        (
            json!({"waited": waited}),
            "/waited",
            "has 1025 players; send at most 1024",
        ),
        (json!({"wishes": {}}), "/wishes", "is not a field here"),
    ];
    assert_wishes_refused(app, cases).await;
}

async fn teams_have_their_shape_and_size(app: &App) {
    let many = json!(ids(1..=129));
    let empty = json!({"a": [], "b": []});
    let cases = [
        (json!({"current": [[], []]}), "/current", "send an object"),
        (json!({"current": {"a": []}}), "/current/b", "is missing"),
        (
            json!({"current": {"a": many, "b": []}}),
            "/current/a",
            "has 129 players; send at most 128",
        ),
        (
            json!({"current": {"a": [], "b": [], "c": []}}),
            "/current/c",
            "is not a field here",
        ),
        (json!({"recent": [[[], []]]}), "/recent/0", "send an object"),
        (
            json!({"recent": [empty, {"a": []}]}),
            "/recent/1/b",
            "is missing",
        ),
        (
            json!({"recent": [{"a": [], "b": many}]}),
            "/recent/0/b",
            "has 129 players; send at most 128",
        ),
        (
            json!({"recent": vec![empty; 17]}),
            "/recent",
            "has 17 splits; send at most 16",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}

async fn parties_and_pairs_have_their_shape_and_size(app: &App) {
    let pairs: Vec<_> = (1..=65).map(|n| ids([n, 100 + n])).collect();
    let parties: Vec<_> = (1..=65).map(|n| ids([n])).collect();
    let cases = [
        (json!({"parties": {}}), "/parties", "send a list"),
        (json!({"parties": [id(1)]}), "/parties/0", "send a list"),
        (
            json!({"parties": [ids([1]), []]}),
            "/parties/1",
            "has 0 players; send 1 to 64",
        ),
        (
            json!({"parties": [ids(1..=65)]}),
            "/parties/0",
            "has 65 players; send at most 64",
        ),
        (
            json!({"parties": parties}),
            "/parties",
            "has 65 parties; send at most 64",
        ),
        (
            json!({"parties": [["BOT"]]}),
            "/parties/0/0",
            "send a SteamID64",
        ),
        (
            json!({"apart": [ids([1, 2, 3])]}),
            "/apart/0",
            "has 3 players; send a list of two",
        ),
        (
            json!({"apart": [ids([1, 2]), ids([3])]}),
            "/apart/1",
            "has 1 player; send a list of two",
        ),
        (
            json!({"apart": [["[U:1:1]", 0]]}),
            "/apart/0/1",
            "send a SteamID64",
        ),
        (
            json!({"apart": pairs}),
            "/apart",
            "has 65 pairs; send at most 64",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}

async fn numbers_have_their_bounds(app: &App) {
    let cases = [
        (
            json!({"party_price": 10_001}),
            "/party_price",
            "send a whole number from 0 to 10000",
        ),
        (
            json!({"party_price": -1}),
            "/party_price",
            "send a whole number from 0 to 10000",
        ),
        (
            json!({"party_price": 1.5}),
            "/party_price",
            "send a whole number from 0 to 10000",
        ),
        (
            json!({"tolerance": 1001}),
            "/tolerance",
            "send a whole number from 0 to 1000",
        ),
        (
            json!({"tolerance": "10"}),
            "/tolerance",
            "send a whole number from 0 to 1000",
        ),
        (
            json!({"newcomers": 101}),
            "/newcomers",
            "send a whole number from 0 to 100",
        ),
        (json!({"spread": 1}), "/spread", "send true or false"),
        (json!({"anchor": "no"}), "/anchor", "send true or false"),
        (
            json!({"sizes": [2, 1]}),
            "/sizes/1",
            "send a whole number from 2 to 64",
        ),
        (
            json!({"sizes": [65]}),
            "/sizes/0",
            "send a whole number from 2 to 64",
        ),
        (json!({"sizes": []}), "/sizes", "leave it out"),
        (
            json!({"alternatives": [2, 3]}),
            "/alternatives",
            "send an object",
        ),
        (
            json!({"alternatives": {"size": 2}}),
            "/alternatives/count",
            "is missing",
        ),
        (
            json!({"alternatives": {"count": 2}}),
            "/alternatives/size",
            "is missing",
        ),
        (
            json!({"alternatives": {"size": 2, "count": 0}}),
            "/alternatives/count",
            "send a whole number from 1 to 20",
        ),
        (
            json!({"alternatives": {"size": 2, "count": 21}}),
            "/alternatives/count",
            "send a whole number from 1 to 20",
        ),
        (
            json!({"alternatives": {"size": 1, "count": 2}}),
            "/alternatives/size",
            "send a whole number from 2 to 64",
        ),
        (
            json!({"alternatives": {"size": 2, "count": 2, "seed": 1}}),
            "/alternatives/seed",
            "is not a field here",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}

async fn what_stands_twice_in_a_wish_is_named(app: &App) {
    let twice = json!([id(1), id(2), "STEAM_0:1:0"]);
    let once = "name each player once";
    let cases = [
        (
            json!({"current": {"a": twice, "b": []}}),
            "/current/a/2",
            once,
        ),
        (
            json!({"current": {"a": [], "b": twice}}),
            "/current/b/2",
            once,
        ),
        (
            json!({"current": {"a": ids([1]), "b": ids([2, 1])}}),
            "/current/b/1",
            "is on both teams",
        ),
        (
            json!({"recent": [{"a": twice, "b": []}]}),
            "/recent/0/a/2",
            once,
        ),
        (
            json!({"recent": [{"a": [], "b": []}, {"a": ids([90]), "b": ids([90])}]}),
            "/recent/1/b/0",
            "is on both teams",
        ),
        (json!({"parties": [twice]}), "/parties/0/2", once),
        (
            json!({"parties": [ids([1, 2]), ids([3]), ids([4, 2])]}),
            "/parties/2/1",
            "is already in the party at index 0",
        ),
        (
            json!({"apart": [["[U:1:1]", id(1)]]}),
            "/apart/0",
            "send two different players",
        ),
        (
            json!({"apart": [ids([1, 2]), ids([2, 1])]}),
            "/apart/1",
            "repeats the pair at index 0",
        ),
        (json!({"must_play": twice}), "/must_play/2", once),
        (json!({"must_wait": twice}), "/must_wait/2", once),
        (
            json!({"waited": {"76561197960265729": 1, "[U:1:1]": 1}}),
            "/waited/[U:1:1]",
            once,
        ),
        (
            json!({"sizes": [2, 3, 2]}),
            "/sizes/2",
            "name each size once",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}
