use axum::http::StatusCode;

use super::*;

fn origin(secret: u8) -> Origin {
    Origin {
        method: "POST",
        route: "/v1/update".to_owned(),
        request_id: String::new(),
        secret: Some(Fingerprint::new([secret; 4])),
        address: None,
        forwarded_for: None,
        server: None,
    }
}

fn refusal(secret: Option<&'static str>, detail: &str) -> Refusal {
    Refusal {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        detail: detail.to_owned(),
        field: None,
        reason: "invalid",
        secret,
        server: None,
        round: None,
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_seconds(second).unwrap()
}

#[test]
fn equal_ones_are_one_and_the_last_seen_stands_first() {
    let log = RefusalLog::new(at(0));
    for (second, detail) in [(1, "one"), (2, "other"), (3, "one")] {
        log.add(&origin(1), &refusal(None, detail), at(second));
    }
    log.add(&origin(2), &refusal(None, "one"), at(4));
    let answer = log.answer();
    let found: Vec<_> = answer
        .refusals
        .iter()
        .map(|group| (&*group.detail, group.count, group.first_at, group.last_at))
        .collect();
    let expected = [
        ("one", 1, at(4), at(4)),
        ("one", 2, at(1), at(3)),
        ("other", 1, at(2), at(2)),
    ];
    assert_eq!(found, expected);
    assert_eq!((answer.since, answer.forgotten), (at(0), 0));
}

#[test]
fn whoever_tries_many_secrets_pushes_out_no_game_server() {
    let log = RefusalLog::new(at(0));
    log.add(&origin(1), &refusal(None, &"long ".repeat(500)), at(0));
    for number in 0..1000 {
        log.add(
            &origin(2),
            &refusal(Some("unknown"), &number.to_string()),
            at(number),
        );
    }
    let answer = log.answer();
    assert_eq!(answer.refusals.len(), OF_STRANGERS + 1);
    assert_eq!(answer.forgotten, 1000 - OF_STRANGERS as u64);
    let last = answer.refusals.last().unwrap();
    assert_eq!(
        (last.detail.chars().count(), last.secret),
        (MAX_DETAIL, origin(1).secret)
    );
}

#[test]
fn a_flood_has_few_lines_and_the_next_second_says_how_many_had_none() {
    let mut kept = Kept::new(1);
    let lines: Vec<_> = (0..LINES + 5)
        .map(|_| kept.take_line(at(7), at(0)))
        .collect();
    assert_eq!(lines.iter().flatten().count() as u64, LINES);
    assert_eq!(kept.take_line(at(8), at(0)), Some(5));
    assert_eq!(kept.take_line(at(8), at(0)), Some(0));
}

#[test]
fn what_a_client_sent_stays_on_its_line() {
    let sent = "is \"red\"\n\u{1b}[31m\u{2028}\u{202e}";
    let line = r#"is "red"\n\u{1b}[31m\u{2028}\u{202e}"#;
    assert_eq!(shown(sent), line);
}

#[test]
fn what_admins_are_refused_is_not_remembered_unless_it_is_the_secret() {
    let admin = Origin {
        route: "/v1/admin/players/{id}".to_owned(),
        ..origin(1)
    };
    let log = RefusalLog::new(at(0));
    log.add(&admin, &refusal(None, "an odd id"), at(1));
    assert!(log.answer().refusals.is_empty());
    log.add(&admin, &refusal(Some("not_allowed"), "no admin"), at(1));
    assert_eq!(log.answer().refusals.len(), 1);
}
