use super::layout::{COSTS_OF_SPAN, Layout};

/// The work that may still be done, in bytes of tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: u64,
    /// Whether more was asked for since that was last told.
    was_refused: bool,
}

impl Work {
    /// So many bytes of tables.
    pub(super) fn new(bytes: u64) -> Self {
        Self {
            left: bytes,
            was_refused: false,
        }
    }

    /// Whether more was asked for than was left, since this was last told.
    pub(super) fn tell_refused(&mut self) -> bool {
        std::mem::take(&mut self.was_refused)
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes so many bytes, if they are left.
    pub(super) fn spend(&mut self, bytes: u64) -> Option<()> {
        let left = self.left.checked_sub(bytes);
        self.was_refused |= left.is_none();
        self.left = left?;
        Some(())
    }
}

/// How many costs a run over these sizes computes or compares, or does as much work as that.
pub(super) fn costs(layouts: &[Layout; 2], sizes: &[usize]) -> u64 {
    let [left, right] = layouts;
    let mut costs = left.costs.saturating_add(right.costs);
    if let (Some(left), Some(right)) = (left.last(), right.last()) {
        for &size in sizes {
            for (_, left, right) in left.joined(right, size) {
                let spans = left.spans.len().min(right.spans.len());
                let places = left.len().min(right.len()) + COSTS_OF_SPAN * spans;
                costs = costs.saturating_add(places as u64);
            }
        }
    }
    costs
}
