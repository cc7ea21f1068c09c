use figment::Figment;
use figment::providers::{Format as _, Toml};

use super::*;

fn arena(toml: &str) -> Result<Parameters, String> {
    let defaults = include_str!("../../../config/rbs.toml");
    let layers = Figment::from(Toml::string(defaults)).merge(Toml::string(toml));
    let file: Layered = layers.extract().map_err(|error| error.to_string())?;
    let (mut pools, _) = check(&file).map_err(|error| error.to_string())?;
    let arena = pools.remove(&"arena".parse().unwrap()).unwrap();
    Ok(arena.parameters)
}

#[test]
fn a_pools_own_tables_take_the_place_of_the_common_ones() {
    let common = "[rating.advantages]\n\"a b\" = -300\n[rating.bots]\neasy = 600\n";
    let map = "a b".parse().unwrap();
    let inherited = arena(&format!("{common}[pools.arena]\n")).unwrap();
    assert_eq!(inherited.advantages.on(Some(&map)), -300);
    let own = arena(&format!("{common}[pools.arena.advantages]\nother = 5\n")).unwrap();
    assert_eq!(own.advantages.on(Some(&map)), 0);
    assert_eq!(own.bots.levels().len(), 1);
}

#[test]
fn tables_that_count_for_nothing_or_make_no_sense_are_refused() {
    for (toml, expected) in [
        ("[pools.arena.advantages]\nm = 10001", "10000 points"),
        ("[pools.arena.advantages]\nm = 0.5", "m"),
        ("[pools.arena.bots]\n\"a b\" = 600", "not allowed"),
        ("[pools.arena.bots]\neasy = -100001", "must be a rating"),
        (
            "[pools.arena]\nmodel = \"ns2\"\n[pools.arena.advantages]\nm = 5",
            "pools.arena.advantages has no effect in a pool with the model ns2",
        ),
        (
            "[pools.arena]\nmodel = \"trueskill\"\n[pools.arena.bots]\neasy = 5",
            "pools.arena.bots has no effect",
        ),
    ] {
        let refused = arena(toml).unwrap_err();
        assert!(refused.contains(expected), "{toml}: {refused}");
    }
    assert!(arena("[pools.arena]\nmodel = \"ns2\"\n[pools.arena.bots]\neasy = 5").is_ok());
}
