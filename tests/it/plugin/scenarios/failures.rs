//! Failing requests, and their effects on the round, the queue and the log.

use super::queue::{names, play, server};
use super::{counted, reports};
use crate::plugin::bed::{Bed, Trouble};
use crate::support::App;

same_on_both_databases![
    whatever_answers_in_the_services_place_is_no_answer,
    a_wrong_secret_is_told_once_and_stops_everything_until_it_is_mended,
    a_wrong_address_is_told_once_and_stops_everything_until_it_is_mended,
    a_page_is_told_once_and_rounds_are_sent_after_it,
    settings_that_are_missing_are_named,
    a_slow_service_holds_nobody_up,
];

const PROBLEM: &[(&str, &str)] = &[("content-type", "application/problem+json")];

async fn whatever_answers_in_the_services_place_is_no_answer(app: &App) {
    let troubles = [
        Trouble::Away,
        Trouble::AnswerLost,
        Trouble::Page(200),
        Trouble::Page(502),
        Trouble::Page(503),
        Trouble::Page(301),
        Trouble::Page(401),
        Trouble::Page(403),
        Trouble::Page(404),
        Trouble::Page(405),
        Trouble::Page(422),
        Trouble::Answer(403, "{}".to_owned(), PROBLEM),
        Trouble::Answer(403, r#"{"title": "T", "status": 403, "detail": "no"}"#.to_owned(), &[]),
        Trouble::Answer(
            403,
            r#"{"type": "https://proxy.example/1020", "title": "T", "status": 403, "detail": "no"}"#.to_owned(),
            PROBLEM,
        ),
        Trouble::Answer(
            503,
            r#"{"title": "T", "status": 503, "detail": "busy"}"#.to_owned(),
            PROBLEM,
        ),
        Trouble::Answer(
            500,
            r#"{"title": "T", "status": 500, "detail": "a fault"}"#.to_owned(),
            PROBLEM,
        ),
        Trouble::Answer(
            429,
            r#"{"title": "T", "status": 429, "detail": "too many"}"#.to_owned(),
            PROBLEM,
        ),
        Trouble::Answer(200, "{".to_owned(), &[]),
        Trouble::Answer(200, "null".to_owned(), &[]),
        Trouble::Answer(200, "\"text\"".to_owned(), &[]),
        Trouble::Answer(204, String::new(), &[]),
        Trouble::Torn,
        Trouble::Empty,
        Trouble::Slow(30.0),
    ];
    let mut bed = server(app, 4).await;
    for (place, trouble) in troubles.into_iter().enumerate() {
        bed.trouble(trouble.clone());
        play(&mut bed, 1).await;
        assert_eq!(
            names(&bed, "queue.arena-1.jsonl").len(),
            1,
            "{trouble:?}: the round waits"
        );
        bed.trouble(Trouble::None);
        bed.pass(70.0).await;
        assert_eq!(
            counted(app, "arena-1").await.len(),
            place + 1,
            "{trouble:?}: the round counts once"
        );
        assert!(
            names(&bed, "queue.arena-1.jsonl").is_empty(),
            "{trouble:?}: the queue is empty"
        );
    }
    let files = bed.files("addons/sourcemod/data/rbs");
    assert!(files.is_empty(), "{files:?}");
}

fn errors(bed: &Bed) -> Vec<String> {
    bed.plugin()
        .host
        .console
        .errors()
        .map(str::to_owned)
        .collect()
}

async fn a_wrong_secret_is_told_once_and_stops_everything_until_it_is_mended(app: &App) {
    let mut bed = server(app, 4).await;
    let secret = bed.value("rbs_secret").to_owned();
    bed.set("rbs_secret", "wrong");
    play(&mut bed, 1).await;
    let sent = bed.plugin().host.requests.log.len();
    play(&mut bed, 2).await;
    let found = errors(&bed);
    assert_eq!(
        found
            .iter()
            .filter(|line| line.contains("rbs_secret"))
            .count(),
        1,
        "{found:?}"
    );
    bed.pass(120.0).await;
    assert_eq!(
        bed.plugin().host.requests.log.len(),
        sent,
        "nothing is sent"
    );
    assert_eq!(
        names(&bed, "queue.arena-1.jsonl").len(),
        3,
        "nothing is lost"
    );
    let answer = app.get("/v1/admin/refusals").await;
    let refusals = answer["refusals"].as_array().expect("a list");
    assert!(!refusals.is_empty(), "{answer}");
    for refusal in refusals {
        assert_eq!(refusal["server"], "arena-1", "{refusal}");
    }
    bed.set("rbs_secret", &secret);
    bed.pass(10.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 3);
}

async fn a_wrong_address_is_told_once_and_stops_everything_until_it_is_mended(app: &App) {
    let mut bed = server(app, 4).await;
    for status in [404, 405] {
        let before = counted(app, "arena-1").await.len();
        let errors_before = errors(&bed).len();
        let problem = format!(
            r#"{{"type": "about:blank", "title": "T", "status": {status}, "detail": "no such path"}}"#
        );
        bed.trouble(Trouble::Answer(status, problem, PROBLEM));
        play(&mut bed, 1).await;
        bed.trouble(Trouble::None);
        bed.pass(90.0).await;
        assert_eq!(
            counted(app, "arena-1").await.len(),
            before,
            "{status}: nothing is sent"
        );
        let found = errors(&bed).split_off(errors_before);
        assert_eq!(
            found.iter().filter(|line| line.contains("rbs_url")).count(),
            1,
            "{status}: {found:?}"
        );
        bed.console("sm_rbs_flush");
        bed.pass(10.0).await;
        assert_eq!(counted(app, "arena-1").await.len(), before + 1, "{status}");
    }
}

async fn a_page_is_told_once_and_rounds_are_sent_after_it(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Page(403));
    play(&mut bed, 2).await;
    bed.pass(300.0).await;
    let found = errors(&bed);
    let told = found
        .iter()
        .filter(|line| line.contains("do not come from RBS"));
    assert_eq!(told.count(), 1, "{found:?}");
    let printed = bed.plugin().host.console.printed.len();
    bed.console("sm_rbs_check");
    bed.settle().await;
    let printed = bed.plugin().host.console.printed[printed..].join("\n");
    assert!(
        printed.contains("Something other than RBS answers at http://rbs.test")
            && printed.contains("status 403"),
        "{printed}"
    );
    bed.trouble(Trouble::None);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 2);
}

async fn settings_that_are_missing_are_named(app: &App) {
    for (convar, value) in [
        ("rbs_url", "rbs.example.org"),
        ("rbs_secret", ""),
        ("rbs_server", "no name"),
    ] {
        let mut bed = server(app, 4).await;
        let sent = reports(&bed).len();
        bed.set(convar, value);
        let found = errors(&bed);
        assert!(
            found.iter().any(|line| line.contains(convar)),
            "{convar}: {found:?}"
        );
        play(&mut bed, 1).await;
        assert_eq!(reports(&bed).len(), sent, "{convar}: nothing is sent");
    }
}

async fn a_slow_service_holds_nobody_up(app: &App) {
    let mut bed = server(app, 4).await;
    bed.trouble(Trouble::Slow(9.0));
    play(&mut bed, 4).await;
    bed.pass(30.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 4);
}
