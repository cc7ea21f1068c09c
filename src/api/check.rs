use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;

use crate::domain::FieldProblem;

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
