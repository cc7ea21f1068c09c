//! Refusals of splits, each with the pointer of the invalid field.

use reqwest::Method;
use serde_json::{Value, json};

use super::scramble::request;
use crate::http::{assert_nothing_stored, id, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    a_scramble_needs_a_server_and_players,
    lists_have_their_shape_and_size,
    numbers_and_words_have_their_bounds,
    what_stands_twice_in_a_wish_is_named,
    wishes_that_contradict_each_other_are_refused,
    all_that_is_wrong_is_named_at_once,
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

/// Like [`assert_refused`], for wishes about players 1 to 8.
async fn assert_wishes_refused(app: &App, cases: impl IntoIterator<Item = (Value, &str, &str)>) {
    let cases = cases.into_iter().map(|(wishes, field, says)| {
        let body = json!({"server": "s", "players": ids(1..=8)});
        (with(body, wishes), field, says)
    });
    assert_refused(app, cases).await;
}

/// Like [`assert_wishes_refused`], for one wish each, whose name is the first segment of the field.
async fn assert_wish_refused(app: &App, cases: impl IntoIterator<Item = (&str, Value, &str)>) {
    let cases = cases.into_iter().map(|(field, wish, says)| {
        let name = field.split('/').nth(1).expect("a pointer");
        (json!({name: wish}), field, says)
    });
    assert_wishes_refused(app, cases).await;
}

async fn a_scramble_needs_a_server_and_players(app: &App) {
    let all = |list: Value| json!({"server": "s", "players": list});
    let too_many = "has 129 players; send at most 128";
    let no_name = json!({"server": "a b", "players": []});
    let once = "name each player once";
    let cases = [
        (json!({"players": []}), "/server", "is missing; send it"),
        (json!({"server": "s"}), "/players", "is missing; send it"),
        (all(json!(null)), "/players", "send a list"),
        (all(json!(ids(1..=129))), "/players", too_many),
        (all(json!([id(1), "[U:1:1]"])), "/players/1", once),
        (no_name, "/server", "letters"),
    ];
    assert_refused(app, cases).await;
}

async fn lists_have_their_shape_and_size(app: &App) {
    let many = json!(ids(1..=129));
    let too_many = "has 129 players; send at most 128";
    let waited: serde_json::Map<_, _> = (1..=1025).map(|n| (id(n), json!(1))).collect();
    let pairs: Vec<_> = (1..=65).map(|n| ids([n, 100 + n])).collect();
    let parties: Vec<_> = (1..=65).map(|n| ids([n])).collect();
    let empty = json!({"a": [], "b": []});
    let teams = |a: &Value, b: &Value| json!({"a": a, "b": b});
    let none = json!([]);
    let of_three = with(empty.clone(), json!({"c": []}));
    let role = |name: &str, players: Value| json!({"name": name, "players": players});
    let roles: Vec<_> = (1..=9)
        .map(|n| role(&format!("role-{n}"), json!(ids([n]))))
        .collect();
    let cases = [
        ("/must_play", many.clone(), too_many),
        ("/must_wait", many.clone(), too_many),
        ("/must_wait", json!(id(1)), "send a list"),
        ("/waited", json!([id(1)]), "send an object with the number"),
        ("/waited", json!("always"), "or \"auto\""),
        ("/waited/BOT", json!({"BOT": 1}), "send a SteamID64"),
        ("/waited", json!(waited), "has 1025 players; send at most"),
        ("/wishes", json!({}), "is not a field here"),
        ("/current", json!([[], []]), "send an object"),
        ("/current/b", json!({"a": []}), "is missing"),
        ("/current/a", teams(&many, &none), too_many),
        ("/current/c", of_three, "is not a field here"),
        ("/recent/0", json!([[[], []]]), "send an object"),
        ("/recent/1/b", json!([empty, {"a": []}]), "is missing"),
        ("/recent/0/b", json!([teams(&none, &many)]), too_many),
        ("/recent", json!(vec![empty; 17]), "has 17 splits; send at"),
        ("/parties", json!({}), "send a list"),
        ("/parties/0", json!([id(1)]), "send a list"),
        ("/parties/1", json!([ids([1]), []]), "has 0 players; send 1"),
        ("/parties/0", json!([ids(1..=65)]), "has 65 players; send"),
        (
            "/parties",
            json!(parties),
            "has 65 parties; send at most 64",
        ),
        ("/parties/0/0", json!([["BOT"]]), "send a SteamID64"),
        ("/apart/0", json!([ids([1, 2, 3])]), "has 3 players; send a"),
        ("/apart/0/1", json!([[id(1), 0]]), "send a SteamID64"),
        ("/apart", json!(pairs), "has 65 pairs; send at most 64"),
        ("/roles", json!({}), "send a list"),
        ("/roles/0", json!([["medic", []]]), "send an object"),
        ("/roles", json!(roles), "has 9 roles; send at most 8"),
        (
            "/roles/0/players",
            json!([role("x", none)]),
            "has no players",
        ),
        ("/roles/0/players", json!([role("x", many)]), too_many),
    ];
    assert_wish_refused(app, cases).await;
}

async fn numbers_and_words_have_their_bounds(app: &App) {
    let alternatives = |size: u8, count: u8| json!({"size": size, "count": count});
    let seeded = with(alternatives(2, 2), json!({"seed": 1}));
    let waited = json!({"[U:1:1]": 1_000_001});
    let role = |role: Value| json!([with(json!({"name": "x", "players": ids([1])}), role)]);
    let unnamed = role(json!({"name": "combat medic"}));
    let cases = [
        ("/party_price", json!(10_001), "from 0 to 10000"),
        ("/tolerance", json!(1001), "from 0 to 1000"),
        ("/newcomers", json!(101), "from 0 to 100"),
        ("/waited/[U:1:1]", waited, "from 0 to 1000000"),
        ("/spread", json!(1), "send true or false"),
        ("/anchor", json!("no"), "send true or false"),
        ("/bench", json!(0), "send true or false"),
        ("/sizes/1", json!([2, 1]), "from 2 to 64"),
        ("/sizes/0", json!([65]), "from 2 to 64"),
        ("/sizes", json!([]), "leave it out"),
        ("/alternatives", json!([2, 3]), "send an object"),
        ("/alternatives/count", json!({"size": 2}), "is missing"),
        ("/alternatives/size", json!({"count": 2}), "is missing"),
        ("/alternatives/count", alternatives(2, 0), "from 1 to 20"),
        ("/alternatives/count", alternatives(2, 21), "from 1 to 20"),
        ("/alternatives/size", alternatives(1, 2), "from 2 to 64"),
        ("/alternatives/seed", seeded, "is not a field here"),
        ("/roles/0/name", unnamed, "must be 1 to 32 visible ASCII"),
        ("/roles/0/each", role(json!({"each": 9})), "from 1 to 8"),
        ("/repeat", json!(0), "from 1 to 16"),
        ("/repeat", json!(17), "from 1 to 16"),
        ("/seats", json!("words"), "lists"),
    ];
    assert_wish_refused(app, cases).await;
    let words = "/v1/scramble?server=s&seats=words";
    refused(app.request(Method::GET, words), 422).await;
}

async fn what_stands_twice_in_a_wish_is_named(app: &App) {
    let twice = json!([id(1), id(2), "STEAM_0:1:0"]);
    let teams = |a: Value, b: Value| json!({"a": a, "b": b});
    let none = || json!([]);
    let crossed = teams(json!(ids([90])), json!(ids([90])));
    let parties = json!([ids([1, 2]), ids([3]), ids([4, 2])]);
    let waited = json!({"76561197960265729": 1, "[U:1:1]": 1});
    let role = |name: &str, players: Value| json!({"name": name, "players": players});
    let medics = role("medic", json!(ids([1])));
    let once = "name each player once";
    let cases = [
        ("/current/a/2", teams(twice.clone(), none()), once),
        ("/current/b/2", teams(none(), twice.clone()), once),
        ("/current/b/0", crossed.clone(), "is on both teams"),
        ("/recent/0/a/2", json!([teams(twice.clone(), none())]), once),
        ("/recent/0/b/0", json!([crossed]), "is on both teams"),
        ("/parties/0/2", json!([twice]), once),
        (
            "/parties/2/1",
            parties,
            "is already in the party at index 0",
        ),
        ("/apart/0", json!([["[U:1:1]", id(1)]]), "two different"),
        ("/apart/1", json!([ids([1, 2]), ids([2, 1])]), "at index 0"),
        ("/must_play/2", twice.clone(), once),
        ("/must_wait/2", twice.clone(), once),
        ("/waited/[U:1:1]", waited, once),
        ("/sizes/2", json!([2, 3, 2]), "name each size once"),
        ("/roles/0/players/2", json!([role("x", twice)]), once),
        (
            "/roles/1/name",
            json!([medics, medics]),
            "already the name of the role at index 0",
        ),
    ];
    assert_wish_refused(app, cases).await;
}

async fn wishes_that_contradict_each_other_are_refused(app: &App) {
    let parties = |more: Value| with(json!({"parties": [ids([3, 4]), ids([1, 5, 2])]}), more);
    let everybody = |more: Value| with(json!({"bench": false}), more);
    let recent = vec![json!({"a": [], "b": []}); 15];
    let cases = [
        (
            json!({"must_play": ids([1, 2]), "must_wait": ids([3, 2])}),
            "/must_wait/1",
            "is in \"must_play\" too",
        ),
        (
            parties(json!({"apart": [ids([3, 5]), ids([2, 1])]})),
            "/apart/1",
            "together in the party at index 1",
        ),
        (
            parties(json!({"must_play": ids([2]), "must_wait": ids([1])})),
            "/parties/1",
            "who must wait",
        ),
        (
            json!({"sizes": [3, 4], "alternatives": {"size": 2, "count": 3}}),
            "/alternatives/size",
            "which is not in \"sizes\"",
        ),
        (
            json!({"recent": recent, "repeat": 2}),
            "/repeat",
            "together more than 16; lower one of the two",
        ),
        (
            everybody(json!({"sizes": [4]})),
            "/sizes",
            "cannot be combined with \"bench\": false",
        ),
        (
            everybody(json!({"must_wait": ids([90, 3])})),
            "/must_wait/1",
            "remove the player from \"players\"",
        ),
        (
            everybody(json!({"alternatives": {"size": 3, "count": 2}})),
            "/alternatives/size",
            "all 8 players play, so each team has 4 players or one more",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}

async fn all_that_is_wrong_is_named_at_once(app: &App) {
    let lists = json!({
        "server": "s", "players": ids([1, 1]), "must_play": ids([2, 2]), "sizes": [4, 4],
        "parties": [[], ids([3, 3])],
    });
    let of_lists = "/players/1 /must_play/1 /parties/0 /parties/1/1 /sizes/1";
    let together = json!({
        "server": "s", "players": ids(1..=8), "current": {"a": ids([1]), "b": ids([1])},
        "parties": [ids([1, 2])], "apart": [ids([1, 2])], "must_play": ids([1, 3]),
        "must_wait": ids([2, 3]), "sizes": [4], "alternatives": {"size": 3, "count": 1},
    });
    let of_all = "/current/b/0 /apart/0 /must_wait/1 /parties/0 /alternatives/size";
    for (body, wrong) in [(lists, of_lists), (together, of_all)] {
        let (_, problem) = refused(request(app, &body), 422).await;
        assert_eq!(fields(&problem).join(" "), wrong, "{problem}");
    }
}
