//! The plugin sends player names when players join and when a map starts.

use serde_json::{Value, json};

use super::{names, reports};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    names_go_along_when_players_come_and_when_a_map_begins,
    a_name_that_cannot_be_sent_costs_nothing_but_itself,
];

async fn name(app: &App, account: u64) -> Value {
    let id = 76_561_197_960_265_728 + account;
    let found = app.get(&format!("/v1/admin/players/{id}")).await;
    found["name"].clone()
}

fn rename(bed: &mut Bed, index: i32, name: &str) {
    name.clone_into(&mut bed.client_mut(index).name);
}

async fn names_go_along_when_players_come_and_when_a_map_begins(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    let players = bed.fill(1, 4);
    bed.connect_bot();
    bed.pass(2.0).await;
    bed.settle().await;
    let sent = bed.requests("/v1/players").pop().expect("a question");
    let whole = json!({"id": bed.client(players[0]).steam64(), "name": "player1"});
    assert_eq!(sent["players"][0], whole);
    assert_eq!(sent["players"].as_array().map(Vec::len), Some(4));
    assert_eq!(name(app, 1).await, "player1");

    rename(&mut bed, players[0], "Ada");
    bed.play(Win::of(Team::Red), 60.0).await;
    bed.settle().await;
    let report = reports(&bed).pop().expect("a report").to_string();
    assert!(!report.contains("\"name\""), "{report}");

    bed.change_map(Mode::Koth).await;
    bed.pass(2.0).await;
    bed.settle().await;
    assert_eq!(name(app, 1).await, "Ada");

    rename(&mut bed, players[1], "Grace");
    bed.console("sm_rbs_check");
    bed.settle().await;
    let hello = bed.requests("/v1/hello").pop().expect("a hello");
    assert_eq!(hello["players"][1]["name"], "Grace");
    assert_eq!(name(app, 2).await, "Grace");
}

async fn a_name_that_cannot_be_sent_costs_nothing_but_itself(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    let long = "é".repeat(70);
    for (account, called) in [
        (1, "\u{202e}evil\n\t\u{7}name"),
        (2, "\u{200b}"),
        (3, ""),
        (4, &long),
        (5, "\"}],\\"),
    ] {
        let index = bed.connect(account);
        rename(&mut bed, index, called);
        let odd = account % 2 == 1;
        bed.place(index, if odd { Team::Red } else { Team::Blue });
    }
    let broken = bed.connect(6);
    bed.client_mut(broken).broken_name = Some(b"half a character: \xe2\x82".to_vec());
    bed.place(broken, Team::Blue);
    bed.pass(2.0).await;
    bed.settle().await;
    let sent = bed.requests("/v1/players").pop().expect("a question");
    let last = json!({"id": bed.client(broken).steam64()});
    assert_eq!(sent["players"][5], last, "what is no UTF-8 is left out");
    assert_eq!(sent["players"][3]["name"], "é".repeat(63), "127 bytes");
    bed.play(Win::of(Team::Red), 60.0).await;
    bed.settle().await;
    assert_eq!(reports(&bed).len(), 1);
    assert_eq!(names(&bed, "refused.arena-1.jsonl"), [""; 0]);
    for (account, expected) in [
        (1, json!("evil name")),
        (2, Value::Null),
        (3, Value::Null),
        (4, json!("é".repeat(63))),
        (5, json!("\"}],\\")),
        (6, Value::Null),
    ] {
        assert_eq!(name(app, account).await, expected, "{account}");
    }
}
