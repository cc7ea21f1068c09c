//! Public pages of rounds, which players know as matches.

use std::collections::HashMap;
use std::sync::Arc;

use super::players::names::Names;
use super::rounds::answer::{Reasons, whole_round};
use super::rounds::list::find;
use super::{Pool, Service, ServiceError};
use crate::api::{SplitTableAnswer, WholeRoundAnswer};
use crate::domain::{PlayerId, Round, RoundId, ServerName, Side, Timestamp};

/// Public page of a round. The pool's settings decide which parts of the data are shown.
#[derive(Clone, Debug)]
pub struct PublicMatch {
    /// Round with its odds, result and rating changes, without the reason of a void.
    pub round: WholeRoundAnswer,
    /// `true` if the round does not count.
    pub is_void: bool,
    /// Names of all players of the round.
    pub(crate) names: Names,
    /// Last scramble before the end of the round, if one is known.
    pub scramble: Option<MatchScramble>,
}

/// Scramble before a round: of its splits, the one that the teams of the round resemble most.
#[derive(Clone, Debug)]
pub struct MatchScramble {
    /// Time at which the scramble was computed.
    pub computed_at: Timestamp,
    /// Sentence about the split.
    pub message: String,
    /// Team of each player by the split; `None` if other teams played.
    pub teams: Option<HashMap<PlayerId, Side>>,
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
        let table = self.splits_of_round(server, round_id).await?;
        // The ratings of another pool may not be public.
        let table = table.filter(|table| *table.pool() == pool.name);
        Ok(Some(Arc::new(PublicMatch {
            scramble: table.and_then(|table| scramble(table.table(), round)),
            round: whole_round(&found, Reasons::default(), None, None, &names),
            is_void: found.logged.voided_at.is_some(),
            names,
        })))
    }
}

/// Finds the split, either way round, that the teams of a round resemble most. It counts as played if at least half of
/// the round's players are where it put them, after subtracting those on the other team.
fn scramble(table: &SplitTableAnswer, round: &Round) -> Option<MatchScramble> {
    let both_ways = table
        .splits
        .iter()
        .chain(&table.alternatives)
        .flat_map(|split| {
            [(&split.a, &split.b), (&split.b, &split.a)].map(|(a, b)| {
                let a = a.iter().map(|id| (*id, Side::A));
                let b = b.iter().map(|id| (*id, Side::B));
                (split, a.chain(b).collect::<HashMap<_, _>>())
            })
        });
    let scored = both_ways.map(|(split, teams)| {
        let likeness = round
            .entries()
            .map(|(side, entry)| match teams.get(&entry.id) {
                Some(team) if *team == side => 1,
                Some(_) => -1,
                None => 0,
            });
        (likeness.sum::<i64>(), split, teams)
    });
    let (likeness, split, teams) = scored.max_by_key(|(likeness, ..)| *likeness)?;
    let players = i64::try_from(round.entries().count()).unwrap_or(i64::MAX);
    Some(MatchScramble {
        computed_at: table.computed_at,
        message: split.message.clone(),
        teams: (2 * likeness >= players).then_some(teams),
    })
}
