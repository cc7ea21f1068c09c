use std::collections::HashSet;
use std::fmt::Display;
use std::hash::Hash;

use crate::domain::FieldProblem;

/// What is wrong with a request, as found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<FieldProblem>);

impl Problems {
    /// Adds what is wrong at the JSON pointer `field`.
    pub(crate) fn add(&mut self, field: impl Into<String>, detail: impl Into<String>) {
        self.0.push(FieldProblem::new(field, detail));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `request`, where nothing is wrong.
    pub(crate) fn none_or<T>(self, request: T) -> Result<T, Vec<FieldProblem>> {
        if self.is_empty() {
            Ok(request)
        } else {
            Err(self.0)
        }
    }

    /// Checks that a list has at most so many items.
    pub(crate) fn check_count(&mut self, field: &str, count: usize, most: usize, what: &str) {
        if count > most {
            self.add(field, format!("has {count} {what}; send at most {most}"));
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
