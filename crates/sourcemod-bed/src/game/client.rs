//! Clients of the game server.

use std::collections::BTreeMap;

/// SteamID64 of account 0.
const STEAM: u64 = 76_561_197_960_265_728;

/// Team numbers of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Team {
    None = 0,
    Spectator = 1,
    Red = 2,
    Blue = 3,
}

impl Team {
    pub fn of(number: i32) -> Option<Self> {
        [Self::None, Self::Spectator, Self::Red, Self::Blue]
            .into_iter()
            .find(|team| *team as i32 == number)
    }

    pub fn plays(self) -> bool {
        matches!(self, Self::Red | Self::Blue)
    }

    pub fn other(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
            team => team,
        }
    }
}

#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property that SourceMod asks of a client"
)]
pub struct Client {
    pub name: String,
    /// Name in invalid UTF-8, in place of `name`.
    pub broken_name: Option<Vec<u8>>,
    /// Account number of the SteamID; 0 for bots.
    pub account: u32,
    pub user_id: i32,
    pub is_bot: bool,
    /// SourceTV, a bot that only spectates.
    pub is_tv: bool,
    pub in_game: bool,
    /// `true` if Steam has confirmed the account.
    pub is_authorized: bool,
    pub team: Team,
    pub is_alive: bool,
    /// 0 until a class is chosen.
    pub class: i32,
    pub language: String,
    /// Bit set of admin flags, numbered like their letters; 0 for players.
    pub flags: i32,
    pub score: i32,
    /// Score on the scoreboard, which follows `score` at the next think of the player resource.
    pub shown_score: i32,
    /// Game time at which the client connected.
    pub since: f64,
    /// Other entity properties by name.
    pub properties: BTreeMap<&'static str, i32>,
    /// Messages shown to this client in chat, the console and hints.
    pub heard: Vec<String>,
    /// Number of team changes not initiated by the client.
    pub moves: usize,
    pub deaths: usize,
    /// `true` if the game ignores team changes: ghosts, karts and coaches (`CTFPlayer::ChangeTeam`).
    pub ignores_moves: bool,
    /// Slot of the opponent of a duel (tf_duel.cpp).
    pub duel: Option<i32>,
    /// `true` if the player chooses a class as soon as the class menu is shown, else stays at the menu.
    pub picks_class: bool,
    /// Game time at which the arena logic last gave a place (`CTFPlayer::GetTeamJoinTime`).
    pub team_since: f64,
    /// `true` between the end of a round of arena and the choice of the next teams (`CTFPlayer::DidPlayerJustPlay`).
    pub just_played: bool,
    /// Game time from which the game takes a `jointeam` again (`CTFPlayer::GetNextChangeTeamTime`, tf_player.h).
    pub next_team_change: f64,
}

impl Client {
    pub fn new(name: &str, account: u32, user_id: i32, since: f64) -> Self {
        Self {
            name: name.to_owned(),
            broken_name: None,
            account,
            user_id,
            is_bot: account == 0,
            is_tv: false,
            in_game: false,
            is_authorized: false,
            team: Team::None,
            is_alive: false,
            class: 0,
            language: "en".to_owned(),
            flags: 0,
            score: 0,
            shown_score: 0,
            since,
            properties: BTreeMap::new(),
            heard: Vec::new(),
            moves: 0,
            deaths: 0,
            ignores_moves: false,
            duel: None,
            picks_class: true,
            team_since: 0.0,
            just_played: false,
            next_team_change: 0.0,
        }
    }

    /// Class of the next spawn, 0 until one is chosen (`m_iDesiredPlayerClass`).
    pub fn desired_class(&self) -> i32 {
        self.property("m_iDesiredPlayerClass")
    }

    /// `true` after `jointeam spectatearena` (`m_bArenaSpectator`).
    pub fn is_arena_spectator(&self) -> bool {
        self.property("m_bArenaSpectator") != 0
    }

    fn property(&self, name: &str) -> i32 {
        self.properties.get(name).copied().unwrap_or(0)
    }

    /// Returns `true` if the client has a team and a class, as `CTFPlayer::IsReadyToPlay` (tf_player.cpp) does.
    pub fn is_ready_to_play(&self) -> bool {
        self.in_game && self.team.plays() && self.desired_class() > 0
    }

    /// SteamID64 in decimal, as in requests to the service.
    pub fn steam64(&self) -> String {
        (STEAM + u64::from(self.account)).to_string()
    }

    pub fn steam3(&self) -> String {
        if self.is_bot {
            return "BOT".to_owned();
        }
        format!("[U:1:{}]", self.account)
    }

    pub fn steam2(&self) -> String {
        if self.is_bot {
            return "BOT".to_owned();
        }
        format!("STEAM_0:{}:{}", self.account % 2, self.account / 2)
    }
}
