//! Values that cannot be wrong: parsed once at the edge, trusted ever after.

mod name;
mod player_entry;
mod player_id;
mod probability;
mod rating;
mod round;
mod timestamp;

pub use name::{MapName, PoolName, RoundId, ServerName};
pub use player_entry::PlayerEntry;
pub use player_id::{InvalidPlayerId, PlayerId};
pub use probability::Probability;
pub use rating::Rating;
pub use round::{FieldProblem, MAX_TEAM, Round, RoundParts, Score, Side, Winner};
pub use timestamp::Timestamp;
