//! Invariants checked after every step.

use std::collections::HashSet;

use super::{Bed, MAX_INSTRUCTIONS};

impl Bed {
    pub fn look(&mut self) {
        if let Some(fault) = self.plugin.host.faults.first() {
            panic!("a callback was stopped: {fault}");
        }
        let (instructions, name) = &self.plugin.host.longest_callback;
        assert!(
            *instructions <= MAX_INSTRUCTIONS,
            "{name} takes {instructions} instructions"
        );
        let handles = self.plugin.host.handles.len();
        if handles > self.handles {
            self.look_for_leaks();
        }
        self.handles = handles;
    }

    fn look_for_leaks(&self) {
        let host = &self.plugin.host;
        let mut held: HashSet<i32> = self.plugin.memory.variables().collect();
        held.extend(host.timers.held());
        held.extend(host.requests.held());
        held.extend(host.votes.held());
        held.extend(self.wire.held());
        let leaked = host.handles.leaked(&held);
        let described: Vec<&str> = leaked
            .iter()
            .map(|handle| host.handles.describe(*handle))
            .collect();
        assert!(leaked.is_empty(), "nobody will ever close {described:?}");
    }
}
