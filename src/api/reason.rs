use serde::Deserialize;
use utoipa::ToSchema;

use super::json::object::default_where_null;
use crate::domain::{ChangeId, PlayerDisplayName};

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

/// `POST /v1/admin/players/{id}/alias`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AliasRequest {
    /// What the player is to be called, above the name that game servers send; `null`, or left out, by that name again.
    /// What cannot be seen of it is left out, and what is longer than 64 characters is cut.
    pub alias: Option<PlayerDisplayName>,
    /// Why. It stays in the audit.
    pub reason: Option<ReasonText>,
}

/// `POST /v1/admin/players/{id}/forget`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetRequest {
    /// Whether the player is to be forgotten, as where it is left out; `false` takes it back: names that come from then
    /// on are kept again.
    pub forgotten: Option<bool>,
    /// Whether people are to be shown a number in place of the id too, such as `forgotten player 7`.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<bool>)]
    pub hide_id: bool,
    /// Why. It stays in the audit.
    pub reason: Option<ReasonText>,
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
