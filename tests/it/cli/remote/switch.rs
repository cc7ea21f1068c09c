//! `rbs switch`, and settings that name another model than the pool's.

use serde_json::Value;

use crate::cli::Folder;
use crate::cli::rounds::lines;
use crate::support::Database;

on_both_engines!(
    a_switch_is_tried_made_and_undone,
    settings_that_name_another_model_than_the_pools_are_refused_in_words,
);

async fn a_switch_is_tried_made_and_undone(database: &Database) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    folder.write("rounds.jsonl", lines(40));
    run(&["import", "rounds.jsonl"]).succeeded();
    let ratings = async || {
        database
            .count("select cast(sum(rating * rounds) as bigint) from players")
            .await
    };
    let before = ratings().await;

    let to_adaptive = ["switch", "--pool", "default", "--to", "adaptive"];
    let tried = run(&[&to_adaptive[..], &["--dry-run"]].concat()).succeeded();
    for words in [
        "Pool default: 32 rounds",
        "synelo",
        "adaptive",
        "Brier score",
        "last rounds",
    ] {
        assert!(tried.stdout.contains(words), "{words}: {}", tried.stdout);
    }
    let json = run(&[&to_adaptive[..], &["--dry-run", "--json"]].concat()).succeeded();
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["from"], "synelo");
    let found = &json["comparison"];
    assert_eq!(found["last_rounds"].as_array().map(Vec::len), Some(10));
    assert_ne!(
        found["is"]["all"]["brier"],
        found["would_be"]["all"]["brier"]
    );
    assert_eq!(ratings().await, before, "it was only tried");

    let switched = run(&to_adaptive).succeeded();
    assert!(
        switched
            .stdout
            .contains("rated by adaptive instead of synelo"),
        "{switched:?}"
    );
    assert_ne!(ratings().await, before);
    run(&["check"]).succeeded();
    let again = run(&to_adaptive).failed();
    assert!(
        again.stderr.contains("already uses the model adaptive"),
        "{again:?}"
    );
    run(&["import", "rounds.jsonl"]).succeeded();
    run(&["switch", "--pool", "default", "--to", "synelo"]).succeeded();
    assert_eq!(ratings().await, before, "it was undone");
    run(&["check"]).succeeded();
    let unknown = run(&["switch", "--to", "chess"]).failed();
    assert!(
        unknown.stderr.contains("the models are synelo"),
        "{unknown:?}"
    );
}

async fn settings_that_name_another_model_than_the_pools_are_refused_in_words(database: &Database) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    folder.write("rounds.jsonl", lines(10));
    run(&["import", "rounds.jsonl"]).succeeded();
    folder.write("adaptive.toml", "[rating]\nmodel = \"adaptive\"\n");
    folder.write("typo.toml", "[rating]\nmodel = \"adaptivee\"\n");
    let with = |file: &str, arguments: &[&str]| run(&[&["--config", file][..], arguments].concat());
    for command in [
        &["serve", "--bind", "127.0.0.1:0"][..],
        &["import", "rounds.jsonl"],
    ] {
        let refused = with("adaptive.toml", command).failed();
        assert!(
            refused
                .stderr
                .contains("the pool default is rated by synelo")
                && refused
                    .stderr
                    .contains("rbs switch --pool default --to adaptive"),
            "{refused:?}"
        );
        let refused = with("typo.toml", command).failed();
        assert!(
            refused.stderr.contains("rating.model") && refused.stderr.contains("adaptivee"),
            "{refused:?}"
        );
    }
    with("adaptive.toml", &["switch", "--to", "adaptive"]).succeeded();
    with("adaptive.toml", &["import", "rounds.jsonl"]).succeeded();
}
