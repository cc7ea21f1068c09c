use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::running::Running;

/// Longer than challengers take for forty rounds.
const MAX_WAIT: Duration = Duration::from_secs(40);

#[test]
fn challengers_follow_in_a_running_service_and_are_shown_in_tables() {
    let running = Running::start_with("[rating]\nchallengers = [\"adaptive\", \"weng-lin\"]\n");
    let began = Instant::now();
    let answer = loop {
        let answer = running.json(&["models"]);
        if answer["caught_up_to"] == answer["rounds"] {
            break answer;
        }
        assert!(began.elapsed() < MAX_WAIT, "{answer}");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(
        (&answer["rounds"], &answer["compared"]["rounds"]),
        (&40.into(), &40.into())
    );
    let shown = running.run(&["models"]).succeeded().stdout;
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "over 80 columns: {line:?}");
    }
    let figure = |value: &Value| format!("{:.4}", value.as_f64().expect("a figure"));
    for model in answer["models"].as_array().expect("models") {
        let name = model["model"].as_str().expect("a name");
        let rows: Vec<&str> = shown
            .lines()
            .filter(|line| line.starts_with(name))
            .collect();
        for (row, over) in rows.iter().zip(["all", "window"]) {
            assert!(
                row.contains(&figure(&model["log_loss"][over])),
                "{row} {model}"
            );
        }
        assert_eq!(rows.len(), 2, "{name}: {shown}");
    }
    assert!(
        shown.contains("Pool default: 40 rounds, rated by synelo\n"),
        "{shown}"
    );
    assert!(
        shown.ends_with("Advice: too early to tell: 40 rounds compared, 500 needed\n"),
        "{shown}"
    );
    let unknown = running.run(&["models", "--pool", "nowhere"]).failed();
    assert!(
        unknown.stderr.contains("there is no pool \"nowhere\""),
        "{unknown:?}"
    );
    running.stop();
}
