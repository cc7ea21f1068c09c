//! Made-up players and rounds of `rbs demo`: the same in every run, apart from the times.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::Timestamp;
use crate::random::Dice;
use crate::rating::win_probability;

/// Maps, of which the last one favours team a by [`ADVANTAGE`] points of the team's sum.
const MAPS: [&str; 3] = ["demo_harbour", "demo_mill", "demo_cliff"];
const ADVANTAGE: i64 = 1_200;
const THETA: f64 = 1_000.0;

const FIRST: [&str; 6] = ["Amber", "Brisk", "Copper", "Dusty", "Electric", "Frosty"];
const LAST: [&str; 10] = [
    "Badger", "Cactus", "Falcon", "Goblin", "Jackal", "Kettle", "Lobster", "Otter", "Pickle",
    "Wombat",
];
/// SteamID64 of the first player. The ids are among the last possible ones; Steam has assigned less than half.
const FIRST_ID: u64 = 76_561_202_255_232_900;
/// Player who leaves when losing.
const LEAVER: u32 = 7;

/// Index of the players who are on no team. The indices of the teams a and b are 0 and 1.
pub(super) const WAITING: usize = 2;

pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) servers: [Server; 3],
    rounds: usize,
    /// Percentage of the history that has been played.
    progress: u32,
}

pub(super) struct Server {
    pub(super) name: &'static str,
    pool: &'static str,
    team_size: usize,
    /// Players on the server, with the indices of their teams.
    pub(super) players: BTreeMap<u32, usize>,
}

impl World {
    pub(super) fn new() -> Self {
        let server = |(name, pool, team_size)| Server {
            name,
            pool,
            team_size,
            players: BTreeMap::new(),
        };
        let servers = [
            ("demo-1", "demo-public", 6),
            ("demo-2", "demo-public", 6),
            ("demo-3", "demo-arena", 4),
        ];
        Self {
            dice: Dice(1),
            servers: servers.map(server),
            rounds: 0,
            progress: 0,
        }
    }

    /// Plays at least `rounds` rounds on the days up to `now`. Returns lines for `rbs import`, with some admin changes.
    pub(super) fn history(&mut self, rounds: u32, now: Timestamp) -> String {
        let slots = rounds.div_ceil(3);
        let mut lines = Vec::new();
        // One pool after the other, because an import is slow if it often switches between pools.
        for servers in [0..2, 2..3] {
            for slot in 0..slots {
                self.progress = 100 * slot / slots;
                // Each server plays fifteen rounds a day.
                let minutes = 96 * (slots - slot);
                let at = now.earlier(Duration::from_mins(minutes.into()));
                let begins_third = slot > 0 && 3 * slot % slots < 3;
                for server in servers.clone() {
                    self.draft(server);
                    let round = self.play(server, at);
                    lines.push(round.to_string());
                    let Server { name, pool, .. } = self.servers[server];
                    let mut change = if begins_third && server != 1 {
                        let season = format!("demo season {}", 3 * slot / slots);
                        json!({"change": "season", "pool": pool, "name": season, "keep": 0.7, "calibration": 10})
                    } else if self.dice.below(300) == 0 {
                        json!({"change": "void", "server": name, "round_id": round["round_id"]})
                    } else {
                        continue;
                    };
                    change["change_id"] = json!(format!("demo-{slot}-{server}"));
                    change["reason"] = json!("made up for the demo");
                    change["at"] = json!(at);
                    lines.push(change.to_string());
                }
            }
        }
        self.progress = 100;
        lines.join("\n")
    }

    /// Lets some players leave the server, and others join until one more than two full teams are there. All wait.
    pub(super) fn gather(&mut self, server: usize) {
        let Server {
            players, team_size, ..
        } = &mut self.servers[server];
        let many = 2 * *team_size + 1;
        players.retain(|_, team| {
            *team = WAITING;
            self.dice.below(8) > 0
        });
        while self.servers[server].players.len() < many {
            // A third of the players join for the first time during the history.
            let one = self.dice.below(40 + self.progress / 5);
            let is_on = |server: &Server| server.players.contains_key(&one);
            if !self.servers.iter().any(is_on) {
                self.servers[server].players.insert(one, WAITING);
            }
        }
    }

    /// Gathers players and drafts their teams, with some errors about their skills. One player waits.
    pub(super) fn draft(&mut self, server: usize) {
        self.gather(server);
        let players = &mut self.servers[server].players;
        let mut order: Vec<_> = players.iter_mut().collect();
        order.sort_by_cached_key(|(one, _)| skill(**one) + i64::from(self.dice.below(1_500)));
        for (place, (_, team)) in order.into_iter().skip(1).enumerate() {
            *team = usize::from(matches!(place % 4, 1 | 2));
        }
    }

    /// Plays a round that ends at `at`. Returns the report. `demo-2` reports some wrong winners at the end.
    pub(super) fn play(&mut self, server: usize, at: Timestamp) -> Value {
        let map = self.map();
        let Server { name, players, .. } = &self.servers[server];
        let advantage = if map == MAPS[2] { ADVANTAGE } else { 0 };
        let mut sums = [advantage, 0, 0];
        for (one, team) in players {
            sums[*team] += skill(*one);
        }
        let a_wins = self.dice.roll() < win_probability(sums[0], sums[1], THETA).get();
        let is_swapped = server == 1 && self.progress > 75 && self.dice.below(3) == 0;
        // Some rounds are one-sided: short, with a large lead in kills.
        let (lead, seconds) = if self.dice.below(8) == 0 {
            (10, 150)
        } else {
            (3, 400 + self.dice.below(400))
        };
        let mut teams = [vec![], vec![], vec![]];
        for (one, team) in players {
            let wins = (*team == 0) == a_wins;
            let has_left = *one == LEAVER && !wins;
            let kills = 12 + self.dice.below(8) + if wins { lead } else { 0 };
            let (kills, deaths) = (
                skill(*one) / 100 + i64::from(kills),
                8 + self.dice.below(10),
            );
            let mut entry = player(*one);
            entry["seconds"] = json!(if has_left { seconds / 3 } else { seconds });
            entry["stats"] = json!({"score": 2 * kills, "kills": kills, "deaths": deaths});
            teams[*team].push(entry);
        }
        self.rounds += 1;
        json!({
            "round_id": format!("{name}:{}", self.rounds), "server": name, "map": map, "ended_at": at,
            "round_seconds": seconds, "winner": if a_wins == is_swapped { "b" } else { "a" },
            "team_a": teams[0], "team_b": teams[1],
        })
    }

    pub(super) fn map(&self) -> &'static str {
        MAPS[self.rounds / 9 % 3]
    }
}

impl Server {
    /// Returns the players of a team, or those who wait, as game servers send players.
    pub(super) fn team(&self, index: usize) -> Vec<Value> {
        let those = self.players.iter().filter(|(_, team)| **team == index);
        those.map(|(one, _)| player(*one)).collect()
    }

    pub(super) fn seat(&mut self, id: &Value, team: usize) {
        let id = id.as_str().and_then(|id| id.parse::<u64>().ok());
        let one = id.and_then(|id| u32::try_from(id.checked_sub(FIRST_ID)?).ok());
        self.players.extend(one.map(|one| (one, team)));
    }
}

/// Returns the true skill of a player, in rating points above the mean: another one for each player.
fn skill(one: u32) -> i64 {
    i64::from(one * 37 % 60 * 20) - 600
}

fn player(one: u32) -> Value {
    let (first, last) = (FIRST[one as usize / 10], LAST[one as usize % 10]);
    json!({"id": (FIRST_ID + u64::from(one)).to_string(), "name": format!("{first} {last} (demo)")})
}
