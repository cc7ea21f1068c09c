//! Seasons of a pool: one that starts moves every rating towards the initial one, and keeps who everybody was.

mod calendar;
pub(crate) mod past;
pub(crate) mod placing;
pub(crate) mod standings;
mod start;
pub(crate) mod trial;

use crate::domain::SeasonName;
use crate::store::Change;

/// A season as the log has it.
#[derive(Clone, Debug)]
pub(crate) struct Season {
    /// 0 for what was before the first start, then counted up.
    pub(crate) number: u32,
    /// Its start; `None` before the first.
    pub(crate) start: Option<Change>,
    /// The start of the next; `None` while it goes on.
    pub(crate) end: Option<Change>,
}

impl Season {
    /// What it is called; `None` before the first.
    pub(crate) fn name(&self) -> Option<&SeasonName> {
        let start = self.start.as_ref()?.season()?;
        Some(&start.name)
    }
}

/// All seasons of a pool, the first first, by the starts that are not undone. There is always one that goes on.
pub(crate) fn seasons(starts: &[Change]) -> Vec<Season> {
    let ends = starts.iter().cloned().map(Some).chain([None]);
    let begins = [None].into_iter().chain(starts.iter().cloned().map(Some));
    let seasons = (0..).zip(begins).zip(ends);
    let season = |((number, start), end)| Season { number, start, end };
    seasons.map(season).collect()
}
