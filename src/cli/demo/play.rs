//! Requests of the made-up game servers of `rbs demo`, as the plugin would send them.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use ureq::http::Method;

use super::world::{WAITING, World};
use crate::cli::remote::{Client, Path};
use crate::clock::Clock;

/// Number of rounds played without pauses at the start, so that every page has something to show.
const AT_ONCE: u32 = 15;

/// Plays a round on one server after another, with `every` between the rounds, until `stop` is cancelled.
pub(super) fn play(
    client: &Client,
    world: &mut World,
    every: Duration,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let ask = |path: &str, body: &Value| -> anyhow::Result<Value> {
        client.change(&Method::POST, &Path::at(path), body)?.read()
    };
    for server in 0..3 {
        world.draft(server);
    }
    for (turn, server) in (0..).zip((0..3).cycle()) {
        let left = AT_ONCE.saturating_sub(turn);
        let minutes_ago = Duration::from_mins(left.into());
        let round = world.play(server, Clock::System.now().earlier(minutes_ago));
        if server == 2 && turn % 4 == 0 {
            let mut faulty = round.clone();
            faulty["team_b"] = json!([]);
            // The error is that the service refuses the round, or is the error of the next request, too.
            let _refused = ask("/v1/update", &faulty);
        }
        ask("/v1/update", &round)?;
        world.gather(server);
        let (map, waiting) = (world.map(), world.servers[server].team(WAITING));
        let name = world.servers[server].name;
        let plugin = env!("CARGO_PKG_VERSION");
        ask(
            "/v1/hello",
            &json!({"server": name, "map": map, "plugin": plugin}),
        )?;
        let scramble =
            json!({"server": name, "map": map, "players": waiting, "repeat": 3, "waited": "auto"});
        let table = ask("/v1/scramble", &scramble)?;
        let largest = table["splits"].as_array().and_then(|splits| splits.last());
        for (team, side) in ["a", "b"].into_iter().enumerate() {
            let ids = largest.and_then(|split| split[side].as_array());
            for id in ids.into_iter().flatten() {
                world.servers[server].seat(id, team);
            }
        }
        for server in 0..3 {
            let answer = ask("/v1/balance", &leave(world, server))?;
            for (list, to) in [("placed", "team"), ("moves", "to")] {
                for change in answer[list].as_array().into_iter().flatten() {
                    world.servers[server].seat(&change["id"], usize::from(change[to] == "b"));
                }
            }
        }
        let pause = if left > 0 { Duration::ZERO } else { every };
        let paused = Handle::current().block_on(stop.run_until_cancelled(sleep(pause)));
        if paused.is_none() {
            break;
        }
    }
    Ok(())
}

/// Lets up to two players leave in mid-round, and as many who waited join. Returns the request for balance.
fn leave(world: &mut World, server: usize) -> Value {
    let (leaving, side, map) = (world.dice.below(3), world.dice.below(2), world.map());
    let server = &mut world.servers[server];
    let team = server
        .players
        .iter()
        .filter(|(_, team)| **team == side as usize);
    // At least two players stay.
    let left: Vec<u32> = team
        .map(|(one, _)| *one)
        .skip(2)
        .take(leaving as usize)
        .collect();
    server.players.retain(|one, _| !left.contains(one));
    let mut joining = server.team(WAITING);
    joining.truncate(left.len());
    json!({
        "server": server.name, "map": map, "joining": joining,
        "team_a": server.team(0), "team_b": server.team(1),
    })
}
