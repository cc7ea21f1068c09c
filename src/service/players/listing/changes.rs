use std::collections::HashSet;

use super::table::{DAYS, Row};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::players::past::{PastPosition, has_rested, place_at, ratings_at};
use crate::service::seasons::past::Starts;
use crate::service::{Pool, ServiceError};
use crate::store::{Entry, EntryChunk, ListedPlayer, Store};

/// Of how many players the past is looked up at once.
const PORTION: usize = 2_000;

/// What the players of a pool were rated a day, a week and a month ago.
///
/// Of most that stands in the players' own rows, which have up to fifteen of their last rounds; of the others it is
/// looked up once all rows are read.
pub(super) struct Changes<'pool> {
    pool: &'pool Pool,
    moments: [Timestamp; 3],
    places: Vec<PastPosition>,
    /// Whose rating an admin has set or reset: that stands in no row of theirs.
    changed: HashSet<PlayerId>,
    starts: Starts,
    /// Who is to be looked up, by moment.
    open: [Vec<PlayerId>; 3],
}

impl<'pool> Changes<'pool> {
    pub(super) async fn begin(
        store: &Store,
        pool: &'pool Pool,
        now: Timestamp,
    ) -> Result<Self, ServiceError> {
        let moments = DAYS.map(|days| now.days_earlier(days));
        let mut tx = store.begin_read().await?;
        let mut places = Vec::with_capacity(moments.len());
        for moment in moments {
            places.push(place_at(&mut tx, pool, moment).await?);
        }
        let changed = tx.changed_players(pool.id).await?;
        let starts = Starts::of(&mut tx, pool.id).await?;
        Ok(Self {
            pool,
            moments,
            places,
            changed: changed.into_iter().collect(),
            starts,
            open: Default::default(),
        })
    }

    /// What a player was rated at each of the moments; who is to be looked up, as now for the time being.
    pub(super) fn before(&mut self, player: &ListedPlayer) -> [Rating; 3] {
        let mut before = [player.rating; 3];
        let initial = self.pool.settings.parameters.initial_rating;
        let moments = self.moments.iter().zip(&self.places);
        for (place, (rating, (moment, at))) in before.iter_mut().zip(moments).enumerate() {
            let is_changed = self.changed.contains(&player.id);
            let has_rested = has_rested(player.last_played, *moment);
            let had = |entry: &&Entry| has_rested || at.has_round(entry.position, entry.ended_at);
            let known = if is_changed {
                None
            } else if let Some(entry) = player.last_row.entries.iter().rfind(had) {
                Some((entry.position, entry.step.rating))
            } else {
                // Without a full row there was none before.
                (player.entries < EntryChunk::SIZE).then_some((0, initial))
            };
            let counts = |position, made_at| at.has_change(position, made_at);
            let known = known.map(|known| self.starts.after(known, counts));
            match known {
                Some(known) => *rating = known,
                None => {
                    if let Some(open) = self.open.get_mut(place) {
                        open.push(player.id);
                    }
                }
            }
        }
        before
    }

    /// Looks up whoever is missing in `rows`, which are by id.
    pub(super) async fn look_up(self, store: &Store, rows: &mut [Row]) -> Result<(), ServiceError> {
        for (place, (moment, open)) in self.moments.into_iter().zip(&self.open).enumerate() {
            for portion in open.chunks(PORTION) {
                let mut tx = store.begin_read().await?;
                let players = tx.players(self.pool.id, portion).await?;
                let ratings = ratings_at(&mut tx, self.pool, &players, moment).await?;
                for (player, rating) in ratings {
                    if let Ok(found) = rows.binary_search_by_key(&player, |row| row.id)
                        && let Some(row) = rows.get_mut(found)
                    {
                        row.set_before(place, rating);
                    }
                }
            }
        }
        Ok(())
    }
}
