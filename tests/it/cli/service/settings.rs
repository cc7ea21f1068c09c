use std::net::TcpListener;

use crate::cli::Folder;
use crate::cli::process::{Process, Stream};

#[test]
fn a_setting_that_makes_no_sense_stops_the_start_and_is_named() {
    let password = "hunter2";
    let elsewhere = format!("mysql://root:{password}@localhost/rbs");
    let unreadable = format!("postgres://rbs:{password}@host:port/rbs");
    for (variable, value, says) in [
        ("RBS_BIND", "here", "RBS_BIND"),
        ("RBS_BIND", "127.0.0.1:99999", "RBS_BIND"),
        ("RBS_BIND", "", "RBS_BIND"),
        ("DATABASE_URL", &elsewhere, "DATABASE_URL"),
        ("DATABASE_URL", &unreadable, "DATABASE_URL"),
        ("DATABASE_URL", "", "DATABASE_URL"),
        (
            "DATABASE_URL",
            "sqlite://no/such/folder/rbs.db",
            "DATABASE_URL",
        ),
        ("RBS_SECRET", "", "RBS_SECRET"),
        ("RBS_SECRET", "hunter2,,x", "RBS_SECRET"),
        ("RBS_ADMIN_SECRET", "hunter2 and more", "RBS_ADMIN_SECRET"),
        ("RBS_SECRET_FILE", "nowhere", "RBS_SECRET_FILE"),
        ("RBS_ADMIN_SECRET_FILE", "nowhere", "RBS_ADMIN_SECRET_FILE"),
        ("RBS_READ_SECRET", "hunter2,", "RBS_READ_SECRET"),
        ("RBS_READ_SECRET_FILE", "nowhere", "RBS_READ_SECRET_FILE"),
        ("RBS_CONFIG", "nowhere.toml", "RBS_CONFIG"),
        ("RBS_CONFIG", "", "RBS_CONFIG is empty"),
        ("RBS_LOG", "rbs=loud", "RBS_LOG"),
        ("RBS_LOG", "loud", "RBS_LOG says \"loud\""),
        ("RBS_LOG", "", "RBS_LOG"),
    ] {
        let folder = Folder::new();
        let mut command = folder.serve();
        command.env(variable, value);
        let ended = Process::start(&mut command).finish().failed();
        assert!(
            ended.stderr.contains(says),
            "{variable}={value}: {ended:#?}"
        );
        assert!(!ended.stdout.contains("listens"), "{variable}: {ended:#?}");
        assert!(!format!("{ended:?}").contains(password), "{ended:#?}");
        let lines = ended.stderr.lines().filter(|line| !line.starts_with('{'));
        assert_eq!(lines.count(), 1, "{variable}: one sentence: {ended:#?}");
    }
}

#[test]
fn a_value_in_the_file_that_makes_no_sense_is_named_by_its_key() {
    for (text, key) in [
        (
            "[rating]\nchallengers = [\"Elo\"]\n",
            "rating.challengers: \"Elo\" is not a model",
        ),
        (
            "[pools.duel]\nchallengers = [\"elo\", \"synelo\"]\n",
            "pools.duel.challengers has \"synelo\", which",
        ),
        (
            "[pools.duel]\nchallengers = [\"elo\", \"elo\"]\n",
            "pools.duel.challengers has \"elo\" twice",
        ),
        ("[servers.x]\npool = \"nope\"\n", "servers.x.pool"),
        ("secret = \"hunter2\"\n", "secret"),
        ("[leaderboard]\npublic = 3\n", "leaderboard.public: must be"),
        (
            "[leaderboard]\npublic = \"all\"\n",
            "choose from off, ratings, divisions",
        ),
        ("[rating\n", "rbs.toml"),
    ] {
        let folder = Folder::new();
        folder.write("config/rbs.toml", text);
        let ended = Process::start(&mut folder.serve()).finish().failed();
        assert!(ended.stderr.contains(key), "{text}: {ended:#?}");
        assert!(!ended.stderr.contains("enum "), "{text}: {ended:#?}");
        assert!(!ended.stderr.contains("hunter2"), "{ended:#?}");
    }
}

#[test]
fn a_port_in_use_stops_the_start_and_nothing_is_made() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut command = folder.rbs(&["serve", "--bind", &address]);
    let ended = Process::start(&mut command).finish().failed();
    assert!(ended.stderr.contains("RBS_BIND"), "{ended:#?}");
    assert!(ended.stderr.contains(&address), "{ended:#?}");
    assert!(!folder.path("rbs.db").exists(), "a database was made");
}

#[test]
fn a_postgresql_that_is_not_there_stops_the_start_with_a_sentence() {
    let folder = Folder::new();
    let socket = folder.0.path().display();
    let url = format!("postgres://rbs:hunter2@localhost:5999/ratings?host={socket}");
    let mut command = folder.serve();
    command.env("DATABASE_URL", url);
    let ended = Process::start(&mut command).finish().failed();
    for word in ["DATABASE_URL", "ratings", "does not answer"] {
        assert!(ended.stderr.contains(word), "{word}: {ended:#?}");
    }
    assert!(!format!("{ended:?}").contains("hunter2"), "{ended:#?}");
}

#[test]
fn a_variable_that_is_nearly_a_setting_stops_the_start() {
    for (variable, meant) in [
        ("RBS_SERCET", "RBS_SECRET"),
        ("RBS_SECRETS", "RBS_SECRET"),
        ("RBS_ADMIN_SECRET_FIEL", "RBS_ADMIN_SECRET_FILE"),
        ("RBS_LOGS", "RBS_LOG"),
    ] {
        let folder = Folder::new();
        let mut command = folder.serve();
        let ended = Process::start(command.env(variable, "hunter2"))
            .finish()
            .failed();
        let says = format!("{variable} is not a setting, but {meant} is");
        assert!(ended.stderr.contains(&says), "{ended:#?}");
        assert!(!format!("{ended:?}").contains("hunter2"), "{ended:#?}");
        assert!(
            !folder.path("rbs.db").exists(),
            "{variable}: a database was made"
        );
    }
}

#[test]
fn a_misspelt_address_leads_to_no_other_service() {
    let folder = Folder::new();
    for command in [&["player", "show", "76561197960265729"][..], &["config"]] {
        let mut command = folder.rbs(command);
        command.env("RBS_ULR", "https://ratings.example.org");
        let ended = Process::start(&mut command).finish().failed();
        let says = "RBS_ULR is not a setting, but RBS_URL is";
        assert!(ended.stderr.contains(says), "{ended:#?}");
    }
}

#[test]
fn a_variable_that_is_like_no_setting_is_warned_of() {
    let folder = Folder::new();
    folder.write(
        "config/rbs.toml",
        "[[game_servers]]\nsecret_variable = \"RBS_SECRET_2\"\nservers = [\"arena-1\"]\n",
    );
    let mut command = folder.serve();
    // Variables that Kubernetes sets for a service named rbs.
    command
        .env("RBS_SERVICE_HOST", "hunter2")
        .env("RBS_PORT", "tcp://hunter2:1");
    command.env("RBS_SECRET_2", "hunter2hunter2hunter2");
    let mut service = Process::start(&mut command);
    for variable in ["RBS_SERVICE_HOST", "RBS_PORT"] {
        let warning = service.wait_for(Stream::Err, variable);
        assert!(warning.contains("\"level\":\"WARN\""), "{warning}");
    }
    service.wait_for(Stream::Out, "curl ");
    service.signal("TERM");
    let ended = service.finish().succeeded();
    assert!(!format!("{ended:?}").contains("hunter2"), "{ended:#?}");
    for setting in ["RBS_BIND", "RBS_SECRET_2"] {
        assert!(
            !ended.stderr.contains(setting),
            "a setting is warned of: {ended:#?}"
        );
    }
}

#[test]
fn commands_that_do_not_go_by_bind_refuse_it() {
    let folder = Folder::new();
    for command in [
        &["import", "rounds.jsonl"][..],
        &["check"],
        &["player", "show", "76561197960265729"],
        &["quality"],
        &["split"],
        &["openapi"],
        &["completions", "bash"],
    ] {
        let arguments = [&["--bind", "127.0.0.1:9"], command].concat();
        let ended = folder.run(&arguments).failed();
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:#?}");
        let says = "--bind is only for serve, demo, health, doctor and config; leave it out";
        assert!(ended.stderr.contains(says), "{arguments:?}: {ended:#?}");
    }
    assert!(!folder.path("rbs.db").exists(), "a database was made");
}
