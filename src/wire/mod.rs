//! The JSON of the contract: requests in, answers out; the same over HTTP and in files.

mod aged_split_table;
mod answers;
mod json;
mod log_line;
mod problem_answer;
mod requests;
mod update_request;

pub use aged_split_table::AgedSplitTableAnswer;
pub use answers::{
    AdminPlayerAnswer, CalibrationAnswer, LastRoundAnswer, MethodName, PairAnswer, PlayerAnswer,
    PlayerCountsAnswer, QualityAnswer, RatedPlayerAnswer, RatingsAnswer, SplitAnswer,
    SplitTableAnswer, UpdateAnswer, WindowAnswer, WindowedAnswer,
};
pub use json::{InvalidJson, read};
pub use log_line::{ChangeLine, ChangeName, LogLine};
pub use problem_answer::ProblemAnswer;
pub use requests::{CurrentTeams, ReasonText, ResetRequest, ScrambleRequest, SetRequest};
pub use update_request::UpdateRequest;
