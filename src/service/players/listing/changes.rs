use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::table::{PlayerTable, Row};
use crate::api::PlayerSort;
use crate::domain::{PlayerId, Timestamp};
use crate::service::players::past::{Past, Rated};
use crate::service::{Pool, ServiceError};
use crate::store::{Store, StoreError, Tx};

/// Of how many players the past is looked up at once.
const PORTION: usize = 2_000;
/// How many portions are looked up side by side; SQLite has twice as many connections for readers.
const SIDE_BY_SIDE: usize = 2;

/// The time over which changes of ratings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Span {
    Day,
    Week,
    Month,
}

impl Span {
    /// The one that a list is sorted by, if it is.
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

/// By how many points ratings changed over some time.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes(HashMap<PlayerId, i32>);

impl Changes {
    /// By how many points that of the player did.
    pub(super) fn of(&self, player: PlayerId) -> i32 {
        self.0.get(&player).copied().unwrap_or(0)
    }

    /// Those of some rows of the table.
    pub(super) async fn of_rows(
        tx: &mut Tx,
        pool: &Pool,
        (table, rows): (&PlayerTable, &[&Row]),
        span: Span,
    ) -> Result<Self, StoreError> {
        let past = Past::at(tx, pool, span.before(table.computed_at), table.end).await?;
        let rated: Vec<Rated> = rows.iter().map(|row| row.rated()).collect();
        Self::since(tx, &past, &rated).await
    }

    /// Those of the whole table.
    pub(super) async fn of_all(
        store: &Store,
        pool: &Pool,
        table: &PlayerTable,
        span: Span,
    ) -> Result<Self, ServiceError> {
        let mut tx = store.begin_read().await?;
        let past = Past::at(&mut tx, pool, span.before(table.computed_at), table.end).await?;
        drop(tx);
        let rows = table.rows.iter().map(Row::rated);
        let asked: Vec<Rated> = rows.filter(|row| !past.is_as_now(row)).collect();
        let portions: Vec<&[Rated]> = asked.chunks(PORTION).collect();
        let past = Arc::new(past);
        let mut readers = JoinSet::new();
        for first in 0..SIDE_BY_SIDE {
            let portions = portions.iter().skip(first).step_by(SIDE_BY_SIDE);
            let portions: Vec<Vec<Rated>> = portions.map(|portion| portion.to_vec()).collect();
            let (store, past) = (store.clone(), Arc::clone(&past));
            readers.spawn(async move {
                let mut changes = HashMap::new();
                for portion in portions {
                    let mut tx = store.begin_read().await?;
                    changes.extend(Self::since(&mut tx, &past, &portion).await?.0);
                }
                Ok::<_, StoreError>(changes)
            });
        }
        let mut changes = HashMap::with_capacity(asked.len());
        while let Some(read) = readers.join_next().await {
            changes.extend(read.map_err(ServiceError::internal)??);
        }
        Ok(Self(changes))
    }

    async fn since(tx: &mut Tx, past: &Past, players: &[Rated]) -> Result<Self, StoreError> {
        let before = past.ratings(tx, players).await?;
        let change = |player: &Rated| {
            let before = before.get(&player.id)?;
            Some((player.id, player.rating.points() - before.points()))
        };
        Ok(Self(players.iter().filter_map(change).collect()))
    }
}
