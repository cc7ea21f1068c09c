//! The JSON of the contract: requests in, answers out; the same over HTTP and in files.

mod aged_split_table;
mod answers;
mod balance;
mod balance_answers;
mod check_scramble;
mod figure_answers;
mod intervention_answers;
mod json;
mod leaderboard;
mod log_line;
mod match_player;
mod object;
mod path_part;
mod problem_answer;
mod quality_answers;
mod request_log_answers;
mod requests;
mod round_answers;
pub(crate) mod schema;
mod scramble;
mod splits;
mod status_answer;
mod update_request;
mod updates;
mod whole;

pub use aged_split_table::AgedSplitTableAnswer;
pub use answers::{
    AdminPlayerAnswer, CalibrationAnswer, LastRoundAnswer, PairAnswer, PlayerAnswer,
    PlayerCountsAnswer, QualityAnswer, RatedPlayerAnswer, RatingsAnswer, UpdateAnswer,
    WindowAnswer, WindowedAnswer,
};
pub use balance::{BalanceRequest, BotsRequest, MapPlayersRequest, PlaceRequest};
pub use balance_answers::{
    AdvantageAnswer, BalanceAnswer, FillAnswer, IneligibleAnswer, MoveAnswer, OtherPlacementAnswer,
    PlaceAnswer, PlacedAnswer, ReasonAnswer, RunnerUpAnswer, SuppressionAnswer, TeamsAnswer,
};
pub use figure_answers::{
    ActivityAnswer, PlayerHistoryAnswer, PlayerPointAnswer, PoolAnswer, PoolsAnswer,
    QualityHistoryAnswer, QualityPointAnswer, ServerActivityAnswer,
};
pub use intervention_answers::{
    AheadAnswer, InterventionAnswer, InterventionDayAnswer, InterventionMoveAnswer,
    InterventionOddsAnswer, InterventionReasonAnswer, InterventionResult, InterventionRoundAnswer,
    InterventionRoundsAnswer, InterventionSummaryAnswer, InterventionTeamsAnswer,
    InterventionsAnswer, PolicyCountAnswer, RuleCountAnswer,
};
pub use json::{InvalidJson, read};
pub use leaderboard::{LeaderboardAnswer, RankedPlayerAnswer};
pub use log_line::{ChangeLine, ChangeName, LogLine, MarkLine, MarkName};
pub use match_player::{MatchPlayer, Weight};
pub use object::Object;
pub use path_part::{name_of_path_part, path_part, percent_encoded};
pub use problem_answer::ProblemAnswer;
pub use quality_answers::{
    BestConstantAnswer, CoinFlipAnswer, ExperienceAnswer, FavouritesAnswer, FittedThetaAnswer,
    GroupAnswer, HistogramAnswer, SideBiasAnswer, SkillAnswer, WindowedCountAnswer,
};
pub use request_log_answers::{RequestAnswer, RequestsAnswer};
pub use requests::{ReasonText, ResetRequest, SetRequest};
pub use round_answers::{
    AuditAnswer, AuditedAnswer, ListedRoundAnswer, RatingDeltaAnswer, RoundAnswer,
    RoundPlayerAnswer, RoundsAnswer, UnderWayAnswer, VoidAnswer, VoidRequest, WholeRoundAnswer,
};
pub use scramble::{
    AlternativesRequest, Pair, RoleRequest, ScrambleRequest, TeamSize, TeamsRequest, WaitedRounds,
};
pub use splits::{
    ApartAnswer, MethodName, MissingRoleAnswer, PartiesAnswer, RelaxedAnswer, RolesAnswer,
    SplitAnswer, SplitTableAnswer, SpreadAnswer, WaitAnswer,
};
pub use status_answer::StatusAnswer;
pub use update_request::UpdateRequest;
pub use updates::{OneAnswer, OneBody, UpdatesAnswer, UpdatesRequest};
pub use whole::Whole;
