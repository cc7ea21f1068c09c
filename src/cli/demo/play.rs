//! Requests of the made-up game servers of `rbs demo`, as the plugin would send them.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Method;

use super::world::{SERVERS, Teams, World, player_of};
use crate::cli::remote::{Client, Path, Unsuccessful};
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
    let mut matches: Vec<Teams> = Vec::new();
    for server in 0..SERVERS.len() {
        world.gather(server);
        matches.push(world.draft(server));
    }
    for (turn, server) in (0_u32..).zip((0..SERVERS.len()).cycle()) {
        let before = Duration::from_secs(60 * u64::from(AT_ONCE.saturating_sub(turn)));
        let pause = if before.is_zero() {
            every / 2
        } else {
            Duration::ZERO
        };
        let round = world.play(
            server,
            &matches[server],
            Clock::System.now().earlier(before),
        );
        if server == 2 && turn % 4 == 0 {
            refuse(client, &round)?;
        }
        ask(client, "/v1/update", &round)?;
        matches[server] = scramble(client, world, server)?;
        for half in 0..2 {
            if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                return Ok(());
            }
            for (server, teams) in matches.iter_mut().enumerate().skip(half).step_by(2) {
                balance(client, world, server, teams)?;
            }
        }
    }
    Ok(())
}

fn ask(client: &Client, path: &str, body: &Value) -> anyhow::Result<Value> {
    client.change(&Method::POST, &Path::at(path), body)?.read()
}

/// Sends the round without team b, as a faulty game server would, so that the service refuses it.
fn refuse(client: &Client, round: &Value) -> anyhow::Result<()> {
    let mut round = round.clone();
    round["team_b"] = json!([]);
    match ask(client, "/v1/update", &round) {
        Err(error) if !matches!(error.downcast_ref(), Some(Unsuccessful::Refused(_))) => Err(error),
        _ => Ok(()),
    }
}

/// Begins a round on the server: greets the service, and returns the teams that it recommends.
fn scramble(client: &Client, world: &mut World, server: usize) -> anyhow::Result<Teams> {
    world.gather(server);
    let players = world.lobby(server).iter().map(|one| world.player(*one));
    let players: Vec<Value> = players.collect();
    let (name, map) = (SERVERS[server].name, world.map(server));
    let plugin = env!("CARGO_PKG_VERSION");
    ask(
        client,
        "/v1/hello",
        &json!({"server": name, "map": map, "plugin": plugin, "players": players}),
    )?;
    let table = ask(
        client,
        "/v1/scramble",
        &json!({"server": name, "map": map, "players": players, "repeat": 3, "waited": "auto"}),
    )?;
    let split = table["splits"].as_array().and_then(|splits| splits.last());
    let team = |side: &str| {
        let ids = split.and_then(|split| split[side].as_array());
        ids.into_iter().flatten().filter_map(player_of).collect()
    };
    Ok(["a", "b"].map(team))
}

/// Lets players leave in mid-round, and does what the service recommends.
fn balance(
    client: &Client,
    world: &mut World,
    server: usize,
    teams: &mut Teams,
) -> anyhow::Result<()> {
    let leaving = world.dice.below(5).saturating_sub(2);
    let side = world.dice.below(2) as usize;
    for _ in 0..leaving {
        if let Some(one) = teams[side].pop_if(|_| world.lobby(server).len() > 6) {
            world.leave(server, one);
        }
    }
    let is_waiting = |one: &&u32| !teams.iter().flatten().any(|other| other == *one);
    let waiting = world.lobby(server).iter().filter(is_waiting);
    let joining: Vec<Value> = waiting
        .map(|one| world.player(*one))
        .take(leaving as usize)
        .collect();
    let [a, b] = teams.each_ref().map(|team| {
        let players = team.iter().map(|one| world.player(*one));
        players.collect::<Vec<Value>>()
    });
    let answer = ask(
        client,
        "/v1/balance",
        &json!({
            "server": SERVERS[server].name, "map": world.map(server), "team_a": a, "team_b": b, "joining": joining,
        }),
    )?;
    for (list, to) in [("placed", "team"), ("moves", "to")] {
        for change in answer[list].as_array().into_iter().flatten() {
            if let Some(one) = player_of(&change["id"]) {
                teams
                    .iter_mut()
                    .for_each(|team| team.retain(|other| *other != one));
                teams[usize::from(change[to] == "b")].push(one);
            }
        }
    }
    Ok(())
}
