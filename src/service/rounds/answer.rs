//! Conversions of rounds into answers of the API.

use super::transaction::Recorded;
use crate::api::{
    CorrectionAnswer, LastRoundAnswer, ListedRoundAnswer, NamedPlayerAnswer, PairAnswer,
    ProgressAnswer, RatedPlayerAnswer, RatingDeltaAnswer, RoundAnswer, RoundPlayerAnswer,
    UpdateAnswer, VoidAnswer, WholeRoundAnswer,
};
use crate::domain::{PlayerId, RoundActionName, RoundId, ServerName};
use crate::service::ServiceError;
use crate::service::players::names::Names;
use crate::store::{PoolRecord, PrunedRound, RecordedRound, StoreError, Tx, corrupt};

impl From<Recorded> for UpdateAnswer {
    fn from(recorded: Recorded) -> Self {
        let round = recorded.round;
        let (server, round_id) = round.logged.round.name();
        Self {
            round_id,
            server,
            pool: round.logged.round.pool().clone(),
            duplicate: recorded.duplicate,
            win_probability: PairAnswer::odds(round.result.win_probability),
            theta: round.result.theta,
            players: rated_players(&round).collect(),
            splits: None,
            splits_error: None,
            notices: Vec::new(),
        }
    }
}

/// Reasons given by admins why a round is void or has a corrected winner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reasons {
    pub(crate) void: Option<VoidAnswer>,
    pub(crate) correction: Option<CorrectionAnswer>,
}

pub(crate) fn round_answer(recorded: &RecordedRound, reasons: Reasons) -> RoundAnswer {
    let RecordedRound { logged, result } = recorded;
    let parts = logged.round.parts();
    RoundAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        pool: logged.round.pool().clone(),
        map: parts.map.clone(),
        mode: parts.mode.clone(),
        mutators: parts.mutators.clone(),
        bots: PairAnswer {
            a: parts.bots.a.clone(),
            b: parts.bots.b.clone(),
        },
        ended_at: logged.round.ended_at(),
        received_at: logged.received_at,
        secret: logged.secret,
        winner: parts.winner,
        correction: reasons.correction,
        win_probability: PairAnswer::odds(result.win_probability),
        void: reasons.void,
    }
}

/// Converts a round into an item of a list, still without names of players.
pub(crate) fn listed_round(recorded: &RecordedRound, reasons: Reasons) -> ListedRoundAnswer {
    let deltas: Vec<RatingDeltaAnswer> = rated_players(recorded)
        .map(|player| RatingDeltaAnswer {
            id: player.id,
            name: None,
            delta: player.delta,
        })
        .collect();
    // The reversed order makes `max_by_key` return the first of several equal players.
    let most = |sign: i32| {
        let moved = deltas.iter().rev().filter(|player| player.delta * sign > 0);
        moved.max_by_key(|player| player.delta * sign).cloned()
    };
    ListedRoundAnswer {
        players: u32::try_from(deltas.len()).unwrap_or(u32::MAX),
        largest_gain: most(1),
        largest_loss: most(-1),
        round: round_answer(recorded, reasons),
    }
}

/// Adds the display names of the players with the largest rating gain and loss to listed rounds.
pub(crate) async fn name_listed(
    tx: &mut Tx,
    rounds: &mut [ListedRoundAnswer],
) -> Result<(), StoreError> {
    let players = rounds
        .iter()
        .flat_map(|round| [&round.largest_gain, &round.largest_loss])
        .flatten()
        .map(|player| player.id)
        .collect();
    let names = Names::of(tx, players).await?;
    for round in rounds {
        let moved = [&mut round.largest_gain, &mut round.largest_loss];
        for player in moved.into_iter().flatten() {
            player.name = names.of_player(player.id);
        }
    }
    Ok(())
}

/// Converts a round into an answer with all players. `in_progress` is a change under computation, with its `progress`.
pub(crate) fn whole_round(
    recorded: &RecordedRound,
    reasons: Reasons,
    in_progress: Option<RoundActionName>,
    progress: Option<ProgressAnswer>,
    names: &Names,
) -> WholeRoundAnswer {
    let RecordedRound { logged, result } = recorded;
    let parts = logged.round.parts();
    let players = rated_players(recorded).map(|player| RoundPlayerAnswer {
        win_probability: result.win_probability.of(player.team),
        name: names.of_player(player.id),
        player,
    });
    let unrated = logged
        .round
        .entries()
        .filter(|(_, entry)| !entry.is_rated())
        .map(|(_, entry)| NamedPlayerAnswer {
            id: entry.id,
            name: names.of_player(entry.id),
        });
    WholeRoundAnswer {
        theta: result.theta,
        team_a: parts.team_a.clone(),
        team_b: parts.team_b.clone(),
        players: players.collect(),
        unrated: unrated.collect(),
        in_progress,
        progress,
        round: round_answer(recorded, reasons),
    }
}

/// Converts a round into an answer for the player `id`. Returns `None` if the player was not rated in the round.
pub(crate) fn last_round(recorded: &RecordedRound, id: PlayerId) -> Option<LastRoundAnswer> {
    let RecordedRound { logged, result } = recorded;
    let rated = rated_players(recorded).find(|player| player.id == id)?;
    let parts = logged.round.parts();
    Some(LastRoundAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        map: parts.map.clone(),
        ended_at: logged.round.ended_at(),
        winner: parts.winner,
        team: rated.team,
        win_probability: result.win_probability.of(rated.team),
        before: rated.before,
        rating: rated.rating,
        delta: rated.delta,
        k: rated.k,
    })
}

/// Returns the rating results of a round's participants: team A, then team B, each in the order of the report.
fn rated_players(recorded: &RecordedRound) -> impl Iterator<Item = RatedPlayerAnswer> + '_ {
    let RecordedRound { logged, result } = recorded;
    logged
        .round
        .participants()
        .zip(&result.players)
        .map(|((team, entry), rated)| RatedPlayerAnswer {
            id: entry.id,
            team,
            before: rated.before,
            rating: rated.after,
            delta: rated.after.points() - rated.before.points(),
            k: rated.k,
            rounds: rated.rounds,
            visible: rated.visible,
        })
}

pub(crate) async fn round_pruned(
    tx: &mut Tx,
    pool: &PoolRecord,
    position: u64,
    (server, round_id): (ServerName, RoundId),
) -> Result<ServiceError, StoreError> {
    let prune = tx.prune_of(pool.id, position).await?;
    let prune = prune.ok_or_else(|| corrupt("prunes", "position"))?;
    Ok(ServiceError::RoundPruned(Box::new(PrunedRound {
        server,
        round_id,
        pool: pool.name.clone(),
        pruned_at: prune.pruned_at,
        file: prune.file,
    })))
}
