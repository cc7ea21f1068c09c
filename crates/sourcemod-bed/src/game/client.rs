//! Somebody on the server.

use std::collections::BTreeMap;

/// SteamIDs of players begin here.
const STEAM: u64 = 76_561_197_960_265_728;

/// The game's numbers of teams.
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
    reason = "each is a question that SourceMod is asked of a client"
)]
pub struct Client {
    pub name: String,
    /// A name that is no UTF-8, in place of the other.
    pub broken_name: Option<Vec<u8>>,
    /// The number of the SteamID; 0 for bots.
    pub account: u32,
    pub user_id: i32,
    pub is_bot: bool,
    /// SourceTV, a bot that only looks on.
    pub is_tv: bool,
    pub in_game: bool,
    /// Whether Steam has confirmed who it is.
    pub is_authorized: bool,
    pub team: Team,
    pub is_alive: bool,
    /// 0 while none was chosen.
    pub class: i32,
    pub language: String,
    /// Bits of the admin's flags, as letters are numbered; 0 for players.
    pub flags: i32,
    pub score: i32,
    /// Game time of connecting.
    pub since: f64,
    /// Other properties by name, for those who look at them.
    pub properties: BTreeMap<&'static str, i32>,
    /// What this client has read in chat, the console and hints.
    pub heard: Vec<String>,
    /// How often somebody or something else than the client itself has changed its team.
    pub moves: usize,
    /// How often this client has died.
    pub deaths: usize,
    /// Changes of team that the game ignores: ghosts, duels and the like.
    pub ignores_moves: bool,
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
            since,
            properties: BTreeMap::new(),
            heard: Vec::new(),
            moves: 0,
            deaths: 0,
            ignores_moves: false,
        }
    }

    /// As the service names players.
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
