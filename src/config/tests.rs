use super::*;
use crate::rating::Parameters;

fn load(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rbs.toml");
    std::fs::write(&path, toml).unwrap();
    let flags = Flags {
        config: Some(path),
        ..Flags::default()
    };
    let look_up = |name: &str| {
        let found = environment.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Settings::load(&flags, look_up).map_err(|error| error.to_string())
}

#[test]
fn without_anything_the_defaults_are_the_contracts() {
    let settings = load("", &[]).unwrap();
    assert_eq!(settings.bind, "127.0.0.1:8080");
    assert_eq!(settings.database.to_string(), "sqlite://rbs.db");
    assert!(settings.secrets.is_none() && settings.admin_secrets.is_none());
    assert_eq!(settings.solver_memory, 512 * 1024 * 1024);
    let default = &settings.pools[&PoolName::default()];
    assert_eq!(default.parameters, Parameters::default());
}

#[test]
fn every_configuration_in_the_page_on_balance_is_read() {
    let page = include_str!("../../docs/balance.md");
    let blocks = page.split("\n```").skip(1).step_by(2);
    let examples = blocks.filter_map(|block| block.strip_prefix("toml\n"));
    let read: Vec<Settings> = examples.map(|toml| load(toml, &[]).unwrap()).collect();
    assert_eq!(read.len(), 2);
    let own = "well-house".parse().unwrap();
    let ratio = |pool: PoolName| {
        let balance = &read[1].pools[&pool].balance;
        assert_eq!(balance.policy, own);
        balance.policies.named(&own).unwrap().trigger.power_ratio
    };
    assert_eq!(ratio(PoolName::default()), Some(1500));
    assert_eq!(ratio("casual".parse().unwrap()), Some(3000));
}

#[test]
fn the_environment_wins_over_the_file() {
    let settings = load(
        "bind = \"0.0.0.0:1\"\ndatabase_url = \"sqlite://file.db\"",
        &[("RBS_BIND", "127.0.0.1:2"), ("RBS_SECRET", "12345,6.7")],
    )
    .unwrap();
    assert_eq!(settings.bind, "127.0.0.1:2");
    assert_eq!(settings.database.to_string(), "sqlite://file.db");
    let (secrets, _) = settings.secrets.unwrap();
    assert!(secrets.contain("12345") && secrets.contain("6.7"));
    assert!(!secrets.contain("12345,6.7") && !secrets.contain(""));
}

#[test]
fn a_pool_takes_what_it_does_not_say_from_the_rest() {
    let settings = load(
        "[rating]\nk_max = 60.0\n[pools.arena]\nwindow = 20\n[pools.duel]\ntheta = 401.5\n\
         [servers.arena-1]\npool = \"arena\"\nmax_team_size = 9\n\
         [servers.arena-2]\npool = \"arena\"\nmax_team_size = 4\n\
         [servers.arena-3]\nmax_team_size = 1\n",
        &[],
    )
    .unwrap();
    let arena = &settings.pools[&"arena".parse().unwrap()].parameters;
    assert_eq!((arena.k_max, arena.window, arena.theta), (60.0, 20, 1200.0));
    assert_eq!(
        settings.pools[&"duel".parse().unwrap()].parameters.theta,
        401.5
    );
    assert_eq!(settings.pools[&PoolName::default()].parameters.theta, 400.0);
    assert_eq!(
        settings.servers[&"arena-1".parse().unwrap()].as_str(),
        "arena"
    );
}

#[test]
fn what_makes_no_sense_is_named() {
    for (toml, variables, names) in [
        ("[rating]\nk_max = 1.0", vec![], "rating.k_max"),
        ("[rating]\nthetta = 1.0", vec![], "thetta"),
        ("[rating]\nsigma = \"wide\"", vec![], "rating.sigma"),
        (
            "[rating]\nmax_team_size = 0",
            vec![],
            "rating.max_team_size",
        ),
        (
            "[rating]\ninitial_rating = -1",
            vec![],
            "rating.initial_rating",
        ),
        ("[pools.arena]\nwindow = 0", vec![], "pools.arena.window"),
        ("[balance]\npolicy = \"best\"", vec![], "balance.policy"),
        ("[balance]\npolicy = 5", vec![], "balance.policy"),
        ("[balance]\npolicyy = \"ns2\"", vec![], "balance.policyy"),
        (
            "[balance.\"a b\"]",
            vec![],
            "the policy's name \"a b\" must be",
        ),
        ("[balance.house]", vec![], "balance.house.like is missing"),
        (
            "[balance.house]\nlike = \"ns2\"\nsise_difference = 2",
            vec![],
            "\"sise_difference\" is no setting; there are like, weigh",
        ),
        ("[rating.balance]", vec![], "rating.balance"),
        (
            "[leaderboard]\npublic = \"divisions\"",
            vec![],
            "where leaderboard.public is",
        ),
        (
            "[pools.arena.balance.ns2]\nact = 5",
            vec![],
            "pools.arena.balance.ns2.act",
        ),
        ("[pools.\"a b\"]", vec![], "pools.a b"),
        ("[servers.x]\npool = \"nope\"", vec![], "servers.x.pool"),
        ("bind = 5", vec![], "bind"),
        ("bind = \"here\"", vec![], "RBS_BIND"),
        ("request_timeout = 0", vec![], "request_timeout"),
        ("solver_memory = 15", vec![], "solver_memory must be 16 to"),
        ("solver_memory = 1048577", vec![], "16 to 1048576 (MiB)"),
        (
            "solver_memory = 64.5",
            vec![],
            "solver_memory: must be a whole number",
        ),
        ("not toml", vec![], "rbs.toml"),
        ("", vec![("DATABASE_URL", "mysql://x")], "DATABASE_URL"),
        ("", vec![("RBS_SECRET", "")], "RBS_SECRET"),
        ("", vec![("RBS_SECRET", "a,,b")], "RBS_SECRET"),
        ("", vec![("RBS_SECRET", "naïve")], "RBS_SECRET"),
        (
            "",
            vec![("RBS_SECRET", "a,b"), ("RBS_ADMIN_SECRET", "c,a")],
            "RBS_ADMIN_SECRET",
        ),
        (
            "[rating]\nweight_velocity = 0.0\nweight_win_rate = 0.0\nweight_volatility = 0.0",
            vec![],
            "rating.weight_volatility",
        ),
        ("[rating]\nk_max = 10001.0", vec![], "rating.k_max"),
        (
            "[rating]\nparticipation_half_life = 1000001",
            vec![],
            "rating.participation_half_life",
        ),
        ("", vec![("RBS_ADMIN_SECRET", " ")], "RBS_ADMIN_SECRET"),
        (
            "",
            vec![("RBS_SECRET_FILE", "/nowhere/at/all")],
            "RBS_SECRET_FILE",
        ),
        (
            "",
            vec![("RBS_SECRET", "a"), ("RBS_SECRET_FILE", "b")],
            "RBS_SECRET_FILE",
        ),
        (
            "[rating]\ntheta = 9.0\nmax_team_size = 0",
            vec![],
            "rating.max_team_size",
        ),
        (
            "[rating]\nstale_days = 1000000000",
            vec![],
            "rating.stale_days",
        ),
    ] {
        let error = load(toml, &variables).unwrap_err();
        assert!(error.contains(names), "{toml} {variables:?}: {error}");
    }
}

#[test]
fn what_is_wanted_is_said_in_words_and_not_in_types() {
    for (toml, says) in [
        (
            "[rating]\nsigma = \"wide\"",
            "rating.sigma: must be a number (",
        ),
        (
            "[rating]\nwindow = -1",
            "rating.window: must be a whole number from 0 to 4294967295 (",
        ),
        (
            "[rating]\nmin_rating = 0.5",
            "rating.min_rating: must be a whole number (",
        ),
        ("rating = 5", "rating: must be a table ("),
        ("pools = 5", "pools: must be a table ("),
        ("bind = 5", "bind: must be a text in quotes ("),
        (
            "[servers.s]\nplace = 1",
            "\"place\" is no setting; there are pool, max_team_size (",
        ),
    ] {
        let error = load(toml, &[]).unwrap_err();
        assert!(error.contains(says), "{toml}: {error}");
    }
}

#[test]
fn a_setting_of_earlier_versions_stops_the_start_with_what_to_do() {
    for toml in [
        "[rating]\nmax_exact_pool = 32",
        "[rating]\nmax_exact_pool = \"many\"",
        "[pools.arena]\nwindow = 20\nmax_exact_pool = 32",
    ] {
        let error = load(toml, &[]).unwrap_err();
        for says in [
            "max_exact_pool: is no longer a setting",
            "the limits of memory and work decide",
            "remove the line",
            "rbs.toml",
        ] {
            assert!(error.contains(says), "{toml}: {error}");
        }
    }
    let endpoint = "http://127.0.0.1:4318";
    for (toml, environment) in [
        ("otlp_endpoint = \"http://127.0.0.1:4318\"", vec![]),
        ("", vec![("RBS_OTLP_ENDPOINT", endpoint)]),
    ] {
        let error = load(toml, &environment).unwrap_err();
        for says in ["is no longer a setting", "the variable RBS_OTLP_ENDPOINT"] {
            assert!(error.contains(says), "{toml}: {error}");
        }
    }
}

const ARENA: (&str, &str) = ("ARENA", "the-arenas-own-secret");

#[test]
fn a_bound_secret_is_for_its_servers_and_their_pools() {
    let file = "requests_per_second = 2.5\n\
         [[game_servers]]\nsecret_variable = \"ARENA\"\nservers = [\"arena-1\", \"s\"]\n\
         [[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"t\"]\n\
         pools = [\"arena\"]\nrequests_per_second = 1.0\nburst = 7\n\
         [pools.arena]\n[servers.arena-1]\npool = \"arena\"\n";
    let settings = load(file, &[ARENA, ("HOME", "one,two")]).unwrap();
    let names = |number: usize| {
        let bound = &settings.bound_secrets[number];
        let pools: Vec<_> = bound.pools.iter().map(PoolName::as_str).collect();
        let limit = bound.rate_limit.unwrap();
        (bound.servers.len(), pools, limit.per_second, limit.burst)
    };
    assert_eq!(names(0), (2, vec!["arena", "default"], 2.5, 3));
    assert_eq!(names(1), (1, vec!["arena"], 1.0, 7));
    assert!(settings.bound_secrets[1].secrets.contain("two"));
    assert_eq!(settings.rate_limit.unwrap().burst, 3);
    assert!(load("", &[]).unwrap().rate_limit.is_none());
}

#[test]
fn a_bound_secret_that_makes_no_sense_is_named() {
    let arena = "[[game_servers]]\nsecret_variable = \"ARENA\"\n";
    let served = format!("{arena}servers = [\"s\"]\n");
    for (file, says) in [
        (arena.to_owned(), "servers"),
        (format!("{arena}servers = []"), "servers is empty"),
        (format!("{arena}servers = [\"a b\"]"), "the name \"a b\""),
        (format!("{served}pools = []"), "pools is empty"),
        (format!("{served}pools = [\"nope\"]"), "[pools.nope]"),
        (format!("{served}pool = \"x\""), "pool"),
        (format!("{served}burst = 5"), "table 1.burst"),
        (format!("{served}requests_per_second = 0.0"), "above 0"),
        (
            format!("{served}requests_per_second = 1.0\nburst = 0"),
            "table 1.burst must be",
        ),
        (
            format!("{served}secret_file = \"x\""),
            "name either secret_file or secret_variable",
        ),
        (
            "[[game_servers]]\nservers = [\"s\"]".to_owned(),
            "name either secret_file or secret_variable",
        ),
        (
            "[[game_servers]]\nservers = [\"s\"]\nsecret_file = \"/nowhere\"".to_owned(),
            "/nowhere cannot be read",
        ),
        (
            "[[game_servers]]\nservers = [\"s\"]\nsecret_variable = \"GONE\"".to_owned(),
            "no variable GONE",
        ),
        (
            "[[game_servers]]\nservers = [\"s\"]\nsecret_variable = \"BAD\"".to_owned(),
            "the variable BAD must hold",
        ),
        (format!("{served}{served}"), "stands in another table too"),
        (
            format!("{served}{}", served.replace("\"s\"", "\"t\"")),
            "the secret is that of another table too",
        ),
        (format!("burst = 5\n{served}"), "burst is set without"),
        ("requests_per_second = nan".to_owned(), "above 0"),
        ("requests_per_second = 1e9".to_owned(), "above 0"),
    ] {
        let error = load(&file, &[ARENA, ("BAD", "a,,b")]).unwrap_err();
        assert!(error.contains(says), "{file}: {error}");
        assert!(!error.contains(ARENA.1), "{error}");
    }
    for setting in ["RBS_SECRET", "RBS_ADMIN_SECRET"] {
        let others = [ARENA, ("RBS_SECRET", "another"), (setting, ARENA.1)];
        let others: Vec<_> = others.into_iter().rev().collect();
        let error = load(&served, &others).unwrap_err();
        assert!(error.contains(setting), "{setting}: {error}");
    }
}

#[test]
fn no_secret_is_ever_printed() {
    let settings = load(
        "",
        &[("RBS_SECRET", "hunter2"), ("RBS_ADMIN_SECRET", "hunter3")],
    );
    let text = format!("{settings:?}");
    assert!(!text.contains("hunter"), "{text}");
    let error = load("", &[("RBS_SECRET", "hunter2 ,é")]).unwrap_err();
    assert!(!error.contains("hunter"), "{error}");
    let error = load(
        "",
        &[("DATABASE_URL", "postgres://rbs:hunter2@host:port/x")],
    )
    .unwrap_err();
    assert!(!error.contains("hunter"), "{error}");
    for file in [
        "database_url = \"postgres://rbs:hunter2@host/db",
        "bind = [\"hunter2\"]",
        "request_timeout = \"hunter2\"",
    ] {
        let error = load(file, &[]).unwrap_err();
        assert!(
            !error.contains("hunter") && error.contains("rbs.toml"),
            "{error}"
        );
    }
}

#[test]
fn the_environments_secret_wins_over_the_files() {
    let secret = [("RBS_SECRET", "from-the-environment")];
    let settings = load("secret_file = \"/nowhere/at/all\"", &secret).unwrap();
    assert!(settings.secrets.unwrap().0.contain("from-the-environment"));
}
