//! JSON types of the API: requests and answers, over HTTP and in files.

mod balance;
mod check;
mod hello;
mod interventions;
mod json;
mod lobby;
mod log_line;
mod matches;
mod models;
pub mod pagination;
mod player_list;
mod players;
mod powers;
mod profile;
mod quality;
mod rebuild;
mod refusals;
mod rounds;
pub(crate) mod schema;
mod seasons;
mod servers;
mod settings;
mod splits;
mod update;

pub use crate::rating::{Figure, Windowed};
pub use balance::answer::*;
pub use balance::teams::*;
pub use balance::ticket::BalanceTicket;
pub use balance::{
    BalanceRequest, BotsRequest, MapPlayersRequest, PickRequest, PlaceRequest, TeamLists,
};
pub use check::*;
pub use hello::*;
pub use interventions::*;
pub use json::bounded::Whole;
pub(crate) use json::listed;
pub use json::object::Object;
pub(crate) use json::path_segment::{name_of_path_part, path_part, percent_encoded};
pub use json::{InvalidJson, read};
pub use lobby::{LobbyPlayer, Weight};
pub use log_line::*;
pub use matches::answer::*;
pub use matches::{
    FreeServerRequest, MatchRequest, MatchRoleRequest, MatchSize, Ping, TicketRequest,
};
pub use models::*;
pub use player_list::*;
pub use players::*;
pub use powers::*;
pub use profile::*;
pub use quality::*;
pub use rebuild::*;
pub use refusals::*;
pub use rounds::*;
pub use seasons::*;
pub use servers::*;
pub use settings::*;
pub use splits::answer::*;
pub use splits::check::{MAX_PLAYERS, MAX_ROLES};
pub use splits::{
    AlternativesRequest, KnownSplitsAnswer, LetteredSplitAnswer, LetteredTableAnswer,
    LettersAndNoticesAnswer, ListsAndNoticesAnswer, Pair, RoleRequest, ScrambleAnswer,
    ScrambleRequest, Seats, ServerScramble, SplitsAnswer, TeamSize, TeamsRequest, WaitedRounds,
};
pub use update::*;
