use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ProgressAnswer;

/// `GET /v1/admin/imports`: what `rbs import` is reading into the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportsAnswer {
    /// The imports under way, the first that began first.
    pub imports: Vec<ImportAnswer>,
}

/// An import under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportAnswer {
    /// What it reads: its first file, and how many more.
    pub source: String,
    /// How many bytes of its files it has read; `null` where it reads from a pipe, and at first.
    pub progress: Option<ProgressAnswer>,
}
