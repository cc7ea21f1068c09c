//! Maps, with their entities and their round rules.

use super::Entity;

/// Time on the timer of a round after the setup, in seconds. Assumption: that of most maps.
pub(super) const ROUND_SECONDS: f32 = 600.0;

/// Length of a setup, in seconds. Assumption: that of most maps.
const SETUP_SECONDS: i32 = 60;

/// Game mode of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Arena,
    Koth,
    FivePoints,
    Ctf,
    AttackDefend,
    Payload,
    PayloadRace,
    Mvm,
}

#[derive(Clone, Debug)]
pub struct Map {
    pub name: String,
    pub mode: Mode,
}

impl Map {
    pub fn new(mode: Mode) -> Self {
        let name = match mode {
            Mode::Arena => "arena_well",
            Mode::Koth => "koth_viaduct",
            Mode::FivePoints => "cp_process_final",
            Mode::Ctf => "ctf_2fort",
            Mode::AttackDefend => "cp_dustbowl",
            Mode::Payload => "pl_badwater",
            Mode::PayloadRace => "plr_hightower",
            Mode::Mvm => "mvm_mannworks",
        };
        Self {
            name: name.to_owned(),
            mode,
        }
    }

    /// `true` if the doors stay shut for some time after the start of a round, so if the map's timer has a setup
    /// (`CTeamRoundTimer::InputRoundSpawn`). Assumption: such maps are those with attackers.
    pub fn has_setup(&self) -> bool {
        matches!(self.mode, Mode::AttackDefend | Mode::Payload)
    }

    /// Entities by which a plugin can recognize the mode, with the team that first owns them (0 for none, 2 for
    /// RED).
    ///
    /// The names of the logic entities follow `CTFGameRules::Activate` (tf_gamerules.cpp), and the properties
    /// `CTeamControlPoint`, `CTeamTrainWatcher`, `CCaptureFlag` and `CTeamRoundTimer`. Assumption: each mode's maps
    /// have these entities, which the source cannot tell.
    pub fn entities(&self) -> Vec<Entity> {
        let point = |owner: i32, place: i32| {
            Entity::new(
                "team_control_point",
                &[
                    ("m_iDefaultOwner", owner),
                    ("m_iTeamNum", owner),
                    ("m_iPointIndex", place),
                    ("m_bLocked", 0),
                ],
                &[],
            )
        };
        let cart = |team: i32| {
            Entity::new(
                "team_train_watcher",
                &[("m_iTeamNum", team), ("m_bDisabled", 0)],
                &[],
            )
        };
        let flag = |team: i32| {
            Entity::new(
                "item_teamflag",
                &[("m_iTeamNum", team), ("m_nType", 0), ("m_bDisabled", 0)],
                &[],
            )
        };
        // Assumption: five points. No test depends on it.
        let objective = Entity::new("tf_objective_resource", &[("m_iNumControlPoints", 5)], &[]);
        let timer = |is_paused: bool| {
            Entity::new(
                "team_round_timer",
                &[
                    ("m_bIsDisabled", 0),
                    ("m_bTimerPaused", i32::from(is_paused)),
                    ("m_bShowInHUD", 1),
                    // RT_STATE_NORMAL; 0 is RT_STATE_SETUP (shareddefs.h).
                    ("m_nState", 1),
                    (
                        "m_nSetupTimeLength",
                        i32::from(self.has_setup()) * SETUP_SECONDS,
                    ),
                ],
                &[("m_flTimerEndTime", ROUND_SECONDS)],
            )
        };
        let mut all = match self.mode {
            Mode::Arena => vec![Entity::new("tf_logic_arena", &[], &[]), point(0, 0)],
            // One timer for each team, paused until a team has the point (`CKothLogic::InputRoundSpawn`).
            Mode::Koth => vec![
                Entity::new("tf_logic_koth", &[], &[]),
                point(0, 0),
                timer(true),
                timer(true),
            ],
            Mode::FivePoints => vec![
                point(2, 0),
                point(2, 1),
                point(0, 2),
                point(3, 3),
                point(3, 4),
                timer(false),
            ],
            Mode::Ctf => vec![flag(2), flag(3)],
            Mode::AttackDefend => vec![point(2, 0), point(2, 1), timer(false)],
            Mode::Payload => vec![cart(3), point(2, 0), point(2, 1), timer(false)],
            Mode::PayloadRace => vec![
                cart(2),
                cart(3),
                Entity::new("tf_logic_multiple_escort", &[], &[]),
            ],
            Mode::Mvm => vec![Entity::new("tf_logic_mann_vs_machine", &[], &[])],
        };
        all.push(objective);
        all
    }
}
