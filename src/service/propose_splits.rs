#[derive(Clone, Debug)]
pub(super) struct Solver;
impl Solver {
    pub(super) fn new() -> Self {
        Self
    }
}
#[derive(Clone, Debug)]
pub struct SplitTable;
