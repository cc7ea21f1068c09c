use serde::Deserialize;
use utoipa::ToSchema;

use crate::domain::ChangeId;

/// `PUT /v1/admin/players/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRequest {
    /// The rating to give, in points.
    #[schema(minimum = 0, maximum = 10000)]
    pub rating: i64,
    /// Why.
    pub reason: Option<ReasonText>,
    /// What the change is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
}

/// `POST /v1/admin/players/{id}/reset`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// Why.
    pub reason: Option<ReasonText>,
    /// What the change is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
}

/// An admin's words on why: 1 to 500 characters, none of them a control character.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ReasonText(String);

impl ReasonText {
    /// The words.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ReasonText {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if (1..=500).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            Ok(Self(text))
        } else {
            Err("must be 1 to 500 characters without control characters, or left out")
        }
    }
}
