use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::de::DeserializeOwned;

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

/// Reads a table of the configuration file, and merges the table of a pool over it by `check`.
pub(super) fn merged<Table: DeserializeOwned, Settings>(
    [common, own]: [&str; 2],
    check: impl FnOnce(&Table, Option<&Table>) -> Result<Settings, InvalidSetting>,
) -> Result<Settings, String> {
    let table = |toml: &str| -> Result<Table, String> {
        let table = Figment::from(Toml::string(toml)).extract();
        table.map_err(|error| error.to_string())
    };
    let settings = check(&table(common)?, Some(&table(own)?));
    settings.map_err(|error| error.to_string())
}

fn has(secrets: &Secrets, text: &str) -> bool {
    secrets.index_of(&Candidate::new(text)).is_some()
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
    assert_eq!(read.len(), 4);
    let arena = |read: &Settings| read.pools[&"arena".parse().unwrap()].parameters.clone();
    assert!(!arena(&read[0]).bots.is_empty() && !arena(&read[1]).advantages.is_empty());
    let own = "well-house".parse().unwrap();
    let ratio = |pool: PoolName| {
        let balance = &read[3].pools[&pool].balance;
        assert_eq!(balance.policy, own);
        balance.policies.named(&own).unwrap().trigger.power_ratio
    };
    assert_eq!(ratio(PoolName::default()), Some(1500));
    assert_eq!(ratio("casual".parse().unwrap()), Some(3000));
}

#[test]
fn the_configuration_in_the_page_on_powers_is_read() {
    let page = include_str!("../../docs/powers.md");
    let examples = page.split("\n```toml\n").skip(1);
    let read: Vec<Settings> = examples
        .map(|example| load(example.split_once("```").unwrap().0, &[]).unwrap())
        .collect();
    let by = |pool: PoolName| {
        let named = read
            .iter()
            .find_map(|settings| settings.pools.get(&pool)?.powers.by.clone());
        named.map(|name| name.to_string())
    };
    assert_eq!(by(PoolName::default()).as_deref(), Some("pub-power"));
    assert_eq!(by("arena".parse().unwrap()).as_deref(), Some("arena-power"));
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
    assert!(has(&secrets, "12345") && has(&secrets, "6.7"));
    assert!(!has(&secrets, "12345,6.7") && !has(&secrets, ""));
}

#[test]
fn a_pool_takes_what_it_does_not_set_from_the_common_table() {
    let settings = load(
        "[rating]\nk_max = 60.0\n[pools.arena]\nwindow = 20\n[pools.duel]\ntheta = 401.5\n\
         [servers.arena-1]\npool = \"arena\"\nmax_team_size = 9\n\
         [servers.arena-2]\npool = \"arena\"\nmax_team_size = 4\n\
         [servers.arena-3]\nmax_team_size = 1\n",
        &[],
    )
    .unwrap();
    let of = |pool: &str| &settings.pools[&pool.parse().unwrap()].parameters;
    let arena = of("arena");
    assert_eq!((arena.k_max, arena.window, arena.theta), (60.0, 20, 1200.0));
    assert_eq!((of("duel").theta, of("default").theta), (401.5, 400.0));
    assert!(settings.pools.values().all(|pool| pool.theta_is_set));
    let pool = &settings.servers[&"arena-1".parse().unwrap()];
    assert_eq!(pool.as_str(), "arena");
}

#[test]
fn it_is_known_where_nothing_sets_theta() {
    for (toml, is_set) in [
        ("", false),
        ("[rating]\nk_max = 60.0\n[servers.s]", false),
        ("[rating]\ntheta = 2400.0", true),
        ("[rating]\nmax_team_size = 12", true),
        ("[servers.s]\nmax_team_size = 12", true),
    ] {
        let settings = load(toml, &[]).unwrap();
        let pool = &settings.pools[&PoolName::default()];
        assert_eq!(pool.theta_is_set, is_set, "{toml}");
    }
}

#[test]
fn what_makes_no_sense_in_the_file_is_named() {
    for (toml, names) in [
        ("[rating]\nk_max = 1.0", "rating.k_max"),
        ("[rating]\nk_max = 10001.0", "rating.k_max"),
        ("[rating]\nthetta = 1.0", "thetta"),
        ("[rating]\nmax_team_size = 0", "rating.max_team_size"),
        ("[rating]\ninitial_rating = -1", "rating.initial_rating"),
        ("[rating]\nstale_days = 1000000000", "rating.stale_days"),
        (
            "[rating]\ntheta = 9.0\nmax_team_size = 0",
            "rating.max_team_size",
        ),
        (
            "[rating]\nparticipation_half_life = 1000001",
            "rating.participation_half_life",
        ),
        (
            "[rating]\nteam_size_exponent = -1",
            "rating.team_size_exponent",
        ),
        (
            "[rating]\nweight_velocity = 0.0\nweight_win_rate = 0.0\nweight_volatility = 0.0",
            "rating.weight_volatility",
        ),
        ("[rating.balance]", "rating.balance"),
        ("[pools.\"a b\"]", "pools.a b"),
        ("[pools.arena]\nwindow = 0", "pools.arena.window"),
        ("[balance]\npolicy = \"best\"", "balance.policy"),
        ("[balance]\npolicy = 5", "balance.policy"),
        ("[balance]\npolicyy = \"ns2\"", "balance.policyy"),
        ("[balance.\"a b\"]", "the policy's name \"a b\" must be"),
        ("[balance.house]", "balance.house.like is missing"),
        (
            "[balance.house]\nlike = \"ns2\"\nsise_difference = 2",
            "\"sise_difference\" is not a setting; the settings are like, weigh",
        ),
        (
            "[pools.arena.balance.ns2]\nact = 5",
            "pools.arena.balance.ns2.act",
        ),
        (
            "[leaderboard]\npublic = \"divisions\"",
            "if leaderboard.public is",
        ),
        ("solver_memory = 15", "solver_memory must be 16 to"),
        ("solver_memory = 1048577", "16 to 1048576 (MiB)"),
    ] {
        let error = load(toml, &[]).unwrap_err();
        assert!(error.contains(names), "{toml}: {error}");
    }
}

#[test]
fn what_makes_no_sense_in_the_environment_is_named() {
    for (variable, value) in [
        ("RBS_SECRET", "naïve"),
        ("RBS_ADMIN_SECRET", "c,a"),
        ("RBS_ADMIN_SECRET", " "),
        ("RBS_SECRET_FILE", "b"),
        ("RBS_READ_SECRET", ""),
        ("RBS_READ_SECRET", "r,,s"),
        ("RBS_READ_SECRET", "r,b"),
        ("RBS_READ_SECRET_FILE", "/nowhere"),
    ] {
        let error = load("", &[(variable, value), ("RBS_SECRET", "a,b")]).unwrap_err();
        assert!(error.contains(variable), "{variable}={value}: {error}");
    }
}

#[test]
fn what_is_expected_is_named_in_words_and_not_in_types() {
    for (toml, expected) in [
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
            "solver_memory = 64.5",
            "solver_memory: must be a whole number",
        ),
        (
            "[servers.s]\nplace = 1",
            "\"place\" is not a setting; the settings are pool, max_team_size (",
        ),
    ] {
        let error = load(toml, &[]).unwrap_err();
        assert!(error.contains(expected), "{toml}: {error}");
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
    assert!(has(&settings.bound_secrets[1].secrets, "two"));
    assert_eq!(settings.rate_limit.unwrap().burst, 3);
    assert!(load("", &[]).unwrap().rate_limit.is_none());
}

#[test]
fn a_bound_secret_that_makes_no_sense_is_named() {
    let refused = |file: &str, expected: &str| {
        let error = load(file, &[ARENA, ("BAD", "a,,b")]).unwrap_err();
        assert!(error.contains(expected), "{file}: {error}");
        assert!(!error.contains(ARENA.1), "{error}");
    };
    let either = "name either secret_file or secret_variable";
    let served = "[[game_servers]]\nsecret_variable = \"ARENA\"\nservers = [\"s\"]\n";
    for (more, expected) in [
        ("pools = []", "pools is empty"),
        ("pools = [\"nope\"]", "[pools.nope]"),
        ("pool = \"x\"", "pool"),
        ("burst = 5", "table 1.burst"),
        ("requests_per_second = 0.0", "above 0"),
        ("requests_per_second = 1.0\nburst = 0", "burst must be"),
        ("secret_file = \"x\"", either),
        (served, "is in another table too"),
        (
            &served.replace("\"s\"", "\"t\""),
            "another table has the same secret",
        ),
    ] {
        refused(&format!("{served}{more}"), expected);
    }
    for (table, expected) in [
        ("secret_variable = \"ARENA\"", "servers"),
        ("servers = []\nsecret_variable = \"ARENA\"", "is empty"),
        ("servers = [\"a b\"]", "the name \"a b\""),
        ("servers = [\"s\"]", either),
        (
            "servers = [\"s\"]\nsecret_file = \"/nowhere\"",
            "/nowhere cannot be read",
        ),
        (
            "servers = [\"s\"]\nsecret_variable = \"GONE\"",
            "no variable GONE",
        ),
        (
            "servers = [\"s\"]\nsecret_variable = \"BAD\"",
            "the variable BAD must hold",
        ),
    ] {
        refused(&format!("[[game_servers]]\n{table}"), expected);
    }
    refused(&format!("burst = 5\n{served}"), "burst is set without");
    refused("requests_per_second = nan", "above 0");
    refused("requests_per_second = 1e9", "above 0");
    for setting in ["RBS_SECRET", "RBS_ADMIN_SECRET"] {
        let others: Vec<_> = [ARENA, ("RBS_SECRET", "another"), (setting, ARENA.1)]
            .into_iter()
            .rev()
            .collect();
        let error = load(served, &others).unwrap_err();
        assert!(error.contains(setting), "{setting}: {error}");
    }
}

#[test]
fn a_secret_for_reading_has_scopes_and_is_apart_from_the_others() {
    let read = ("RBS_READ_SECRET", "one,two");
    let of = |file: &str| load(file, &[read]).unwrap().read_secrets.unwrap();
    let both = of("");
    assert!(has(&both.secrets, "one") && has(&both.secrets, "two"));
    let all = [ReadScope::Metrics, ReadScope::Figures];
    assert_eq!(both.scopes, all.into());
    let metrics = of("read_scopes = [\"metrics\"]").scopes;
    assert_eq!(metrics, [ReadScope::Metrics].into());
    assert!(load("", &[]).unwrap().read_secrets.is_none());
    for (file, expected) in [
        ("read_scopes = []", "read_scopes is empty"),
        (
            "read_scopes = [\"everything\"]",
            "choose from metrics, figures",
        ),
        ("read_scopes = \"metrics\"", "read_scopes"),
    ] {
        let error = load(file, &[]).unwrap_err();
        assert!(error.contains(expected), "{file}: {error}");
    }
    let table = "[[game_servers]]\nsecret_variable = \"ARENA\"\nservers = [\"s\"]\n";
    for (file, other) in [
        ("", "RBS_SECRET"),
        ("", "RBS_ADMIN_SECRET"),
        (table, "ARENA"),
    ] {
        let others = [(other, "two"), ("RBS_SECRET", "another"), read];
        let error = load(file, &others).unwrap_err();
        assert!(error.contains("RBS_READ_SECRET"), "{other}: {error}");
        assert!(!error.contains("two"), "{other}: {error}");
    }
}

#[test]
fn a_pool_has_the_challengers_of_all_or_its_own() {
    let file =
        "[rating]\nchallengers = [\"adaptive\"]\n[pools.duels]\nchallengers = []\n[pools.arena]";
    let settings = load(file, &[]).unwrap();
    let of = |pool: &str| &settings.pools[&pool.parse().unwrap()].challengers;
    assert_eq!(of("default"), of("arena"));
    assert_eq!(*of("arena"), [crate::rating::ModelName::Adaptive]);
    assert_eq!(of("duels").len(), 0);
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
    let one = [("DATABASE_URL", "postgres://rbs:hunter2@host:port/x")];
    let error = load("", &one).unwrap_err();
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
    assert!(has(&settings.secrets.unwrap().0, "from-the-environment"));
}
