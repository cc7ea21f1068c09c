//! Failing requests, and their effects on the round, the queue and the log.

use super::queue::{play, server};
use super::{DATA, counted, reports, waiting};
use crate::plugin::bed::{Bed, Trouble};
use crate::support::App;

same_on_both_databases![
    whatever_answers_in_the_services_place_is_no_answer,
    a_wrong_secret_is_told_once_and_stops_everything_until_it_is_mended,
    a_wrong_address_is_told_once_and_stops_everything_until_it_is_mended,
    a_page_is_told_once_and_rounds_are_sent_after_it,
    settings_that_are_missing_are_named,
];

const PLAIN: &[(&str, &str)] = &[];
const PROBLEM: &[(&str, &str)] = &[("content-type", "application/problem+json")];

async fn whatever_answers_in_the_services_place_is_no_answer(app: &App) {
    let mut troubles = vec![Trouble::Away, Trouble::AnswerLost];
    let pages = [200, 502, 503, 301, 401, 403, 404, 405, 422];
    troubles.extend(pages.map(Trouble::Page));
    for (status, body, headers) in [
        (403, "{}", PROBLEM),
        (
            403,
            r#"{"title": "T", "status": 403, "detail": "no"}"#,
            PLAIN,
        ),
        (
            403,
            r#"{"type": "https://proxy.example/1020", "title": "T", "status": 403, "detail": "no"}"#,
            PROBLEM,
        ),
        (200, "{", PLAIN),
        (200, "null", PLAIN),
        (200, "\"text\"", PLAIN),
        (204, "", PLAIN),
    ] {
        troubles.push(Trouble::Answer(status, body.to_owned(), headers));
    }
    let refusals = [503, 500, 429].map(|status| Trouble::problem(status, "busy"));
    troubles.extend(refusals);
    troubles.extend([Trouble::Torn, Trouble::Empty, Trouble::Slow(30.0)]);
    let mut bed = server(app, 4).await;
    for (place, trouble) in troubles.into_iter().enumerate() {
        bed.trouble(trouble.clone());
        play(&mut bed, 1).await;
        assert_eq!(waiting(&bed).len(), 1, "{trouble:?}: the round waits");
        bed.trouble(Trouble::None);
        bed.pass(70.0).await;
        let counts = counted(app, "arena-1").await.len();
        assert_eq!(counts, place + 1, "{trouble:?}: the round counts once");
        assert_eq!(waiting(&bed), [""; 0], "{trouble:?}: the queue is empty");
    }
    let files = bed.files(DATA);
    assert!(files.is_empty(), "{files:?}");
}

/// Asserts that one error since the first `known` errors contains `part`.
fn assert_told_once(bed: &Bed, known: usize, part: &str) {
    let found = &bed.errors()[known..];
    let told = found.iter().filter(|line| line.contains(part));
    assert_eq!(told.count(), 1, "{part}: {found:?}");
}

async fn a_wrong_secret_is_told_once_and_stops_everything_until_it_is_mended(app: &App) {
    let mut bed = server(app, 4).await;
    let secret = bed.value("rbs_secret").to_owned();
    bed.set("rbs_secret", "wrong");
    play(&mut bed, 1).await;
    let sent = bed.plugin().host.requests.log.len();
    play(&mut bed, 2).await;
    assert_told_once(&bed, 0, "rbs_secret");
    bed.pass(120.0).await;
    let requests = bed.plugin().host.requests.log.len();
    assert_eq!(requests, sent, "nothing is sent");
    assert_eq!(waiting(&bed).len(), 3, "nothing is lost");
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
        let known = bed.errors().len();
        bed.trouble(Trouble::problem(status, "no such path"));
        play(&mut bed, 1).await;
        bed.trouble(Trouble::None);
        bed.pass(90.0).await;
        let counts = counted(app, "arena-1").await.len();
        assert_eq!(counts, before, "{status}: nothing is sent");
        assert_told_once(&bed, known, "rbs_url");
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
    assert_told_once(&bed, 0, "do not come from RBS");
    let printed = bed.plugin().host.console.printed.len();
    bed.console("sm_rbs_check");
    bed.settle().await;
    let printed = bed.plugin().host.console.printed[printed..].join("\n");
    for part in [
        "Something other than RBS answers at http://rbs.test",
        "status 403",
    ] {
        assert!(printed.contains(part), "{printed}");
    }
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
        let found = bed.errors().join("\n");
        assert!(found.contains(convar), "{convar}: {found}");
        play(&mut bed, 1).await;
        assert_eq!(reports(&bed).len(), sent, "{convar}: nothing is sent");
    }
}
