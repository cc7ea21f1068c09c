//! Made-up players and rounds of `rbs demo`: the same in every run, apart from the times.

use std::collections::BTreeMap;
use std::mem;
use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::Timestamp;
use crate::random::Dice;
use crate::rating::win_probability;

pub(super) struct Server {
    pub(super) name: &'static str,
    pool: &'static str,
    team_size: usize,
    maps: [&'static str; 3],
}

pub(super) const SERVERS: [Server; 3] = [
    Server {
        name: "demo-1",
        pool: "demo-public",
        team_size: 6,
        maps: ["demo_harbour", CLIFF, "demo_mill"],
    },
    Server {
        name: "demo-2",
        pool: "demo-public",
        team_size: 6,
        maps: [CLIFF, "demo_mill", "demo_harbour"],
    },
    Server {
        name: "demo-3",
        pool: "demo-arena",
        team_size: 4,
        maps: ["demo_well", "demo_yard", "demo_roof"],
    },
];

/// Map that favours team a by [`ADVANTAGE`] points of the team's sum.
const CLIFF: &str = "demo_cliff";
const ADVANTAGE: i64 = 1_200;

/// Names of the players, which " (demo)" is added to.
const NAMES: &str = "Anvil Badger Comet Dynamo Ember Falcon Gizmo Harpoon Icicle Jigsaw Kestrel Lantern Magnet Nettle \
    Orbit Pepper Quartz Rocket Saffron Tundra Umbra Velvet Walnut Xenon Yonder Zephyr Acorn Biscuit Cactus Domino \
    Echo Fiddle Goblin Hazel Ivory Jackal Kettle Lobster Marble Noodle Otter Pickle Quiver Raven Sprocket Thistle \
    Urchin Violet Wombat Yeti Zigzag Amber Bramble Cricket Dagger Elm Fossil Granite Hornet Indigo";
const PLAYERS: u32 = 60;

/// SteamID64 of the first player. The ids are among the last ones possible; Steam has assigned less than half of them.
const FIRST_ID: u64 = 76_561_202_255_232_900;

/// Number of rounds of each server in one evening.
const PER_EVENING: u32 = 15;

/// Players on the teams a and b of a match.
pub(super) type Teams = [Vec<u32>; 2];

pub(super) struct World {
    pub(super) dice: Dice,
    names: Vec<&'static str>,
    /// True skill of each player, in rating points above the mean.
    skills: Vec<i64>,
    /// Players on each server.
    lobbies: [Vec<u32>; 3],
    /// Number of rounds played so far.
    rounds: usize,
    /// Percentage of the history that has been played.
    progress: u32,
}

impl World {
    pub(super) fn new() -> Self {
        let mut dice = Dice(1);
        let mut skill = || (0..4).map(|_| i64::from(dice.below(600)) - 300).sum();
        let skills = (0..PLAYERS).map(|_| skill()).collect();
        Self {
            dice,
            names: NAMES.split_whitespace().collect(),
            skills,
            lobbies: Default::default(),
            rounds: 0,
            progress: 0,
        }
    }

    /// Plays at least `rounds` rounds on evenings up to `now`. Returns lines for `rbs import`, with some admin changes.
    pub(super) fn history(&mut self, rounds: u32, now: Timestamp) -> String {
        let slots = rounds.div_ceil(3);
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for slot in 0..slots {
            self.progress = 100 * slot / slots;
            let (evening, place) = {
                let before = slots - 1 - slot;
                (before / PER_EVENING, before % PER_EVENING)
            };
            let minutes = 20 * (u64::from(place) + 1);
            let at = now
                .days_earlier(evening)
                .earlier(Duration::from_secs(60 * minutes));
            for (index, server) in SERVERS.iter().enumerate() {
                self.gather(index);
                let teams = self.draft(index);
                let round = self.play(index, &teams, at);
                let mut change = match (slot * 10 / slots, slot * 10 % slots < 10, index) {
                    (start @ (1 | 6), true, 0 | 2) => {
                        let name = format!("demo season {}", 1 + start / 5);
                        json!({"change": "season", "pool": server.pool, "name": name, "keep": 0.7, "calibration": 10})
                    }
                    (8, true, 1) => {
                        json!({"change": "set", "pool": server.pool, "id": id(9), "rating": 1400})
                    }
                    _ if self.dice.below(150) == 0 => {
                        json!({"change": "void", "server": server.name, "round_id": round["round_id"]})
                    }
                    _ => Value::Null,
                };
                let lines = lines.entry(server.pool).or_default();
                *lines += &format!("{round}\n");
                if !change.is_null() {
                    change["change_id"] = json!(format!("demo-{slot}-{index}"));
                    change["reason"] = json!("made up for the demo");
                    change["at"] = json!(at);
                    *lines += &format!("{change}\n");
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
        while lobby.len() <= 2 * SERVERS[server].team_size {
            let one = self.dice.below(PLAYERS);
            let is_around = match one {
                // Two players in fifteen left early in the history, and as many came late.
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
        let mut order: Vec<_> = self.lobbies[server][1..]
            .iter()
            .map(|one| {
                (
                    self.skills[*one as usize] + i64::from(self.dice.below(error)),
                    *one,
                )
            })
            .collect();
        order.sort_unstable();
        let mut teams = Teams::default();
        for (place, (_, one)) in order.into_iter().enumerate() {
            teams[usize::from(matches!(place % 4, 1 | 2))].push(one);
        }
        teams
    }

    /// Plays a round that ends at `at`. Returns the report. `demo-2` reports some wrong winners at the end.
    pub(super) fn play(&mut self, server: usize, teams: &Teams, at: Timestamp) -> Value {
        let Server {
            name, team_size, ..
        } = SERVERS[server];
        let map = self.map(server);
        let sums = teams.each_ref().map(|team| {
            team.iter()
                .map(|one| self.skills[*one as usize])
                .sum::<i64>()
        });
        let advantage = if map == CLIFF { ADVANTAGE } else { 0 };
        let (mode, theta) = if team_size > 4 {
            ("payload", 1_200.0)
        } else {
            ("arena", 800.0)
        };
        let odds = win_probability(sums[0] + advantage, sums[1], theta).get();
        let winner = usize::from(f64::from(self.dice.below(1_000)) >= 1_000.0 * odds);
        let is_swapped = server == 1 && self.progress > 75 && self.dice.below(3) == 0;
        let is_stomp = self.dice.below(8) == 0;
        let (lead, seconds) = if is_stomp {
            (10, 150)
        } else {
            (3, 400 + self.dice.below(400))
        };
        let [a, b] = [0, 1].map(|side| -> Vec<Value> {
            let entry =
                |one: &u32| self.entry(*one, if side == winner { lead } else { 0 }, seconds);
            teams[side].iter().map(entry).collect()
        });
        self.rounds += 1;
        let reported = if (winner == 0) == is_swapped {
            "b"
        } else {
            "a"
        };
        json!({
            "round_id": format!("{name}:{}", self.rounds), "server": name, "map": map, "mode": mode, "ended_at": at,
            "round_seconds": seconds, "winner": reported, "team_a": a, "team_b": b,
        })
    }

    /// Returns a player's line of a round's report. Winners have `lead` more kills. One player leaves when losing.
    fn entry(&mut self, one: u32, lead: u32, round_seconds: u32) -> Value {
        let leaves = one == 7 && lead == 0;
        let skill = u32::try_from((self.skills[one as usize] + 1_200) / 100).unwrap_or_default();
        let kills = skill + self.dice.below(8) + lead;
        let (deaths, assists) = (8 + self.dice.below(10), self.dice.below(6));
        json!({
            "id": id(one), "name": self.name(one), "seconds": if leaves { round_seconds / 3 } else { round_seconds },
            "stats": {"score": 2 * kills + assists, "kills": kills, "deaths": deaths, "assists": assists},
        })
    }

    /// Returns the map of the server's current round.
    pub(super) fn map(&self, server: usize) -> &'static str {
        SERVERS[server].maps[self.rounds / 9 % 3]
    }

    /// Returns a player as game servers send players. Three players are a party.
    pub(super) fn player(&self, one: u32) -> Value {
        let party = (one < 3).then_some("demo-party");
        json!({"id": id(one), "name": self.name(one), "party": party})
    }

    pub(super) fn lobby(&self, server: usize) -> &[u32] {
        &self.lobbies[server]
    }

    /// Removes a player from the server.
    pub(super) fn leave(&mut self, server: usize, one: u32) {
        self.lobbies[server].retain(|other| *other != one);
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
