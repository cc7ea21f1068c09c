use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;

use serde::Deserialize;
use utoipa::ToSchema;

use super::json::object::default_where_null;
use crate::domain::{ChangeId, FieldProblem, PlayerDisplayName};

/// What is wrong with a request, as found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<FieldProblem>,
    has_long_list: bool,
}

impl Problems {
    /// Adds what is wrong at the JSON pointer `field`.
    pub(crate) fn add(&mut self, field: impl Into<String>, detail: impl Into<String>) {
        self.found.push(FieldProblem::new(field, detail));
    }

    /// Whether a list has so many items that comparing them could take long.
    pub(crate) fn has_long_list(&self) -> bool {
        self.has_long_list
    }

    /// `request`, where nothing is wrong.
    pub(crate) fn none_or<T>(self, request: T) -> Result<T, Vec<FieldProblem>> {
        if self.found.is_empty() {
            Ok(request)
        } else {
            Err(self.found)
        }
    }

    /// Adds what is wrong with something that is as long as a list with too many items.
    pub(crate) fn add_long(&mut self, field: impl Into<String>, detail: impl Into<String>) {
        self.has_long_list = true;
        self.add(field, detail);
    }

    /// Checks that a list has at most so many items.
    pub(crate) fn check_count(&mut self, field: &str, count: usize, most: usize, what: &str) {
        if count > most {
            self.add_long(field, format!("has {count} {what}; send at most {most}"));
        }
    }

    /// Names everything in `list` that is in it a second time, or was `seen` before.
    pub(crate) fn check_distinct<T: Copy + Eq + Hash + Display>(
        &mut self,
        field: &str,
        list: impl IntoIterator<Item = T>,
        what: &str,
        seen: &mut HashSet<T>,
    ) {
        for (index, item) in list.into_iter().enumerate() {
            if !seen.insert(item) {
                let detail = format!("{item} stands twice; name each {what} once");
                self.add(format!("{field}/{index}"), detail);
            }
        }
    }
}

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
