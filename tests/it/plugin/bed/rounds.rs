//! Rounds, with the game's events in their order.

use super::Bed;
use sourcemod_bed::game::{Mode, Team};
use sourcemod_bed::sourcemod::events::Value;

/// Result of a round.
#[derive(Clone, Copy, Debug)]
pub struct Win {
    /// No team for a draw.
    pub team: Team,
    /// Reason code of the game: 1 all points, 2 all dead, 3 flags, 4 defended until the end of the time, 5 stalemate.
    pub reason: i32,
    /// `false` if another stage follows.
    pub full: bool,
}

impl Win {
    pub fn of(team: Team) -> Self {
        Self {
            team,
            reason: if team.plays() { 1 } else { 5 },
            full: true,
        }
    }

    pub fn because(self, reason: i32) -> Self {
        Self { reason, ..self }
    }

    pub fn of_stage(self) -> Self {
        Self {
            full: false,
            ..self
        }
    }
}

impl Bed {
    pub fn fire(&mut self, name: &str, values: &[(&'static str, Value)]) {
        let done = self.plugin.fire(name, values);
        done.unwrap_or_else(|fault| panic!("{fault}"));
        self.look();
    }

    /// Starts a round: all players spawn, and the doors are shut.
    pub fn begin_round(&mut self) {
        let has_setup = self.plugin.host.game.map.has_setup();
        self.plugin.host.game.is_in_setup = has_setup;
        self.respawn();
        self.fire("teamplay_round_start", &[("full_reset", true.into())]);
        self.respawn();
        if self.mode() != Mode::Arena && has_setup {
            self.fire("teamplay_round_active", &[]);
        }
    }

    pub fn open_doors(&mut self) {
        match self.mode() {
            Mode::Arena => self.fire("arena_round_start", &[]),
            _ if self.plugin.host.game.map.has_setup() => {
                self.plugin.host.game.is_in_setup = false;
                self.fire("teamplay_setup_finished", &[]);
            }
            _ => self.fire("teamplay_round_active", &[]),
        }
    }

    /// Ends the round; the humiliation of the losers lasts some seconds.
    pub fn end_round(&mut self, win: Win) {
        let values = [
            ("team", (win.team as i32).into()),
            ("winreason", win.reason.into()),
            ("flagcaplimit", 3.into()),
            ("full_round", win.full.into()),
            ("round_time", 120.0.into()),
            ("losing_team_num_caps", 0.into()),
            ("was_sudden_death", false.into()),
        ];
        self.fire("teamplay_round_win", &values);
    }

    /// Plays a whole round of that length with all players active.
    pub async fn play(&mut self, win: Win, seconds: f64) {
        self.begin_round();
        self.pass(5.0).await;
        self.open_doors();
        self.fight();
        self.pass(seconds).await;
        self.end_round(win);
        self.pass(15.0).await;
    }

    /// Each player of both teams deals damage to an opponent.
    pub fn fight(&mut self) {
        let (red, blue) = (self.team(Team::Red), self.team(Team::Blue));
        for (place, attacker) in red.iter().enumerate() {
            if let Some(victim) = blue.get(place % blue.len().max(1)) {
                self.hurt(*attacker, *victim);
            }
        }
        for (place, attacker) in blue.iter().enumerate() {
            if let Some(victim) = red.get(place % red.len().max(1)) {
                self.hurt(*attacker, *victim);
            }
        }
    }

    pub fn hurt(&mut self, attacker: i32, victim: i32) {
        let (attacker, victim) = (self.client(attacker).user_id, self.client(victim).user_id);
        let values = [
            ("userid", victim.into()),
            ("attacker", attacker.into()),
            ("health", 80.into()),
            ("damageamount", 45.into()),
        ];
        self.fire("player_hurt", &values);
    }

    /// A player kills an opponent. Follows CTFGameRules::DeathNotice (tf_gamerules.cpp).
    pub fn kill_by(&mut self, attacker: i32, victim: i32, assister: Option<i32>) {
        let (by, dead) = (self.client(attacker).user_id, self.client(victim).user_id);
        let helper = assister.map_or(-1, |assister| self.client(assister).user_id);
        let client = self.client_mut(victim);
        client.is_alive = false;
        client.deaths += 1;
        let values = [
            ("userid", dead.into()),
            ("attacker", by.into()),
            ("assister", helper.into()),
            ("death_flags", 0.into()),
        ];
        self.fire("player_death", &values);
    }

    pub fn heal(&mut self, healer: i32, patient: i32) {
        let (healer, patient) = (self.client(healer).user_id, self.client(patient).user_id);
        self.fire(
            "player_healed",
            &[
                ("patient", patient.into()),
                ("healer", healer.into()),
                ("amount", 20.into()),
            ],
        );
    }

    pub fn capture_point(&mut self, team: Team) {
        self.fire(
            "teamplay_point_captured",
            &[
                ("cp", 0.into()),
                ("team", (team as i32).into()),
                ("cappers", "".into()),
            ],
        );
    }

    /// A player captures the enemy flag.
    pub fn capture_flag(&mut self, index: i32) {
        let team = self.client(index).team.other() as i32;
        let values = [
            ("player", index.into()),
            ("carrier", 0.into()),
            ("eventtype", 2.into()),
            ("team", team.into()),
        ];
        self.fire("teamplay_flag_event", &values);
    }

    /// Waits for players, as at the start of every map except arena maps, and restarts the game.
    pub async fn wait_for_players(&mut self) {
        self.plugin.host.game.waits_for_players = true;
        self.fire("teamplay_round_start", &[("full_reset", true.into())]);
        self.fire("teamplay_waiting_begins", &[]);
        self.pass(20.0).await;
        self.fire("teamplay_waiting_abouttoend", &[]);
        self.pass(10.0).await;
        self.plugin.host.game.waits_for_players = false;
        self.fire("teamplay_waiting_ends", &[]);
        self.pass(1.0).await;
    }

    fn respawn(&mut self) {
        for index in [self.team(Team::Red), self.team(Team::Blue)].concat() {
            if !self.client(index).is_alive {
                self.plugin
                    .spawn(index)
                    .unwrap_or_else(|fault| panic!("{fault}"));
            }
        }
        self.look();
    }

    fn mode(&self) -> Mode {
        self.plugin.host.game.map.mode
    }
}
