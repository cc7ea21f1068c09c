//! The JSON of the contract: requests in, answers out; the same over HTTP and in files.

mod audit;
mod balance;
mod check;
mod interventions;
mod json;
mod leaderboard;
mod log_line;
pub mod pagination;
mod players;
mod pools;
mod problem;
mod quality;
mod reason;
mod requests;
mod rounds;
pub(crate) mod schema;
mod splits;
mod update;

pub use crate::rating::{Figure, Windowed};
pub use audit::{AuditAnswer, AuditQuery, AuditedAnswer};
pub use balance::answer::{
    AdvantageAnswer, BalanceAnswer, FillAnswer, IneligibleAnswer, MoveAnswer, OtherPlacementAnswer,
    PlaceAnswer, PlacedAnswer, PlayerMoveAnswer, ReasonAnswer, RunnerUpAnswer, SuppressionAnswer,
    TeamSumsAnswer, TeamsAnswer,
};
pub use balance::player::{MatchPlayer, Weight};
pub use balance::{BalanceRequest, BotsRequest, MapPlayersRequest, PlaceRequest};
pub use interventions::{
    AheadAnswer, InterventionAnswer, InterventionCountsAnswer, InterventionDayAnswer,
    InterventionOddsAnswer, InterventionRoundAnswer, InterventionRoundsAnswer,
    InterventionSummaryAnswer, InterventionsAnswer, PolicyCountAnswer, RuleCountAnswer,
};
pub use json::bounded::Whole;
pub use json::object::Object;
pub use json::path_segment::{name_of_path_part, path_part, percent_encoded};
pub use json::{InvalidJson, read};
pub use leaderboard::{LeaderboardAnswer, RankedPlayerAnswer};
pub use log_line::{ChangeLine, ChangeName, LogLine, VoidLine};
pub use players::{
    AdminPlayerAnswer, LastRoundAnswer, PlayerAnswer, PlayerHistoryAnswer, PlayerHistoryQuery,
    PlayerPointAnswer, PlayerQuery, WindowAnswer,
};
pub use pools::{ActivityAnswer, PoolAnswer, PoolQuery, PoolsAnswer, ServerActivityAnswer};
pub use problem::{ProblemAnswer, StatusAnswer};
pub use quality::{
    BestConstantAnswer, CalibrationAnswer, CoinFlipAnswer, FavouritesAnswer, GroupAnswer,
    PlayerCountsAnswer, QualityAnswer, QualityHistoryAnswer, QualityPointAnswer, SkillAnswer,
};
pub use reason::{ReasonText, ResetRequest, SetRequest};
pub use requests::{RequestAnswer, RequestsAnswer};
pub use rounds::{
    ListedRoundAnswer, RatingDeltaAnswer, RoundAnswer, RoundPlayerAnswer, RoundsAnswer,
    RoundsQuery, UnderWayAnswer, VoidAnswer, VoidRequest, WholeRoundAnswer,
};
pub use splits::answer::{
    AgedSplitTableAnswer, ApartAnswer, MissingRoleAnswer, PartiesAnswer, RelaxedAnswer,
    RolesAnswer, SplitAnswer, SplitTableAnswer, SpreadAnswer, WaitAnswer,
};
pub use splits::check::{MAX_PLAYERS, MAX_ROLES};
pub use splits::{
    AlternativesRequest, Pair, RoleRequest, ScrambleRequest, TeamSize, TeamsRequest, WaitedRounds,
};
pub use update::{
    OneAnswer, OneBody, PairAnswer, RatedPlayerAnswer, UpdateAnswer, UpdateRequest, UpdatesAnswer,
    UpdatesRequest,
};
