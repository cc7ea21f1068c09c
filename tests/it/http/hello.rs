use reqwest::Method;
use serde_json::json;

use super::{HOME_SECRET, configured, id, ids, posted, posted_to, round, with};
use super::{assert_nothing_stored, assert_refused};
use crate::support::{App, refused, send};

const HELLO: &str = "/v1/hello";

on_both_databases!(
    a_server_learns_what_it_is_here_and_nothing_is_kept,
    a_server_learns_its_last_round_and_its_last_table_unless_it_is_of_another_pool,
    an_earlier_plugin_is_told_of_the_latest,
    a_bound_secret_is_declared_and_greets_for_its_own_servers_alone,
    what_makes_no_sense_is_refused,
);

async fn a_server_learns_what_it_is_here_and_nothing_is_kept(app: &App) {
    let versions = json!({"least": "0.1.0", "latest": env!("CARGO_PKG_VERSION")});
    let full = json!({"server": "arena-1", "map": "arena_well", "mode": "arena",
                      "plugin": env!("CARGO_PKG_VERSION"), "players": [id(1)]});
    assert_eq!(
        posted(app, HELLO, &full).await,
        json!({
            "server": "arena-1", "declared": true, "pool": "arena", "shadow_rounds": 3,
            "time": "2026-11-20T12:00:00Z",
            "players": [{"id": id(1), "name": null, "rating": 1000, "visible": false, "rounds": 0,
                         "rounds_until_visible": 3, "placing_rounds": 0, "rank": null, "division": null}],
            "table": null, "policy": "ns2", "last_round_id": null, "notices": [], "plugin": versions,
        })
    );
    let short = json!({"server": "arean-1"});
    assert_eq!(
        posted(app, HELLO, &short).await,
        json!({
            "server": "arean-1", "declared": false, "pool": "default", "shadow_rounds": 50,
            "time": "2026-11-20T12:00:00Z", "players": [], "table": null, "policy": "synelo",
            "last_round_id": null, "notices": [], "plugin": versions,
        })
    );
    assert_nothing_stored(app).await;
}

async fn a_server_learns_its_last_round_and_its_last_table_unless_it_is_of_another_pool(app: &App) {
    app.counted(&round("s", "1", "a", &[1, 2], &[3, 4])).await;
    let last = with(
        round("s", "2", "b", &[1, 2], &[3, 4]),
        json!({"scramble": {"players": ids(1..=5)}}),
    );
    let splits = app.counted(&last).await["splits"].clone();
    let other = round("arena-1", "3", "a", &[1], &[2]);
    app.counted(&other).await;
    let moved = configured(app, "[servers.s]\npool = \"arena\"").await;
    let first = &app.first.address;
    for (address, server, pool, round_id, table) in [
        (first, "s", "default", Some("2"), Some(&splits)),
        (first, "arena-1", "arena", Some("3"), None),
        (&moved.address, "s", "arena", None, None),
    ] {
        let answer = posted_to(app, address, HELLO, &json!({"server": server})).await;
        let found = ["pool", "last_round_id", "table"].map(|key| &answer[key]);
        assert_eq!(json!(found), json!([pool, round_id, table]), "{server}");
    }
    moved.stop().await;
}

async fn an_earlier_plugin_is_told_of_the_latest(app: &App) {
    let latest = env!("CARGO_PKG_VERSION");
    let with_version = |version: &str| json!({"server": "s", "plugin": version});
    let answer = posted(app, HELLO, &with_version("0.0.9+tf2")).await;
    assert_eq!(
        answer["notices"],
        json!([{
            "name": format!("plugin-{latest}"), "kind": "plugin", "player": null, "rating": null,
            "made_at": "2026-11-20T12:00:00Z", "expires_at": null,
            "message": format!("The plugin is version 0.0.9, and this service comes with {latest}; update the plugin."),
        }])
    );
    for version in [latest, "999.0.0"] {
        let answer = posted(app, HELLO, &with_version(version)).await;
        assert_eq!(answer["notices"], json!([]), "{version}");
    }
}

async fn a_bound_secret_is_declared_and_greets_for_its_own_servers_alone(app: &App) {
    let table = "[[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"home-1\"]";
    let instance = configured(app, table).await;
    let greet = |server: &str| {
        let request = app.bare_to(&instance.address, Method::POST, HELLO);
        let request = request.bearer_auth(HOME_SECRET);
        request.json(&json!({"server": server}))
    };
    let (_, answer) = send(greet("home-1")).await;
    assert_eq!(answer["declared"], true);
    assert_eq!(answer["pool"], "default");
    refused(greet("arena-1"), 403).await;
    refused(greet("home-2"), 403).await;
    instance.stop().await;
}

async fn what_makes_no_sense_is_refused(app: &App) {
    assert_refused(app, HELLO, &json!({}), "/server", "is missing").await;
    for (more, field) in [
        (json!({"plugin": "1.2"}), "/plugin"),
        (json!({"mode": "king\nof the hill"}), "/mode"),
        (json!({"map": ""}), "/map"),
        (json!({"players": [id(1), id(1)]}), "/players/1"),
        (json!({"players": ids(1..=129)}), "/players"),
        (json!({"pool": "a b"}), "/pool"),
        (json!({"notices_seen": vec!["a"; 65]}), "/notices_seen"),
    ] {
        let body = with(json!({"server": "s"}), more);
        assert_refused(app, HELLO, &body, field, "").await;
    }
    let null = json!({"server": "s", "map": null, "mode": null, "plugin": null, "players": null,
                      "notices_seen": vec!["a"; 64]});
    assert_eq!(posted(app, HELLO, &null).await["players"], json!([]));
}
