//! Repeated requests about a match, with the ticket of the previous answer.

use std::time::Duration;

use serde_json::json;

use super::{balance, state};
use crate::http::{ids, with};
use crate::support::App;

same_on_both_databases!(
    twenty_seconds_pass_before_anybody_is_moved_as_in_sectors_edge,
    a_reason_that_is_gone_leaves_no_ticket,
    who_moves_instead_of_whom_is_said,
);

async fn twenty_seconds_pass_before_anybody_is_moved_as_in_sectors_edge(app: &App) {
    let body = state("s", &json!(ids(1..=4)), &json!(ids([5, 6])));
    let body = with(body, json!({"policy": "sectors-edge"}));
    let first = balance(app, &body).await;
    assert_eq!(first["ask_again_in_seconds"], 20, "{first}");
    assert_eq!(first["since_ticket"], json!(null));
    let mut ticket = first["ticket"].clone();
    let found_at = app.clock.now();
    for (seconds, left) in [(0, 20), (12, 8), (8, 0), (40, 0)] {
        app.clock
            .set(app.clock.now().later(Duration::from_secs(seconds)));
        let answer = balance(app, &with(body.clone(), json!({"ticket": ticket}))).await;
        assert_eq!(answer["ask_again_in_seconds"], left, "{answer}");
        let since = &answer["since_ticket"];
        assert_eq!(since["found_at"], json!(found_at), "{answer}");
        assert_eq!(since["stands"], true, "{answer}");
        assert_eq!(
            since["rules_kept"],
            json!(["size_pairs", "power_difference"]),
            "{answer}"
        );
        assert_eq!(
            since["moves_kept"],
            json!([answer["moves"][0]["id"]]),
            "{answer}"
        );
        ticket = answer["ticket"].clone();
    }
    let answer = balance(app, &with(body, json!({"policy": "synelo"}))).await;
    assert_eq!(answer["ask_again_in_seconds"], 0, "{answer}");
}

async fn a_reason_that_is_gone_leaves_no_ticket(app: &App) {
    let body = |a: u64| {
        with(
            state("s", &json!(ids(1..=a)), &json!(ids([7, 8]))),
            json!({"policy": "sectors-edge"}),
        )
    };
    let ticket = balance(app, &body(4)).await["ticket"].clone();
    let answer = balance(app, &with(body(3), json!({"ticket": ticket}))).await;
    assert_eq!(answer["unbalanced"], false, "{answer}");
    assert_eq!(
        (&answer["ticket"], &answer["ask_again_in_seconds"]),
        (&json!(null), &json!(null))
    );
    let since = &answer["since_ticket"];
    assert_eq!(since["stands"], false, "{answer}");
    assert_eq!(
        since["rules_dropped"],
        json!(["size_pairs", "power_difference"]),
        "{answer}"
    );
    assert_eq!(
        since["moves_dropped"].as_array().map(Vec::len),
        Some(1),
        "{answer}"
    );
}

async fn who_moves_instead_of_whom_is_said(app: &App) {
    let body = state("s", &json!(ids(1..=4)), &json!(ids([5, 6])));
    let first = balance(app, &body).await;
    let moved = first["moves"][0]["id"].clone();
    let team: Vec<_> = ids(1..=4)
        .into_iter()
        .map(|one| json!({"id": one, "immune": json!(one) == moved}))
        .collect();
    let body = with(body, json!({"team_a": team, "ticket": first["ticket"]}));
    let answer = balance(app, &body).await;
    let since = &answer["since_ticket"];
    assert_eq!(since["moves_dropped"], json!([moved]), "{answer}");
    assert_eq!(
        since["moves_added"],
        json!([answer["moves"][0]["id"]]),
        "{answer}"
    );
    // A ticket of another match names no player of this match.
    let other = state("s", &json!(ids(11..=14)), &json!(ids([15, 16])));
    let other = balance(app, &with(other, json!({"ticket": first["ticket"]}))).await;
    assert_eq!(other["since_ticket"]["moves_kept"], json!([]), "{other}");
}
