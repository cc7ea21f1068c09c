//! Rounds, with the game's events in their order.

use super::{Bed, done};
use sourcemod_bed::game::{Mode, RoundState, Team};
use sourcemod_bed::sourcemod::events::Value;

/// Seconds from the start of a round until it is active, outside arena (`State_Enter_PREROUND`).
const PREROUND_SECONDS: f64 = 5.0;
/// Seconds for which the game waits for players by default (`mp_waitingforplayers_time`, tf_gamerules.cpp).
const WAITING_SECONDS: f64 = 30.0;

/// Result of a round.
#[derive(Clone, Copy, Debug)]
pub struct Win {
    /// No team for a draw.
    pub team: Team,
    /// Reason code of the game (`WINREASON_` in teamplayroundbased_gamerules.h): 1 all points, 2 all dead, 3 flags, 4
    /// defended until the end of the time, 5 stalemate.
    pub reason: i32,
    /// `false` if another stage follows.
    pub full: bool,
    /// `true` if the next round begins with switched sides.
    pub switches_sides: bool,
}

impl Win {
    pub fn of(team: Team) -> Self {
        Self {
            team,
            reason: if team.plays() { 1 } else { 5 },
            full: true,
            switches_sides: false,
        }
    }

    pub fn because(self, reason: i32) -> Self {
        Self { reason, ..self }
    }

    pub fn and_switch_sides(self) -> Self {
        Self {
            switches_sides: true,
            ..self
        }
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
        done(self.plugin.fire(name, values));
        self.look();
    }

    /// Starts a round: the game chooses the players of arena, all players spawn, and only then the event is fired. The
    /// doors are shut. Follows `CTeamplayRoundBasedRules::State_Enter_PREROUND` and `RoundRespawn`. The setup begins in
    /// `CTFGameRules::SetupOnRoundStart`, and on the timer in `CTeamRoundTimer::InputRoundSpawn`, so before the event.
    pub fn begin_round(&mut self) {
        let waits = self.plugin.host.game.waits_for_players;
        if !self.begin_round_once() && self.plugin.have_players() {
            // The game goes back to its first state and finds enough players in the queue.
            self.begin_round_once();
        }
        // Without a setup the doors open when the round becomes active, which the test decides.
        let game = &mut self.plugin.host.game;
        let is_timed = game.map.has_setup() || waits && game.map.mode != Mode::Arena;
        game.active_at = is_timed.then(|| game.now() + PREROUND_SECONDS);
    }

    fn begin_round_once(&mut self) -> bool {
        let game = &mut self.plugin.host.game;
        game.state = RoundState::Preround;
        let has_players = done(self.plugin.run_arena_team_logic());
        self.fire("scorestats_accumulated_update", &[]);
        let game = &mut self.plugin.host.game;
        game.set_setup(game.map.has_setup());
        if std::mem::take(&mut game.switches_sides) {
            done(self.plugin.switch_sides());
        }
        self.respawn();
        self.fire("teamplay_round_start", &[("full_reset", true.into())]);
        has_players
    }

    /// The round becomes active at the time that `begin_round` has set. Follows
    /// `CTeamplayRoundBasedRules::State_Think_PREROUND`.
    pub(super) fn think_preround(&mut self) {
        let game = &mut self.plugin.host.game;
        if game.active_at.is_some_and(|at| at <= game.now()) {
            game.active_at = None;
            game.state = RoundState::Running;
            self.fire("teamplay_round_active", &[]);
        }
    }

    /// Opens the doors. In the game this takes 5 seconds (`State_Enter_PREROUND`), in arena `tf_arena_preround_time`,
    /// and with a setup as long as the map's timer says (`CTeamRoundTimer::RoundTimerSetupThink`); here the test says
    /// when.
    pub fn open_doors(&mut self) {
        let game = &mut self.plugin.host.game;
        game.active_at = None;
        let was_active = game.state == RoundState::Running;
        game.state = RoundState::Running;
        if self.mode() == Mode::Arena {
            self.fire("arena_round_start", &[]);
            return;
        }
        if !was_active {
            self.fire("teamplay_round_active", &[]);
        }
        if self.plugin.host.game.map.has_setup() {
            self.fire("teamplay_setup_finished", &[]);
            self.plugin.host.game.set_setup(false);
        }
    }

    /// Ends the round, unless it has ended; the humiliation of the losers lasts `mp_bonusroundtime` seconds. Follows
    /// `CTeamplayRoundBasedRules::SetWinningTeam` and `CTFGameRules::FillOutTeamplayRoundWinEvent`.
    pub fn end_round(&mut self, win: Win) {
        if self.plugin.host.game.state == RoundState::TeamWin {
            return;
        }
        self.plugin.host.game.state = RoundState::TeamWin;
        self.plugin.host.game.winning_team = win.team;
        self.plugin.host.game.switches_sides = win.switches_sides;
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
        self.begin_live_round().await;
        self.pass(seconds).await;
        self.end_round(win);
        self.pass(15.0).await;
    }

    /// Begins a round, opens the doors, and lets all players fight.
    pub async fn begin_live_round(&mut self) {
        self.begin_round();
        self.pass(5.0).await;
        self.open_doors();
        self.fight();
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

    /// Fires the event of damage to a player, as `CTFPlayer::OnTakeDamage_Alive` does.
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

    /// A player kills an opponent, who has spawned again if dead. Follows CTFGameRules::DeathNotice (tf_gamerules.cpp).
    pub fn kill_by(&mut self, attacker: i32, victim: i32, assister: Option<i32>) {
        if !self.client(victim).is_alive {
            done(self.plugin.spawn(victim));
        }
        let by = self.client(attacker).user_id;
        let helper = assister.map_or(-1, |assister| self.client(assister).user_id);
        done(self.plugin.die(victim, by, helper));
        self.look();
    }

    /// Follows `CTFPlayerShared::ConditionGameRulesThink`. Healed buildings fire another event.
    pub fn heal(&mut self, healer: i32, patient: i32) {
        let (healer, patient) = (self.client(healer).user_id, self.client(patient).user_id);
        let values = [
            ("patient", patient.into()),
            ("healer", healer.into()),
            ("amount", 20.into()),
        ];
        self.fire("player_healed", &values);
    }

    /// Fires the event of a captured point, as `CTeamControlPoint::SendCapString` does.
    pub fn capture_point(&mut self, team: Team) {
        let values = [
            ("cp", 0.into()),
            ("team", (team as i32).into()),
            ("cappers", "".into()),
        ];
        self.fire("teamplay_point_captured", &values);
    }

    /// A player captures the enemy flag. Follows `CCaptureFlag::Capture`; the type of the event is
    /// `TF_FLAGEVENT_CAPTURE` (tf_shareddefs.h).
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

    /// Waits for players, as at the start of every map, and begins the first round in the same tick. No event tells of
    /// the wait: SourceMod calls two forwards. Follows `CTeamplayRoundBasedRules::State_Think_STARTGAME`,
    /// `CheckWaitingForPlayers` and `State_Enter_RESTART`; arena goes on without a restart.
    pub async fn wait_for_players(&mut self) {
        self.set_waiting(true);
        self.begin_round();
        self.pass(WAITING_SECONDS).await;
        if self.mode() == Mode::Arena {
            self.set_waiting(false);
            self.begin_round();
        } else {
            self.restart_game();
        }
    }

    /// Restarts the game, as after waiting for players or with `mp_restartgame`. Follows
    /// `CTeamplayRoundBasedRules::State_Enter_RESTART`.
    pub fn restart_game(&mut self) {
        self.fire("teamplay_restart_round", &[]);
        self.set_waiting(false);
        self.begin_round();
    }

    /// Follows `CTeamplayRoundBasedRules::SetInWaitingForPlayers`. SourceMod calls the forward after each call of that
    /// function, also if nothing has changed (`extensions/tf2/gameplayrules.cpp`).
    fn set_waiting(&mut self, waits: bool) {
        self.plugin.host.game.waits_for_players = waits;
        let forward = if waits {
            "TF2_OnWaitingForPlayersStart"
        } else {
            "TF2_OnWaitingForPlayersEnd"
        };
        self.public(forward, &[]);
        self.look();
    }

    /// Spawns everybody who is ready to play, the living too. Follows `CTeamplayRoundBasedRules::RespawnPlayers`.
    fn respawn(&mut self) {
        for index in self.players() {
            done(self.plugin.spawn(index));
        }
        self.look();
    }

    fn mode(&self) -> Mode {
        self.plugin.host.game.map.mode
    }
}
