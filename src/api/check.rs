use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;

use serde::Deserialize;
use utoipa::ToSchema;

use crate::domain::{ChangeId, FieldProblem, PlayerDisplayName};

/// Problems found so far in a request.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<FieldProblem>,
    /// `true` if a list in the request is so long that comparing its items could be slow.
    pub(crate) has_long_list: bool,
}

impl Problems {
    /// Adds a problem at the JSON pointer `field`.
    pub(crate) fn add(&mut self, field: impl Into<String>, detail: impl Into<String>) {
        self.found.push(FieldProblem::new(field, detail));
    }

    /// Returns `request` if no problems were found; otherwise returns the problems.
    pub(crate) fn none_or<T>(self, request: T) -> Result<T, Vec<FieldProblem>> {
        if self.found.is_empty() {
            Ok(request)
        } else {
            Err(self.found)
        }
    }

    /// Adds a problem with a list in the request that has too many items.
    pub(crate) fn add_long(&mut self, field: impl Into<String>, detail: impl Into<String>) {
        self.has_long_list = true;
        self.add(field, detail);
    }

    /// Adds a problem if `count`, the number of items in a list of the request, exceeds `most`.
    pub(crate) fn check_count(&mut self, field: &str, count: usize, most: usize, what: &str) {
        if count > most {
            self.add_long(field, format!("has {count} {what}; send at most {most}"));
        }
    }

    /// Adds a problem for every item that repeats an earlier item of `list` or is in `seen`.
    pub(crate) fn check_distinct<T: Copy + Eq + Hash + Display>(
        &mut self,
        field: &str,
        list: impl IntoIterator<Item = T>,
        what: &str,
        seen: &mut HashSet<T>,
    ) {
        for (index, item) in list.into_iter().enumerate() {
            if !seen.insert(item) {
                let detail = format!("{item} is listed twice; name each {what} once");
                self.add(format!("{field}/{index}"), detail);
            }
        }
    }
}

/// Request of `PUT /v1/admin/players/{id}`: a new rating for a player.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRequest {
    /// New rating of the player, in points.
    #[schema(minimum = 0, maximum = 10000)]
    pub rating: i64,
    /// The admin's reason for the change.
    pub reason: Option<ReasonText>,
    /// Id that the client chooses for the change. Repeated requests with the same id make the change once.
    pub change_id: Option<ChangeId>,
}

/// Request of `POST /v1/admin/players/{id}/reset`, which makes the player a new player again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// The admin's reason for resetting the player's rating.
    pub reason: Option<ReasonText>,
    /// Id that the client chooses for the change. Repeated requests with the same id make the change once.
    pub change_id: Option<ChangeId>,
}

/// Request of `POST /v1/admin/players/{id}/alias`, which replaces the displayed name of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AliasRequest {
    /// Name to show for the player in place of the name sent by game servers. `null` or no value restores the name sent
    /// by game servers. Invisible characters are removed, and the name is cut after 64 characters.
    pub alias: Option<PlayerDisplayName>,
    /// The admin's reason for the change of name, for the audit log.
    pub reason: Option<ReasonText>,
}

/// Request of `POST /v1/admin/players/{id}/forget`, which deletes the stored names of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetRequest {
    /// `true` (the default) deletes the names of the player and stores no new ones.
    /// `false` lets new names be stored again.
    pub forgotten: Option<bool>,
    /// `true` also replaces the player's id by a number wherever people see the player, such as `forgotten player 7`.
    pub hide_id: Option<bool>,
    /// The admin's reason for deleting the player's names or storing them again, for the audit log.
    pub reason: Option<ReasonText>,
}

/// An admin's reason for a change: 1 to 500 characters without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ReasonText(String);

impl From<ReasonText> for String {
    fn from(reason: ReasonText) -> Self {
        reason.0
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
