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
            .env("RBS_SECRET", "hunter2hunter2hunter2")
            .env("DATABASE_URL", "postgres://rbs:hunter2@there:5432/rbs");
        Process::start(&mut command).finish()
    };
    let printed = run(&["config"]).succeeded();
    let line = |name: &str| {
        let found = printed.stdout.lines().find(|line| line.starts_with(name));
        let found = found.unwrap_or_else(|| panic!("{name}: {printed:#?}"));
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("bind "), "bind 127.0.0.1:9 environment: RBS_BIND");
    assert_eq!(line("request_timeout"), "request_timeout 20 file: own.toml");
    assert_eq!(line("rating.window"), "rating.window 100 file: own.toml");
    assert_eq!(line("solver_memory"), "solver_memory 512 default");
    assert_eq!(line("rating.k_max"), "rating.k_max 72.0 default");
    assert_eq!(line("log "), "log info default");
    assert_eq!(
        line("secret "),
        "secret 1 secret, not shown environment: RBS_SECRET"
    );
    assert_eq!(
        line("database_url"),
        "database_url postgres://there:5432/rbs environment: DATABASE_URL"
    );
    let flagged = run(&["--database-url", "sqlite://x.db", "config", "--json"]).succeeded();
    let all: Value = serde_json::from_str(&flagged.stdout).expect("JSON");
    let settings = all["settings"].as_array().expect("a list");
    let database = settings.iter().find(|one| one["setting"] == "database_url");
    let database = database.expect("the database");
    assert_eq!(database["from"], "command_line");
    assert_eq!(database["place"], "--database-url");
    for finished in [&printed, &flagged] {
        assert!(
            !format!("{finished:?}").contains("hunter2"),
            "{finished:#?}"
        );
    }
    let mut logging = folder.rbs(&["config"]);
    let logged = Process::start(logging.env("RBS_LOG", "warn,rbs=debug"))
        .finish()
        .succeeded();
    let words: Vec<&str> = logged.stdout.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("log warn,rbs=debug environment: RBS_LOG"),
        "{words}"
    );
    let loud = Process::start(logging.env("RBS_LOG", "loud"))
        .finish()
        .failed();
    assert!(loud.stderr.contains("RBS_LOG says"), "{loud:#?}");
    folder.write("own.toml", "request_timeout = 0\n");
    let wrong = run(&["config"]).failed();
    assert!(wrong.stderr.contains("request_timeout"), "{wrong:#?}");
    assert!(!folder.path("x.db").exists(), "asking makes no database");
}

#[test]
fn it_shows_where_a_start_with_the_same_options_would_listen() {
    let folder = Folder::new();
    let run = |arguments: &[&str]| {
        let mut command = folder.rbs(arguments);
        Process::start(command.env("RBS_BIND", "127.0.0.1:7")).finish()
    };
    for arguments in [
        &["--bind", "127.0.0.1:9", "config", "--json"][..],
        &["config", "--bind", "127.0.0.1:9", "--json"],
        &[
            "--bind",
            "127.0.0.1:8",
            "config",
            "--bind",
            "127.0.0.1:9",
            "--json",
        ],
    ] {
        let printed = run(arguments).succeeded();
        let all: Value = serde_json::from_str(&printed.stdout).expect("JSON");
        let settings = all["settings"].as_array().expect("a list");
        let bind = settings.iter().find(|one| one["setting"] == "bind");
        let expected = json!({
            "setting": "bind",
            "value": "127.0.0.1:9",
            "from": "command_line",
            "place": "--bind",
            "restart": true,
        });
        assert_eq!(bind, Some(&expected), "{arguments:?}");
    }
    let wrong = run(&["--bind", "here", "config"]).failed();
    assert!(wrong.stderr.contains("(bind) is \"here\""), "{wrong:#?}");
}
