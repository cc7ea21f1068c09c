use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::Process;

#[test]
fn it_prints_the_settings_and_where_they_come_from_and_no_secret() {
    let folder = Folder::new();
    folder.write("own.toml", "request_timeout = 20\n[rating]\nwindow = 100\n");
    let run = |arguments: &[&str]| {
        let mut command = folder.rbs(arguments);
        command
            .env("RBS_BIND", "127.0.0.1:9")
            .env("RBS_CONFIG", "own.toml")
            .env("RBS_LOG", "warn,rbs=debug")
            .env("RBS_SECRET", "hunter2hunter2hunter2")
            .env("DATABASE_URL", "postgres://rbs:hunter2@there:5432/rbs");
        Process::start(&mut command).finish()
    };
    let printed = run(&["config"]).succeeded();
    for (setting, rest) in [
        ("bind", "127.0.0.1:9 environment: RBS_BIND"),
        ("request_timeout", "20 file: own.toml"),
        ("rating.window", "100 file: own.toml"),
        ("solver_memory", "512 default"),
        ("rating.k_max", "72.0 default"),
        ("log", "warn,rbs=debug environment: RBS_LOG"),
        ("secret", "1 secret, not shown environment: RBS_SECRET"),
        (
            "database_url",
            "postgres://there:5432/rbs environment: DATABASE_URL",
        ),
    ] {
        let mut lines = printed.stdout.lines();
        let line = lines.find_map(|line| line.strip_prefix(&format!("{setting} ")));
        let line = line.unwrap_or_else(|| panic!("{setting}: {printed:#?}"));
        let line: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(line.join(" "), rest, "{setting}");
    }
    let flags = ["--database-url", "sqlite://x.db", "--bind", "127.0.0.1:8"];
    let flagged = run(&[&flags[..], &["config", "--bind", "127.0.0.1:7", "--json"]].concat());
    let flagged = flagged.succeeded();
    let all = flagged.json();
    let from = |setting: &str| {
        let mut settings = all["settings"].as_array().expect("a list").iter();
        settings.find(|one| one["setting"] == setting)
    };
    let bind = json!({"setting": "bind", "value": "127.0.0.1:7", "from": "command_line",
                      "place": "--bind", "restart": true});
    assert_eq!(from("bind"), Some(&bind));
    let database = from("database_url").map(|database| &database["place"]);
    assert_eq!(database, Some(&Value::from("--database-url")));
    for finished in [&printed, &flagged] {
        assert!(
            !format!("{finished:?}").contains("hunter2"),
            "{finished:#?}"
        );
    }
    folder.write("own.toml", "request_timeout = 0\n");
    run(&["config"]).failed().says("request_timeout");
    assert!(!folder.path("x.db").exists(), "asking makes no database");
}
