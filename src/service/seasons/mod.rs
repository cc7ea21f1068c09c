//! Seasons of a pool. A season start moves every rating towards the initial one and keeps the former standings.

mod calendar;
pub(crate) mod past;
pub(crate) mod placing;
pub(crate) mod standings;
mod start;
pub(crate) mod trial;

use crate::domain::SeasonName;
use crate::store::Change;

#[derive(Clone, Debug, Default)]
pub(crate) struct Season {
    /// Number of the season: 0 before the first season start, then counted up.
    pub(crate) number: u32,
    /// Start of the season. `None` for season 0.
    pub(crate) start: Option<Change>,
    /// Start of the next season. `None` for the current season.
    pub(crate) end: Option<Change>,
}

impl Season {
    pub(crate) fn name(&self) -> Option<&SeasonName> {
        let start = self.start.as_ref()?.season()?;
        Some(&start.name)
    }
}

/// Returns all seasons of a pool in their order. `starts` must omit undone starts. The last season is the current one.
pub(crate) fn seasons(starts: &[Change]) -> Vec<Season> {
    let ends = starts.iter().cloned().map(Some).chain([None]);
    let begins = [None].into_iter().chain(starts.iter().cloned().map(Some));
    let seasons = (0..).zip(begins).zip(ends);
    let season = |((number, start), end)| Season { number, start, end };
    seasons.map(season).collect()
}
