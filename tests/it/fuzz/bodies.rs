//! Mostly valid bodies for each path.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::entries::{entry, lobby_player, played};
use super::generate::{id, odd_text, server};

/// All powers, and one unknown name.
const POWERS: [&str; 5] = ["pub-power", "kdr-power", "ut2004", "rating", "best"];

fn scramble() -> BoxedStrategy<Value> {
    let role = (select(vec!["medic", "pilot"]), vec(id(), 1..4), 1..9_u32);
    let pairs = vec((id(), id()), 0..3);
    let bench = prop_oneof![4 => Just(Value::Null), 1 => any::<bool>().prop_map(Value::from)];
    (vec(lobby_player(), 0..14), pairs, 0..1100_u32, vec(role, 0..3), bench)
        .prop_map(|(players, pairs, tolerance, roles, bench)| {
            let pairs: Vec<Value> = pairs.into_iter().map(|(a, b)| json!([a, b])).collect();
            let role =
                |(name, players, each)| json!({"name": name, "players": players, "each": each});
            let roles: Vec<Value> = roles.into_iter().map(role).collect();
            json!({
                "players": players, "parties": pairs, "tolerance": tolerance, "roles": roles, "bench": bench,
                "by": POWERS.get(tolerance as usize % 8), "mode": "ctf",
            })
        })
        .boxed()
}

fn round() -> BoxedStrategy<Value> {
    let teams = (vec(entry(), 1..5), vec(entry(), 1..5));
    let winner = select(vec!["a", "b", "draw"]);
    let extra = prop_oneof![
        6 => Just(Value::Null),
        1 => scramble(),
    ];
    // Few names, so that some rounds repeat and some conflict with an earlier round.
    (
        0..2_u32,
        server(),
        winner,
        teams,
        extra,
        any::<i64>(),
        played(),
    )
        .prop_map(
            |(number, server, winner, (team_a, team_b), scramble, time, (mode, mutators))| {
                json!({
                    "round_id": number.to_string(), "server": server, "winner": winner,
                    "team_a": team_a, "team_b": team_b, "scramble": scramble, "map": "ash",
                    "mode": mode, "mutators": mutators,
                    // Most values are between 2000 and the current time of the test.
                    "ended_at": 940_000_000 + time.rem_euclid(860_000_000),
                })
            },
        )
        .boxed()
}

fn lobby(most: usize) -> BoxedStrategy<Value> {
    vec(lobby_player(), 0..=most).prop_map(Value::Array).boxed()
}

/// A match with its teams in one of both forms.
fn state_of_match() -> BoxedStrategy<Value> {
    let policy = select(vec!["synelo", "sectors-edge", "ns2", "ut2004"]);
    let bots = prop_oneof![
        Just(Value::Null),
        Just(json!({"weights_a": [1, 2.5], "b": 1})),
        Just(json!({"teams": [1, 0, 2], "weight": 9})),
    ];
    let pick = prop_oneof![Just(Value::Null), Just(json!({"of": 3, "seed": 7}))];
    let teams = prop_oneof![
        (lobby(6), lobby(4)).prop_map(|(a, b)| json!({"team_a": a, "team_b": b})),
        vec(lobby(4), 2..5).prop_map(|teams| json!({"teams": teams})),
    ];
    let by = prop_oneof![
        Just(Value::Null),
        select(POWERS.to_vec()).prop_map(Value::from)
    ];
    (teams, server(), policy, bots, pick, by)
        .prop_map(|(mut state, server, policy, bots, pick, by)| {
            state["by"] = by;
            state["mutators"] = json!(["InstaGib"]);
            state["server"] = server;
            state["policy"] = json!(policy);
            state["bots"] = bots;
            state["pick"] = pick;
            state
        })
        .boxed()
}

fn ticket() -> BoxedStrategy<Value> {
    prop_oneof![
        2 => Just(Value::Null),
        2 => (any::<i32>(), 1..9_u64).prop_map(|(second, n)| {
            json!(format!("{second};size_difference;{}>b", 76_561_197_960_265_728 + n))
        }),
        1 => odd_text().prop_map(|text| json!(text)),
    ]
    .boxed()
}

/// A valid body for `path`.
pub(super) fn body_of(path: &str) -> BoxedStrategy<Value> {
    match path {
        "/v1/update" => round().boxed(),
        "a line of a file" => round()
            .prop_map(|mut round| {
                round.as_object_mut().map(|round| round.remove("scramble"));
                round
            })
            .boxed(),
        "/v1/updates" => vec(round(), 0..6)
            .prop_map(|rounds| json!({"rounds": rounds}))
            .boxed(),
        "/v1/scramble" => (scramble(), server())
            .prop_map(|(mut scramble, server)| {
                scramble["server"] = server;
                scramble
            })
            .boxed(),
        "/v1/players" => (vec(lobby_player(), 0..12), server())
            .prop_map(|(players, server)| json!({"server": server, "players": players}))
            .boxed(),
        "/v1/hello" => (vec(lobby_player(), 0..12), server(), odd_text())
            .prop_map(|(players, server, map)| {
                json!({"server": server, "map": map, "mode": "arena", "plugin": "0.1.0", "players": players})
            })
            .boxed(),
        "/v1/balance" => (state_of_match(), lobby(4), ticket())
            .prop_map(|(mut state, joining, ticket)| {
                state["joining"] = joining;
                state["ticket"] = ticket;
                state
            })
            .boxed(),
        "/v1/match" => (vec(waiting_ticket(), 0..8), server(), odd_text())
            .prop_map(|(tickets, server, region)| {
                let servers = json!([{"name": server, "region": region, "sizes": [1, 2]}]);
                json!({"tickets": tickets, "servers": servers, "roles": [{"name": "medic", "each": 1}]})
            })
            .boxed(),
        "/v1/admin/seasons" => (0..3_u8, 0..=1000_u16)
            .prop_map(|(name, kept)| {
                json!({"name": format!("season {name}"), "keep": f64::from(kept) / 1000.0})
            })
            .boxed(),
        "/v1/admin/seasons/trial" => (0..=1000_u16)
            .prop_map(|kept| json!({"keep": f64::from(kept) / 1000.0}))
            .boxed(),
        "/v1/admin/seasons/undo" => (0..9_u8)
            .prop_map(|name| json!({"undoes": name.to_string(), "change_id": "an-undo"}))
            .boxed(),
        "/v1/place" => (state_of_match(), lobby(4))
            .prop_map(|(mut state, joining)| {
                state["joining"] = joining;
                state
            })
            .boxed(),
        _ => any::<i16>()
            .prop_map(|rating| json!({"rating": rating, "reason": "a test"}))
            .boxed(),
    }
}

fn waiting_ticket() -> impl Strategy<Value = Value> {
    let pings = (odd_text(), any::<u16>());
    (vec(lobby_player(), 1..3), odd_text(), any::<u32>(), pings).prop_map(
        |(players, id, since, (region, ping))| {
            let regions: Value = [(region, ping)].into_iter().collect();
            json!({"id": id, "players": players, "since": since, "regions": regions})
        },
    )
}
