use std::collections::BTreeMap;

use super::differences::Differences;

/// The least differences that splits can have.
#[derive(Debug, Default)]
pub(super) struct Least {
    /// By size, in units, where that is known.
    pub(super) by_size: BTreeMap<usize, i64>,
    /// The tables in which those were looked up that no split at hand proves, if there are any.
    pub(super) tables: Option<Differences>,
}

impl Least {
    /// That of a size, in units, if it is known.
    pub(super) fn of(&self, size: usize) -> Option<i64> {
        self.by_size.get(&size).copied()
    }

    /// Takes over what is known of other sizes, and their tables.
    pub(super) fn extend(&mut self, others: Self) {
        self.by_size.extend(others.by_size);
        self.tables = others.tables.or(self.tables.take());
    }
}
