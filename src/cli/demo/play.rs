//! Requests of the made-up game servers of `rbs demo`, as the plugin would send them.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Method;

use super::world::{SERVERS, Teams, World, player_of};
use crate::cli::remote::{Client, Path};
use crate::clock::Clock;

/// Number of rounds played without pauses at the start, so that every page has something to show.
const AT_ONCE: u32 = 15;

/// Plays a round on one server after another, with `every` between the rounds, until the sender of `stopped` is gone.
pub(super) fn play(
    client: &Client,
    world: &mut World,
    every: Duration,
    stopped: &Receiver<Infallible>,
) -> anyhow::Result<()> {
    let ask = |path: &str, body: &Value| -> anyhow::Result<Value> {
        client.change(&Method::POST, &Path::at(path), body)?.read()
    };
    let mut matches = [0, 1, 2].map(|server| {
        world.gather(server);
        world.draft(server)
    });
    for (turn, server) in (0..).zip((0..SERVERS.len()).cycle()) {
        let left = AT_ONCE.saturating_sub(turn);
        let at = Clock::System
            .now()
            .earlier(Duration::from_mins(left.into()));
        let round = world.play(server, &matches[server], at);
        if server == 2 && turn % 4 == 0 {
            let mut faulty = round.clone();
            faulty["team_b"] = json!([]);
            // The error is that the service refuses the round, or is the error of the next request, too.
            let _refused = ask("/v1/update", &faulty);
        }
        ask("/v1/update", &round)?;
        world.gather(server);
        let (name, map) = (SERVERS[server].0, world.map(server));
        let players = world.players(&world.lobbies[server]);
        let plugin = env!("CARGO_PKG_VERSION");
        let hello = json!({"server": name, "map": map, "plugin": plugin, "players": players});
        ask("/v1/hello", &hello)?;
        let scramble =
            json!({"server": name, "map": map, "players": players, "repeat": 3, "waited": "auto"});
        matches[server] = largest_split(&ask("/v1/scramble", &scramble)?);
        for half in 0..2 {
            let pause = if left > 0 { Duration::ZERO } else { every / 2 };
            if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                return Ok(());
            }
            for (server, teams) in matches.iter_mut().enumerate().skip(half).step_by(2) {
                let request = leave(world, server, teams);
                follow(&ask("/v1/balance", &request)?, teams);
            }
        }
    }
    Ok(())
}

fn largest_split(table: &Value) -> Teams {
    let split = table["splits"].as_array().and_then(|splits| splits.last());
    ["a", "b"].map(|side| {
        let ids = split.and_then(|split| split[side].as_array());
        ids.into_iter().flatten().filter_map(player_of).collect()
    })
}

/// Lets some players leave in mid-round, and as many who waited join. Returns the request for balance.
fn leave(world: &mut World, server: usize, teams: &mut Teams) -> Value {
    let leaving = world.dice.below(5).saturating_sub(2);
    let side = world.dice.below(2) as usize;
    let lobby = &mut world.lobbies[server];
    let mut joining = lobby.clone();
    joining.retain(|one| !teams.iter().flatten().any(|other| other == one));
    joining.truncate(leaving as usize);
    for _ in 0..leaving {
        if let Some(gone) = teams[side].pop_if(|_| lobby.len() > 6) {
            lobby.retain(|one| *one != gone);
        }
    }
    json!({
        "server": SERVERS[server].0, "map": world.map(server), "joining": world.players(&joining),
        "team_a": world.players(&teams[0]), "team_b": world.players(&teams[1]),
    })
}

/// Places and moves players as the answer recommends.
fn follow(answer: &Value, teams: &mut Teams) {
    for (list, to) in [("placed", "team"), ("moves", "to")] {
        for change in answer[list].as_array().into_iter().flatten() {
            if let Some(one) = player_of(&change["id"]) {
                for team in teams.iter_mut() {
                    team.retain(|other| *other != one);
                }
                teams[usize::from(change[to] == "b")].push(one);
            }
        }
    }
}
