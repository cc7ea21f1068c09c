use serde_json::{Value, json};

use super::Folder;

/// Four who wait alone, a server for two against two, and everybody's rating.
fn queue() -> Value {
    let ticket = |n: u32| json!({"id": format!("ticket-{n}"), "players": [format!("[U:1:{n}]")], "since": "2026-11-20T11:50:00Z"});
    json!({
        "now": "2026-11-20T12:00:00Z",
        "tickets": [ticket(1), ticket(2), ticket(3), ticket(4)],
        "servers": [{"name": "eu-1", "sizes": [2]}],
        "ratings": {"[U:1:1]": 1400, "[U:1:2]": 1300, "[U:1:3]": 1200, "[U:1:4]": 1000},
    })
}

#[test]
fn a_queue_is_matched_from_a_file_or_standard_input_without_a_trace() {
    let folder = Folder::new();
    let text = queue().to_string();
    folder.write("queue.json", &text);
    let output = folder.run(&["match", "queue.json", "--json"]).succeeded();
    assert_eq!(output.stderr, "");
    let answer: Value = serde_json::from_str(&output.stdout).expect("an answer");
    let made = &answer["matches"][0];
    assert_eq!(
        made["tickets_a"],
        json!(["ticket-1", "ticket-4"]),
        "{answer}"
    );
    assert_eq!(made["difference"], 100, "{answer}");
    assert_eq!(answer["waiting"], json!([]));
    let piped = folder.pipe(&["match", "-", "--json"], &text).succeeded();
    assert_eq!(piped.stdout, output.stdout);
    let bold = folder.run(&["match", "queue.json", "--json", "--theta", "100"]);
    let bold: Value = serde_json::from_str(&bold.succeeded().stdout).expect("an answer");
    let odds = bold["matches"][0]["win_probability_a"]
        .as_f64()
        .expect("odds");
    assert!((odds - 0.268_941_421_369_995_1).abs() < 1e-12, "{bold}");
    let left = std::fs::read_dir(folder.path(".")).expect("a folder");
    assert_eq!(left.count(), 1, "no database, no secret");
}

#[test]
fn who_waits_and_why_stands_below_the_matches() {
    let folder = Folder::new();
    let mut queue = queue();
    queue["tickets"][3]["servers"] = json!({"us-1": 20});
    queue["servers"][0]["sizes"] = json!([1]);
    queue["servers"][0]["modes"] = json!(["arena"]);
    folder.write("queue.json", queue.to_string());
    let text = folder.run(&["match", "queue.json"]).succeeded().stdout;
    assert!(
        text.starts_with("1 match, 2 tickets wait. Policy standard, theta 400.\n"),
        "{text}"
    );
    assert!(
        text.contains("\neu-1, arena, 1 v 1\n  a      ticket-"),
        "{text}"
    );
    let last = text.lines().last().expect("a row");
    let expected = [
        "ticket-4",
        "600 s",
        "0 s",
        "no free server is one they accept",
    ];
    assert!(expected.iter().all(|part| last.contains(part)), "{text}");
    queue["tickets"] = json!([]);
    folder.write("queue.json", queue.to_string());
    let text = folder.run(&["match", "queue.json"]).succeeded().stdout;
    assert_eq!(
        text,
        "no match, nobody waits. Policy standard, theta 400.\n"
    );
}

#[test]
fn what_is_wrong_is_named_by_its_place_and_nothing_is_printed() {
    let folder = Folder::new();
    let with = |field: &str, value: Value| {
        let mut queue = queue();
        queue[field] = value;
        queue.to_string()
    };
    for (text, expected) in [
        ("{".to_owned(), "queue.json: the text is not JSON"),
        (
            with("ratings", json!({})),
            "queue.json: /tickets/0/players/0 76561197960265729 has no rating",
        ),
        (with("ratings", json!({"Ada": 1})), "queue.json: /ratings"),
        (with("tickets", json!([7])), "queue.json: /tickets/0 "),
        (
            with("policy", json!("best")),
            "queue.json: /policy names no policy",
        ),
        ("x".repeat(4 * 1024 * 1024 + 1), "queue.json is over"),
    ] {
        folder.write("queue.json", &text);
        let refused = folder.run(&["match", "queue.json"]).failed();
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""));
        assert!(
            refused.stderr.contains(expected),
            "{expected}: {refused:#?}"
        );
    }
    let missing = folder.run(&["match", "nowhere.json"]).failed();
    assert!(missing.stderr.contains("nowhere.json"), "{missing:#?}");
}
