/// The work that may still be done, in bytes of tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: u64,
    /// The most for the tables of one run, which are there at once: that bounds their memory.
    at_once: u64,
    /// Whether more was asked for since that was last told.
    was_refused: bool,
}

impl Work {
    /// So many bytes of tables, and no more than so many of them `at_once`.
    pub(super) fn new(bytes: u64, at_once: u64) -> Self {
        Self {
            left: bytes,
            at_once,
            was_refused: false,
        }
    }

    /// Whether more was asked for than was left, since this was last told.
    pub(super) fn tell_refused(&mut self) -> bool {
        std::mem::take(&mut self.was_refused)
    }

    /// How many bytes are left for the next tables.
    pub(super) fn left(&self) -> u64 {
        self.left.min(self.at_once)
    }

    /// Takes so many bytes, if they are left for tables that are there at once.
    pub(super) fn spend(&mut self, bytes: u64) -> Option<()> {
        let may = bytes <= self.at_once;
        let left = self.left.checked_sub(bytes).filter(|_| may);
        self.was_refused |= left.is_none();
        self.left = left?;
        Some(())
    }
}
