//! Plan of the matches made so far, with the tickets and servers in use.

use super::judge::{Judge, PlannedMatch};

/// Plan of matches that can be played at the same time.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) made: Vec<PlannedMatch>,
    /// Index of the match of each ticket, or `None` if the ticket is free.
    pub(super) matched: Vec<Option<usize>>,
    /// Flag of each server, in the queue's order: `true` if a match uses the server.
    pub(super) busy: Vec<bool>,
}

impl Plan {
    /// Creates a plan that has at most the match of `head`, an overdue ticket.
    pub(super) fn new(judge: &Judge<'_>, head: Option<&(usize, PlannedMatch)>) -> Self {
        let mut plan = Self {
            made: Vec::new(),
            matched: vec![None; judge.compiled.units.len()],
            busy: vec![false; judge.compiled.servers],
        };
        if let Some((_, made)) = head {
            plan.add(judge, made.clone());
        }
        plan
    }

    pub(super) fn value(&self) -> i64 {
        self.made.iter().map(|made| made.worth.value).sum()
    }

    pub(super) fn is_free(&self, unit: usize) -> bool {
        self.matched[unit].is_none()
    }

    pub(super) fn add(&mut self, judge: &Judge<'_>, made: PlannedMatch) {
        self.occupy(judge, self.made.len(), &made);
        self.made.push(made);
    }

    /// Replaces planned matches by others, which may use the tickets and servers of the replaced ones.
    pub(super) fn replace(&mut self, judge: &Judge<'_>, changes: Vec<(usize, PlannedMatch)>) {
        for (index, _) in &changes {
            self.clear(judge, *index);
        }
        for (index, made) in changes {
            self.occupy(judge, index, &made);
            self.made[index] = made;
        }
    }

    pub(super) fn remove(&mut self, judge: &Judge<'_>, mut indices: Vec<usize>) {
        indices.sort_unstable();
        indices.dedup();
        for index in indices.into_iter().rev() {
            self.clear(judge, index);
            self.made.swap_remove(index);
            if let Some(moved) = self.made.get(index) {
                for unit in &moved.group {
                    self.matched[*unit] = Some(index);
                }
            }
        }
    }

    fn occupy(&mut self, judge: &Judge<'_>, index: usize, made: &PlannedMatch) {
        for unit in &made.group {
            self.matched[*unit] = Some(index);
        }
        self.busy[judge.venue(made.venue).server] = true;
    }

    fn clear(&mut self, judge: &Judge<'_>, index: usize) {
        let made = &self.made[index];
        for unit in &made.group {
            self.matched[*unit] = None;
        }
        self.busy[judge.venue(made.venue).server] = false;
    }
}
