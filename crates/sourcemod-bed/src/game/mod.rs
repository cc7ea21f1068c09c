//! Game state: clients, map and clock. Events of the game are in `crate::bed`.

mod arena;
pub mod client;
pub mod engine;
pub mod keyvalues;
pub mod map;

pub use client::{Client, Team};
pub use engine::Engine;
pub use map::{Map, Mode};

use std::collections::BTreeMap;

use map::ROUND_SECONDS;

/// Length of a tick, in seconds.
pub const TICK: f32 = 0.015;
/// Maximum number of players. TF2 servers have 24 to 32 slots, and up to 100.
pub const SLOTS: i32 = 36;

/// An entity of the map.
#[derive(Clone, Debug)]
pub struct Entity {
    pub class: &'static str,
    pub numbers: BTreeMap<&'static str, i32>,
    pub reals: BTreeMap<&'static str, f32>,
}

impl Entity {
    pub fn new(
        class: &'static str,
        numbers: &[(&'static str, i32)],
        reals: &[(&'static str, f32)],
    ) -> Self {
        Self {
            class,
            numbers: numbers.iter().copied().collect(),
            reals: reals.iter().copied().collect(),
        }
    }
}

/// State of the round (`gamerules_roundstate_t` of teamplayroundbased_gamerules.h), as far as the bed needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundState {
    /// Before the first round, and while arena has too few players.
    Pregame,
    /// From the respawn of all players until the doors open.
    Preround,
    /// Also arena after its doors have opened, which the game calls a stalemate.
    Running,
    TeamWin,
}

#[derive(Debug)]
pub struct Game {
    pub engine: Engine,
    clients: BTreeMap<i32, Client>,
    next_user_id: i32,
    /// Entities by number. The numbers begin after the client numbers.
    pub entities: BTreeMap<i32, Entity>,
    pub map: Map,
    /// Time limit of the map in minutes; 0 for none.
    pub minutes: i32,
    /// Seconds since the server started. Unlike in TF2, a map change does not reset them.
    now: f64,
    map_began: f64,
    /// Unix time in seconds at game time 0, by the machine's clock.
    pub epoch: i64,
    ticks: i32,
    pub waits_for_players: bool,
    pub is_in_setup: bool,
    pub state: RoundState,
    /// Winner of the last round (`m_iWinningTeam`), which the arena logic reads.
    pub winning_team: Team,
    /// `true` if the next round begins with switched sides (`SetSwitchTeams`).
    pub switches_sides: bool,
    /// Clients who wait for a place in arena, first come first served (`m_hArenaPlayerQueue`).
    pub arena_queue: Vec<i32>,
    /// Time at which the round becomes active, if that time lies ahead and does not depend on the test.
    pub active_at: Option<f64>,
}

impl Game {
    pub fn new(map: Map, epoch: i64) -> Self {
        let mut game = Self {
            engine: Engine::TeamFortress,
            clients: BTreeMap::new(),
            next_user_id: 1,
            entities: BTreeMap::new(),
            map: map.clone(),
            minutes: 30,
            now: 1.0,
            map_began: 1.0,
            epoch,
            ticks: 0,
            waits_for_players: false,
            is_in_setup: false,
            state: RoundState::Pregame,
            winning_team: Team::None,
            switches_sides: false,
            arena_queue: Vec::new(),
            active_at: None,
        };
        game.enter(map);
        game
    }

    /// Starts a map with its entities. Assumption: connected clients must join again, as the engine wants it.
    pub fn enter(&mut self, map: Map) {
        self.entities = (SLOTS + 1..).zip(map.entities()).collect();
        self.map = map;
        self.map_began = self.now;
        self.waits_for_players = false;
        self.is_in_setup = false;
        self.state = RoundState::Pregame;
        self.winning_team = Team::None;
        self.switches_sides = false;
        self.arena_queue.clear();
        self.active_at = None;
        for client in self.clients.values_mut() {
            client.in_game = false;
            client.team = Team::None;
            client.is_alive = false;
            client.class = 0;
            client.properties.clear();
            client.duel = None;
            client.team_since = 0.0;
            client.just_played = false;
            client.next_team_change = 0.0;
        }
    }

    /// Begins or ends the setup, on the round's timers too. Follows `CTFGameRules::SetupOnRoundStart`
    /// (tf_gamerules.cpp), `CTeamRoundTimer::InputRoundSpawn` and `RoundTimerSetupThink` (teamplay_round_timer.cpp).
    #[expect(clippy::cast_precision_loss, reason = "seconds of a setup are few")]
    pub fn set_setup(&mut self, is_in_setup: bool) {
        self.is_in_setup = is_in_setup;
        let now = self.time();
        for entity in self.entities.values_mut() {
            let length = entity.numbers.get("m_nSetupTimeLength").copied();
            if let Some(length) = length.filter(|length| *length > 0) {
                let seconds = if is_in_setup {
                    length as f32
                } else {
                    ROUND_SECONDS
                };
                let state = i32::from(!is_in_setup);
                entity.numbers.insert("m_nState", state);
                entity.reals.insert("m_flTimerEndTime", now + seconds);
            }
        }
    }

    pub fn add_entity(&mut self, entity: Entity) -> i32 {
        let number = self.entities.keys().last().map_or(SLOTS, |last| *last) + 1;
        self.entities.insert(number, entity);
        number
    }

    pub fn client(&self, index: i32) -> Option<&Client> {
        self.clients.get(&index)
    }

    pub fn client_mut(&mut self, index: i32) -> Option<&mut Client> {
        self.clients.get_mut(&index)
    }

    pub fn clients(&self) -> impl Iterator<Item = (i32, &Client)> {
        self.clients.iter().map(|(index, client)| (*index, client))
    }

    /// Adds a client in the lowest free slot.
    pub fn add_client(&mut self, name: &str, account: u32) -> i32 {
        let index = (1..=SLOTS)
            .find(|index| !self.clients.contains_key(index))
            .expect("a free slot");
        let client = Client::new(name, account, self.next_user_id, self.now);
        self.next_user_id += 1;
        self.clients.insert(index, client);
        index
    }

    pub fn remove_client(&mut self, index: i32) -> Option<Client> {
        self.clients.remove(&index)
    }

    pub fn on_team(&self, team: Team) -> impl Iterator<Item = (i32, &Client)> {
        self.clients()
            .filter(move |(_, client)| client.in_game && client.team == team)
    }

    pub fn now(&self) -> f64 {
        self.now
    }

    /// Game time as the plugin sees it.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the game's clock is a float"
    )]
    pub fn time(&self) -> f32 {
        (self.now - self.map_began) as f32
    }

    pub fn tick(&self) -> i32 {
        self.ticks
    }

    /// Advances the clock. Scoreboards follow `CPlayerResource::ResourceThink` (`player_resource.cpp`), which runs
    /// every 0.1 seconds, and `CTFPlayerResource::UpdateConnectedPlayer` (`tf_player_resource.cpp`).
    pub fn pass(&mut self, seconds: f64) {
        self.now += seconds;
        self.ticks += 1;
        for client in self.clients.values_mut() {
            client.shown_score = client.score;
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
    pub fn unix_time(&self) -> i64 {
        self.epoch + self.now as i64
    }

    /// Seconds until the map ends, negative if there is no time limit.
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
    pub fn seconds_left(&self) -> i32 {
        if self.minutes == 0 {
            return -1;
        }
        self.minutes * 60 - (self.now - self.map_began) as i32
    }
}
