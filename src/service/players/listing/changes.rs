use std::collections::HashMap;
use std::sync::Arc;

use super::last_round_cache::PeriodLastRounds;
use super::table::{PlayerTable, Row};
use crate::api::PlayerSort;
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::players::history::changed_ratings;
use crate::service::players::past::{Past, Rated};
use crate::service::{Pool, ServiceError};
use crate::store::{Store, StoreError, Tx};

const PORTION: usize = 2_000;

/// Period over which a list of players shows changes of ratings: a day, a week or a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Span {
    Day,
    Week,
    Month,
}

impl Span {
    pub(super) const ALL: [Self; 3] = [Self::Day, Self::Week, Self::Month];

    /// Returns the period by whose rating changes a list of players is sorted, if any.
    pub(super) fn of(sort: PlayerSort) -> Option<Self> {
        match sort {
            PlayerSort::ChangeOfDay | PlayerSort::ChangeOfDayDown => Some(Self::Day),
            PlayerSort::ChangeOfWeek | PlayerSort::ChangeOfWeekDown => Some(Self::Week),
            PlayerSort::ChangeOfMonth | PlayerSort::ChangeOfMonthDown => Some(Self::Month),
            _ => None,
        }
    }

    fn before(self, now: Timestamp) -> Timestamp {
        now.days_earlier(match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
        })
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Changes(HashMap<PlayerId, i32>);

impl Changes {
    pub(super) fn of(&self, player: PlayerId) -> i32 {
        self.0.get(&player).copied().unwrap_or(0)
    }

    pub(super) async fn of_rows(
        tx: &mut Tx,
        pool: &Pool,
        (table, rows): (&PlayerTable, &[&Row]),
        span: Span,
    ) -> Result<Self, StoreError> {
        let past = Past::at(tx, pool, span.before(table.computed_at), table.end).await?;
        let rated: Vec<Rated> = rows.iter().map(|row| row.rated()).collect();
        Ok(Self::since(&past.ratings(tx, &rated).await?, &rated))
    }

    /// Reads the rating changes of a pool's players over a period, starting from the cached last rounds in `known`.
    pub(super) async fn of_all(
        store: &Store,
        pool: &Pool,
        table: &PlayerTable,
        span: Span,
        known: &mut PeriodLastRounds,
    ) -> Result<Self, ServiceError> {
        let now = table.computed_at;
        let mut tx = store.begin_read().await?;
        let past = Arc::new(Past::at(&mut tx, pool, span.before(now), table.end).await?);
        drop(tx);
        let rows = table.rows.iter().map(Row::rated);
        let players: Vec<Rated> = rows.filter(|row| !past.is_as_now(row)).collect();
        let last = known.update(store, &past, &players, now).await?;
        let mut by_admins = Vec::new();
        for changed in past.changed_of(last).chunks(PORTION) {
            let mut tx = store.begin_read().await?;
            by_admins.append(&mut changed_ratings(&mut tx, pool.id, changed).await?);
        }
        Ok(Self::since(&past.ratings_after(last, &by_admins), &players))
    }

    fn since(before: &HashMap<PlayerId, Rating>, players: &[Rated]) -> Self {
        let change = |player: &Rated| {
            let before = before.get(&player.id)?;
            Some((player.id, player.rating.points() - before.points()))
        };
        Self(players.iter().filter_map(change).collect())
    }
}
