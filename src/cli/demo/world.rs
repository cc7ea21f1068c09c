//! Made-up players and rounds of `rbs demo`: the same in every run, apart from the times.

use std::collections::BTreeMap;
use std::mem;
use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::Timestamp;
use crate::random::Dice;
use crate::rating::win_probability;

pub(super) struct Pool {
    name: &'static str,
    mode: &'static str,
    team_size: usize,
    theta: f64,
    maps: [&'static str; 3],
}

const PUBLIC: Pool = Pool {
    name: "demo-public",
    mode: "payload",
    team_size: 6,
    theta: 1_200.0,
    maps: ["demo_harbour", CLIFF, "demo_mill"],
};
const ARENA: Pool = Pool {
    name: "demo-arena",
    mode: "arena",
    team_size: 4,
    theta: 800.0,
    maps: ["demo_well", "demo_yard", "demo_roof"],
};
/// Every game server with its pool.
pub(super) const SERVERS: [(&str, &Pool); 3] =
    [("demo-1", &PUBLIC), ("demo-2", &PUBLIC), ("demo-3", &ARENA)];

/// Map that favours team a by [`ADVANTAGE`] points of the team's sum.
const CLIFF: &str = "demo_cliff";
const ADVANTAGE: i64 = 1_200;

/// Names of the players, which " (demo)" is added to.
const NAMES: &str = "Anvil Badger Comet Dynamo Ember Falcon Gizmo Harpoon Icicle Jigsaw Kestrel Lantern Magnet Nettle \
    Orbit Pepper Quartz Rocket Saffron Tundra Umbra Velvet Walnut Xenon Yonder Zephyr Acorn Biscuit Cactus Domino \
    Echo Fiddle Goblin Hazel Ivory Jackal Kettle Lobster Marble Noodle Otter Pickle Quiver Raven Sprocket Thistle \
    Urchin Violet Wombat Yeti Zigzag Amber Bramble Cricket Dagger Elm Fossil Granite Hornet Indigo";
/// SteamID64 of the first player. The ids are among the last possible ones; Steam has assigned less than half.
const FIRST_ID: u64 = 76_561_202_255_232_900;

/// Players on the teams a and b of a match.
pub(super) type Teams = [Vec<u32>; 2];

pub(super) struct World {
    pub(super) dice: Dice,
    names: Vec<&'static str>,
    /// True skill of each player, in rating points above the mean.
    skills: Vec<i64>,
    /// Players on each server.
    pub(super) lobbies: [Vec<u32>; 3],
    /// Number of rounds played so far.
    rounds: usize,
    /// Percentage of the history that has been played.
    progress: u32,
}

impl World {
    pub(super) fn new() -> Self {
        let mut dice = Dice(1);
        let mut skill = |_| (0..4).map(|_| i64::from(dice.below(600)) - 300).sum();
        let names: Vec<_> = NAMES.split_whitespace().collect();
        Self {
            skills: names.iter().map(&mut skill).collect(),
            dice,
            names,
            lobbies: Default::default(),
            rounds: 0,
            progress: 0,
        }
    }

    /// Plays at least `rounds` rounds on the days up to `now`. Returns lines for `rbs import`, with some admin changes.
    pub(super) fn history(&mut self, rounds: u32, now: Timestamp) -> String {
        let slots = rounds.div_ceil(3);
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for slot in 0..slots {
            self.progress = 100 * slot / slots;
            // Each server plays fifteen rounds a day.
            let (day, place) = ((slots - 1 - slot) / 15, (slots - 1 - slot) % 15);
            let minutes = 24 * 60 * day + 40 * (place + 1);
            let at = now.earlier(Duration::from_mins(minutes.into()));
            for (index, (server, Pool { name: pool, .. })) in SERVERS.into_iter().enumerate() {
                self.gather(index);
                let teams = self.draft(index);
                let round = self.play(index, &teams, at);
                let begins_tenth = 10 * slot % slots < 10;
                let mut change = match (10 * slot / slots, index) {
                    (tenth @ (1 | 6), 0 | 2) if begins_tenth => {
                        let name = format!("demo season {}", 1 + tenth / 5);
                        json!({"change": "season", "pool": pool, "name": name, "keep": 0.7, "calibration": 10})
                    }
                    (8, 1) if begins_tenth => {
                        json!({"change": "set", "pool": pool, "id": id(9), "rating": 1400})
                    }
                    _ if self.dice.below(300) == 0 => {
                        json!({"change": "void", "server": server, "round_id": round["round_id"]})
                    }
                    _ => Value::Null,
                };
                let lines = lines.entry(pool).or_default();
                lines.extend([round.to_string().as_str(), "\n"]);
                if !change.is_null() {
                    change["change_id"] = json!(format!("demo-{slot}-{index}"));
                    change["reason"] = json!("made up for the demo");
                    change["at"] = json!(at);
                    lines.extend([change.to_string().as_str(), "\n"]);
                }
            }
        }
        self.progress = 100;
        lines.into_values().collect()
    }

    /// Lets some players leave the server, and others join until one more than two full teams are there.
    pub(super) fn gather(&mut self, server: usize) {
        let mut lobby = mem::take(&mut self.lobbies[server]);
        lobby.retain(|_| self.dice.below(8) > 0);
        while lobby.len() <= 2 * SERVERS[server].1.team_size {
            let one = self.dice.below(60);
            let is_around = match one {
                // Some players left early in the history, and some came late.
                44..52 => self.progress < 15,
                52.. => self.progress > 85,
                _ => self.dice.below(44) >= one / 2,
            };
            let mut others = self.lobbies.iter().flatten().chain(&lobby);
            if is_around && !others.any(|other| *other == one) {
                lobby.push(one);
            }
        }
        self.lobbies[server] = lobby;
    }

    /// Drafts teams, which are about even in every second round.
    pub(super) fn draft(&mut self, server: usize) -> Teams {
        let error = [300, 5_000][self.dice.below(2) as usize];
        let mut order = self.lobbies[server][1..].to_vec();
        order.sort_by_cached_key(|one| {
            self.skills[*one as usize] + i64::from(self.dice.below(error))
        });
        let mut teams = Teams::default();
        for (place, one) in order.into_iter().enumerate() {
            teams[usize::from(matches!(place % 4, 1 | 2))].push(one);
        }
        teams
    }

    /// Plays a round that ends at `at`. Returns the report. `demo-2` reports some wrong winners at the end.
    pub(super) fn play(&mut self, server: usize, teams: &Teams, at: Timestamp) -> Value {
        let (name, Pool { mode, theta, .. }) = SERVERS[server];
        let map = self.map(server);
        let skill = |one: &u32| self.skills[*one as usize];
        let [sum_a, sum_b] = [0, 1].map(|side| teams[side].iter().map(skill).sum::<i64>());
        let advantage = if map == CLIFF { ADVANTAGE } else { 0 };
        let odds = win_probability(sum_a + advantage, sum_b, *theta).get();
        let winner = usize::from(self.dice.roll() >= odds);
        let is_swapped = server == 1 && self.progress > 75 && self.dice.below(3) == 0;
        let is_stomp = self.dice.below(8) == 0;
        let (lead, seconds) = if is_stomp {
            (10, 150)
        } else {
            (3, 400 + self.dice.below(400))
        };
        let [a, b] = [0, 1].map(|side| {
            let lead = if side == winner { lead } else { 0 };
            let entries = teams[side]
                .iter()
                .map(|one| self.entry(*one, lead, seconds));
            entries.collect::<Vec<Value>>()
        });
        self.rounds += 1;
        json!({
            "round_id": format!("{name}:{}", self.rounds), "server": name, "map": map, "mode": mode, "ended_at": at,
            "round_seconds": seconds, "winner": if (winner == 0) == is_swapped { "b" } else { "a" },
            "team_a": a, "team_b": b,
        })
    }

    /// Returns a player's line of a round's report. Winners have `lead` more kills. One player leaves when losing.
    fn entry(&mut self, one: u32, lead: u32, round_seconds: u32) -> Value {
        let seconds = if one == 7 && lead == 0 {
            round_seconds / 3
        } else {
            round_seconds
        };
        let kills = self.skills[one as usize] / 100 + i64::from(12 + lead + self.dice.below(8));
        let (kills, assists) = (kills.max(0), self.dice.below(6));
        json!({
            "id": id(one), "name": self.name(one), "seconds": seconds, "stats": {
                "score": 2 * kills, "kills": kills, "deaths": 8 + self.dice.below(10), "assists": assists,
            },
        })
    }

    /// Returns the map of the server's current round.
    pub(super) fn map(&self, server: usize) -> &'static str {
        SERVERS[server].1.maps[self.rounds / 9 % 3]
    }

    /// Returns players as game servers send players. Three players are a party.
    pub(super) fn players(&self, players: &[u32]) -> Vec<Value> {
        let party = |one: u32| (one < 3).then_some("demo-party");
        let player =
            |one: &u32| json!({"id": id(*one), "name": self.name(*one), "party": party(*one)});
        players.iter().map(player).collect()
    }

    fn name(&self, one: u32) -> String {
        format!("{} (demo)", self.names[one as usize])
    }
}

fn id(one: u32) -> String {
    (FIRST_ID + u64::from(one)).to_string()
}

/// Returns the player whose id the service answered.
pub(super) fn player_of(id: &Value) -> Option<u32> {
    let id: u64 = id.as_str()?.parse().ok()?;
    u32::try_from(id.checked_sub(FIRST_ID)?).ok()
}
