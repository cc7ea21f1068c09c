use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};

use super::extract::{JsonBody, NoQuery};
use super::{App, Problem};
use crate::domain::{Round, RoundParts};
use crate::service::Recorded;
use crate::wire::{PairAnswer, RatedPlayerAnswer, UpdateAnswer};

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/update", post(update))
}

/// Counts a round and answers every participant's new rating.
async fn update(
    State(app): State<App>,
    _: NoQuery,
    JsonBody(parts): JsonBody<RoundParts>,
) -> Result<Json<UpdateAnswer>, Problem> {
    let round = Round::try_from(parts).map_err(Problem::invalid)?;
    let pool = app.service.pool_of(&round)?.name.clone();
    let recorded = app.service.record_round(round).await?;
    Ok(Json(answer(recorded, pool)))
}

fn answer(recorded: Recorded, pool: crate::domain::PoolName) -> UpdateAnswer {
    let Recorded { round, duplicate } = recorded;
    let parts = round.round.parts();
    let participants = round
        .round
        .entries()
        .filter(|(_, entry)| entry.participated);
    UpdateAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        pool: parts.pool.clone().unwrap_or(pool),
        duplicate,
        win_probability: PairAnswer {
            a: round.win_probability,
            b: round.win_probability.complement(),
        },
        theta: round.theta,
        players: participants
            .zip(&round.results)
            .map(|((team, entry), result)| RatedPlayerAnswer {
                id: entry.id,
                team,
                before: result.before,
                rating: result.after,
                delta: result.after.points() - result.before.points(),
                k: result.k,
                rounds: result.rounds,
                visible: result.visible,
            })
            .collect(),
    }
}
