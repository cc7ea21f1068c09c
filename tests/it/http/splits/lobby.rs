//! Players as objects: one lobby format for splits, balance and placing.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::refusals::assert_refused;
use super::scramble::scramble;
use super::wishes::rate;
use crate::http::{id, ids, round, with};
use crate::support::{App, send};

same_on_both_databases!(
    one_list_of_players_is_read_wherever_a_lobby_is_sent,
    what_stands_with_players_is_what_stands_in_lists,
    labels_and_lists_count_together,
    the_teams_as_they_stand_are_named_as_in_a_round,
    contradicting_labels_and_teams_that_make_no_sense_are_refused,
);

fn whole(n: u64) -> Value {
    json!({"id": id(n), "party": "friends", "apart": null, "waited": 1, "weight": 5.5, "points": 7,
           "immune": false, "moved": true, "joined_seconds": 60})
}

async fn one_list_of_players_is_read_wherever_a_lobby_is_sent(app: &App) {
    let apart = |n: u64| json!({"id": id(n), "apart": "snipers"});
    let team_a = json!([whole(1), apart(2), id(3)]);
    let team_b = json!([whole(4), apart(5)]);
    let all = json!([whole(1), apart(2), id(3), whole(4), apart(5)]);
    let body =
        json!({"server": "s", "players": all, "current": {"team_a": team_a, "team_b": team_b}});
    let split = scramble(app, &body).await["splits"][0].clone();
    assert_eq!(split["parties"]["kept"], json!([ids([1, 4])]), "{split}");
    assert_eq!(split["apart"]["together"], json!([]));
    assert_eq!(split["moves"], 1);

    let sent = with(
        round("s", "1", "a", &[1], &[2]),
        json!({"scramble": {"players": all}}),
    );
    let splits = app.counted(&sent).await["splits"].clone();
    let kept = &splits["splits"][0]["parties"]["kept"];
    assert_eq!(kept, &json!([ids([1, 4])]), "{splits}");

    for (path, more) in [
        ("/v1/balance", json!({})),
        ("/v1/place", json!({"joining": [whole(6), apart(7)]})),
    ] {
        let lobby = json!({"server": "s", "team_a": team_a, "team_b": team_b});
        let asked = app.request(Method::POST, path).json(&with(lobby, more));
        let (status, answer) = send(asked).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    }
}

async fn what_stands_with_players_is_what_stands_in_lists(app: &App) {
    rate(app, &[1500, 1400, 1300, 1200, 1100, 1050, 1000, 900, 850]).await;
    let labels = json!({"server": "s", "tolerance": 200, "players": [
        {"id": id(1), "party": "x", "apart": "medics"}, {"id": id(2), "waited": 2},
        {"id": id(3), "apart": "medics"}, {"id": id(4), "party": "x"},
        {"id": id(5), "apart": "medics"}, {"id": id(6), "party": "y"},
        {"id": id(7), "apart": "alone"}, {"id": id(8), "party": "y", "waited": 1}, id(9),
    ]});
    let lists = json!({"server": "s", "tolerance": 200, "players": ids(1..=9),
        "parties": [ids([1, 4]), ids([6, 8])], "apart": [ids([1, 3]), ids([1, 5]), ids([3, 5])],
        "waited": {id(2): 2, id(8): 1},
    });
    let by_labels = scramble(app, &labels).await;
    assert_eq!(by_labels, scramble(app, &lists).await);
    let computed = app.first.service.tables_computed();
    assert_eq!(computed, 1, "it is the same question");
    let kept = &by_labels["splits"][2]["parties"]["kept"];
    assert_eq!(kept, &json!([ids([1, 4]), ids([6, 8])]));
}

async fn labels_and_lists_count_together(app: &App) {
    let body = json!({"server": "s", "sizes": [4], "parties": [ids([1, 2])], "apart": [ids([1, 5])],
        "waited": {id(6): 3, id(7): 2}, "players": [
            id(1), id(2), {"id": id(3), "party": "x"}, {"id": id(4), "party": "x"},
            {"id": id(5), "apart": "y"}, {"id": id(6), "apart": "y", "waited": 3},
            id(7), {"id": id(8), "waited": 1}, id(9), id(10),
    ]});
    let split = scramble(app, &body).await["splits"][0].clone();
    let kept = &split["parties"]["kept"];
    let mut kept = kept.as_array().expect("parties").clone();
    kept.sort_by_key(Value::to_string);
    assert_eq!(kept, [json!(ids([1, 2])), json!(ids([3, 4]))], "{split}");
    assert_eq!(split["apart"]["together"], json!([]));
    let waiting = split["waits"].as_array().expect("who waits").iter();
    assert!(waiting.into_iter().all(|one| one["waited"] == 0), "{split}");
}

async fn the_teams_as_they_stand_are_named_as_in_a_round(app: &App) {
    let asked = |one: &str, other: &str| {
        let teams = |a: [u64; 2], b: [u64; 2]| json!({one: ids(a), other: ids(b)});
        json!({"server": "s", "players": ids(1..=4), "current": teams([1, 2], [3, 4]),
               "recent": [teams([1, 3], [2, 4])]})
    };
    let table = scramble(app, &asked("team_a", "team_b")).await;
    assert_eq!(table, scramble(app, &asked("a", "b")).await);
    assert_eq!(table["splits"][0]["moves"], 0);
}

async fn contradicting_labels_and_teams_that_make_no_sense_are_refused(app: &App) {
    let labelled = |members: Value, more: Value| {
        let player = |n: u64| with(json!({"id": id(n)}), members.clone());
        let players = [player(1), player(2), json!(id(3)), json!(id(4))];
        with(json!({"server": "s", "players": players}), more)
    };
    let many: Vec<Value> = (1..=12)
        .map(|n| json!({"id": id(n), "apart": "x"}))
        .collect();
    let teams = |teams: Value| json!({"server": "s", "players": [], "current": teams});
    let one_id = json!({"id": id(1)});
    let both_forms = json!({"a": [], "team_b": []});
    let twice = json!({"team_a": ids([1]), "team_b": [one_id]});
    let no_id = json!({"team_a": [{"id": "you"}], "team_b": []});
    let cases = [
        (
            teams(json!({"team_a": []})),
            "/current/team_b",
            "is missing",
        ),
        (teams(both_forms), "/current", "send only \"team_a\""),
        (teams(twice), "/current/team_b/0", "on both teams"),
        (teams(no_id), "/current/team_a/0/id", "is not"),
        (
            labelled(json!({"party": "x"}), json!({"parties": [ids([2, 3])]})),
            "/players/1/party",
            "is already in the party at index 0",
        ),
        (
            labelled(json!({"party": "x"}), json!({"apart": [ids([2, 1])]})),
            "/apart/0",
            "together in the party \"x\"",
        ),
        (
            labelled(json!({"apart": "x"}), json!({"parties": [ids([2, 1])]})),
            "/players/1/apart",
            "together in the party at index 0",
        ),
        (
            labelled(json!({"party": "x", "apart": "x"}), json!({})),
            "/players/1/apart",
            "together in the party \"x\"",
        ),
        (
            labelled(
                json!({"party": "x"}),
                json!({"must_play": ids([1]), "must_wait": ids([2])}),
            ),
            "/players/0/party",
            "who must wait",
        ),
        (
            labelled(
                json!({}),
                json!({"players": [{"id": id(1), "waited": 2}], "waited": {id(1): 3}}),
            ),
            "/players/0/waited",
            "is 2, and the list \"waited\" has 3",
        ),
        (
            json!({"server": "s", "players": many}),
            "/players",
            "have 66 pairs to keep apart",
        ),
        (
            json!({"server": "s", "players": [{"id": id(1), "nick": "Roger"}]}),
            "/players/0/nick",
            "is not a field here",
        ),
    ];
    assert_refused(app, cases).await;
}
