use std::net::TcpListener;

use crate::cli::Folder;
use crate::cli::process::{Process, Stream};

#[test]
fn a_setting_that_makes_no_sense_stops_the_start_and_is_named() {
    let password = "hunter2";
    let elsewhere = format!("mysql://root:{password}@localhost/rbs");
    let unreadable = format!("postgres://rbs:{password}@host:port/rbs");
    for (variable, value, says) in [
        ("RBS_BIND", "here", "RBS_BIND (bind) is \"here\""),
        ("RBS_BIND", "", "RBS_BIND"),
        ("DATABASE_URL", &elsewhere, "DATABASE_URL"),
        ("DATABASE_URL", &unreadable, "DATABASE_URL"),
        ("DATABASE_URL", "", "DATABASE_URL"),
        ("RBS_SECRET", "hunter2,,x", "RBS_SECRET"),
        ("RBS_ADMIN_SECRET_FILE", "nowhere", "RBS_ADMIN_SECRET_FILE"),
        ("RBS_CONFIG", "nowhere.toml", "RBS_CONFIG"),
        ("RBS_CONFIG", "", "RBS_CONFIG is empty"),
        ("RBS_LOG", "loud", "RBS_LOG says \"loud\""),
        ("RBS_LOG", "", "RBS_LOG"),
    ] {
        let folder = Folder::new();
        let mut command = folder.serve();
        command.env(variable, value);
        let ended = Process::start(&mut command).finish().failed();
        ended.says(says);
        assert!(!ended.stdout.contains("listens"), "{variable}: {ended:#?}");
        assert!(!format!("{ended:?}").contains(password), "{ended:#?}");
        let lines = ended.stderr.lines().filter(|line| !line.starts_with('{'));
        assert_eq!(lines.count(), 1, "{variable}: one sentence: {ended:#?}");
    }
}

#[test]
fn a_value_in_the_file_that_makes_no_sense_is_named_by_its_key() {
    let folder = Folder::new();
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
        (
            "[leaderboard]\npublic = \"all\"\n",
            "choose from off, ratings, divisions",
        ),
    ] {
        folder.write("config/rbs.toml", text);
        let ended = Process::start(&mut folder.serve()).finish().failed();
        ended.says(key);
        assert!(!ended.stderr.contains("hunter2"), "{ended:#?}");
    }
}

#[test]
fn a_port_in_use_stops_the_start_and_nothing_is_made() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let ended = folder.run(&["serve", "--bind", &address]).failed();
    ended.says("RBS_BIND").says(&address);
    assert_eq!(folder.count(), 0, "a database was made");
}

#[test]
fn a_variable_that_is_nearly_a_setting_stops_the_start_and_leads_to_no_other_service() {
    let folder = Folder::new();
    let show = ["player", "show", "76561197960265729"];
    for (arguments, variable, meant) in [
        (&["serve"][..], "RBS_SERCET", "RBS_SECRET"),
        (&["serve"], "RBS_ADMIN_SECRET_FIEL", "RBS_ADMIN_SECRET_FILE"),
        (&["serve"], "RBS_LOGS", "RBS_LOG"),
        (&show, "RBS_ULR", "RBS_URL"),
        (&["config"], "RBS_ULR", "RBS_URL"),
    ] {
        let mut command = folder.rbs(arguments);
        command
            .env("RBS_BIND", "127.0.0.1:0")
            .env(variable, "hunter2");
        let ended = Process::start(&mut command).finish().failed();
        ended.says(&format!("{variable} is not a setting, but {meant} is"));
        assert!(!format!("{ended:?}").contains("hunter2"), "{ended:#?}");
    }
    assert_eq!(folder.count(), 0, "a database was made");
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
    let file = folder.path("config/rbs.toml").display().to_string();
    service.wait_for(Stream::Out, &format!("Configuration:  {file}"));
    service.wait_for(Stream::Out, "curl ");
    let ended = service.stop();
    assert!(!format!("{ended:?}").contains("hunter2"), "{ended:#?}");
    for setting in ["RBS_BIND", "RBS_SECRET_2"] {
        let is_warned_of = ended.stderr.contains(setting);
        assert!(!is_warned_of, "{setting} is a setting: {ended:#?}");
    }
}
