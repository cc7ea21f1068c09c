//! Public pages of rounds, which players know as matches.

use std::sync::Arc;

use super::players::names::Names;
use super::rounds::answer::{Reasons, whole_round};
use super::rounds::list::find;
use super::sides::Sides;
use super::splits::last::LastTable;
use super::{Pool, Service, ServiceError};
use crate::api::WholeRoundAnswer;
use crate::domain::{RoundId, ServerName, Timestamp};

/// Public page of a round. The pool's settings decide which parts of the data are shown.
#[derive(Clone, Debug)]
pub struct PublicMatch {
    /// Round with its odds, result and rating changes, without the reason of a void.
    pub round: WholeRoundAnswer,
    /// `true` if the round does not count.
    pub is_void: bool,
    pub(crate) names: Names,
    /// Time of the last scramble before the end of the round, if one is known.
    pub scrambled_at: Option<Timestamp>,
    /// Sentence about the split of the scramble from which the round's teams come, and its teams; `None` if other teams
    /// played.
    pub(crate) split: Option<(String, Sides)>,
}

impl Service {
    /// Returns the public page of a round of `pool`. Answers are cached.
    ///
    /// # Errors
    /// Returns [`ServiceError::NoPublicPage`] if the pool shows no such pages, or has no such round.
    pub async fn public_match(
        &self,
        pool: &Pool,
        server: ServerName,
        round_id: RoundId,
    ) -> Result<Arc<PublicMatch>, ServiceError> {
        if !pool.settings.leaderboard.has_match_pages() {
            return Err(ServiceError::NoPublicPage);
        }
        let name = (server, round_id);
        let read = Box::pin(self.read_match(pool, name.clone()));
        let found = pool.public_matches.get(self, &name, read).await?;
        Option::clone(&found).ok_or(ServiceError::NoPublicPage)
    }

    async fn read_match(
        &self,
        pool: &Pool,
        (server, round_id): (ServerName, RoundId),
    ) -> Result<Option<Arc<PublicMatch>>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let found = match find(&mut tx, (server.clone(), round_id.clone())).await {
            Ok(found) if found.pool.id == pool.id => found.round,
            Ok(_) | Err(ServiceError::NoSuchRound { .. } | ServiceError::RoundPruned(_)) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let round = &found.logged.round;
        let players = round.entries().map(|(_, entry)| entry.id).collect();
        let names = Names::of(&mut tx, players).await?;
        drop(tx);
        let last = self.splits_of_round(server, round_id).await?;
        let table = last
            .as_ref()
            // The ratings of another pool may not be public.
            .filter(|table| *table.pool() == pool.name)
            .map(LastTable::table);
        let split = table.and_then(|table| Sides::of_round(round).made_by(table));
        Ok(Some(Arc::new(PublicMatch {
            scrambled_at: table.map(|table| table.computed_at),
            split: split.map(|(split, teams)| (split.message.clone(), teams)),
            round: whole_round(&found, Reasons::default(), None, None, &names),
            is_void: found.logged.voided_at.is_some(),
            names,
        })))
    }
}
