//! `rbs switch`, and settings that name another model than the pool's.

use crate::cli::{Folder, words};
use crate::support::Database;

on_both_engines!(
    a_switch_is_tried_made_and_undone,
    settings_that_name_another_model_than_the_pools_are_refused_in_words,
);

async fn a_switch_is_tried_made_and_undone(database: &Database) {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    folder.import_lines_on(&database.url_text(), 40);
    let ratings = async || {
        database
            .count("select cast(sum(rating * rounds) as bigint) from players")
            .await
    };
    let before = ratings().await;

    let to_adaptive = "switch --pool default --to adaptive";
    let tried = run(&format!("{to_adaptive} --dry-run")).succeeded();
    tried
        .shows("Pool default: 32 rounds")
        .shows("synelo")
        .shows("adaptive")
        .shows("last rounds");
    let json = run(&format!("{to_adaptive} --dry-run --json"));
    let json = json.succeeded().json();
    assert_eq!(json["from"], "synelo");
    let found = &json["comparison"];
    assert_eq!(found["last_rounds"].as_array().map(Vec::len), Some(10));
    assert_ne!(
        found["is"]["all"]["brier"],
        found["would_be"]["all"]["brier"]
    );
    assert_eq!(ratings().await, before, "it was only tried");

    let switched = run(to_adaptive).succeeded();
    switched.shows("rated by adaptive instead of synelo");
    assert_ne!(ratings().await, before);
    run("check").succeeded();
    let again = run(to_adaptive).failed();
    again.says("already uses the model adaptive");
    run("import rounds.jsonl").succeeded();
    run("switch --pool default --to synelo").succeeded();
    assert_eq!(ratings().await, before, "it was undone");
    run("check").succeeded();
    let unknown = run("switch --to chess").failed();
    unknown.says("the models are synelo");
}

async fn settings_that_name_another_model_than_the_pools_are_refused_in_words(database: &Database) {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    folder.import_lines_on(&database.url_text(), 10);
    folder.write("adaptive.toml", "[rating]\nmodel = \"adaptive\"\n");
    folder.write("typo.toml", "[rating]\nmodel = \"adaptivee\"\n");
    for command in ["serve --bind 127.0.0.1:0", "import rounds.jsonl"] {
        let other = run(&format!("--config adaptive.toml {command}")).failed();
        other
            .says("the pool default is rated by synelo")
            .says("rbs switch --pool default --to adaptive");
        let typo = run(&format!("--config typo.toml {command}")).failed();
        typo.says("rating.model").says("adaptivee");
    }
    run("--config adaptive.toml switch --to adaptive").succeeded();
    run("--config adaptive.toml import rounds.jsonl").succeeded();
}
