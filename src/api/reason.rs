use serde::{Deserialize, Deserializer, Serialize, de};
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
    #[serde(default)]
    pub reason: Option<ReasonText>,
    /// What the change is named, so that it is made once however often it is sent.
    #[serde(default)]
    pub change_id: Option<ChangeId>,
}

/// `POST /v1/admin/players/{id}/reset`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// Why.
    #[serde(default)]
    pub reason: Option<ReasonText>,
    /// What the change is named, so that it is made once however often it is sent.
    #[serde(default)]
    pub change_id: Option<ChangeId>,
}

/// An admin's words on why: 1 to 500 characters, none of them a control character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ReasonText(String);

impl ReasonText {
    /// The words.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ReasonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if (1..=500).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            Ok(Self(text))
        } else {
            Err(de::Error::custom(
                "must be 1 to 500 characters without control characters, or left out",
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_words() {
        assert!(serde_json::from_str::<ReasonText>("\"a cheater\"").is_ok());
        for text in ["\"\"", "\"a\\u0000b\"", "5"] {
            assert!(serde_json::from_str::<ReasonText>(text).is_err(), "{text}");
        }
    }
}
