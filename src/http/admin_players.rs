use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

use super::auth::Asker;
use super::extract::{JsonBody, OptionalJsonBody, PathPlayer, QueryFields};
use super::{App, Problem, players};
use crate::domain::{ChangeId, PlayerId, PoolName};
use crate::service::{PlayerDetails, Pool, RecordedRound, Told};
use crate::wire::{
    AdminPlayerAnswer, LastRoundAnswer, ReasonText, ResetRequest, SetRequest, WindowAnswer,
};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/admin/players/{id}", get(look_into).put(set))
        .route("/v1/admin/players/{id}/reset", post(reset))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    pool: Option<PoolName>,
}

async fn look_into(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    details(&app, &pool, id).await
}

/// Gives the player a rating, and answers who the player is now.
async fn set(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<Which>,
    Asker(by): Asker,
    JsonBody(request): JsonBody<SetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let told = told(request.reason, request.change_id);
    app.service
        .set_rating(&pool, id, request.rating, told, by)
        .await?;
    details(&app, &pool, id).await
}

/// Makes the player new again, and answers who the player is now.
async fn reset(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<Which>,
    Asker(by): Asker,
    OptionalJsonBody(request): OptionalJsonBody<ResetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    app.service
        .reset_player(&pool, id, told(request.reason, request.change_id), by)
        .await?;
    details(&app, &pool, id).await
}

fn told(reason: Option<ReasonText>, change_id: Option<ChangeId>) -> Told {
    Told {
        reason: reason.map(|reason| reason.as_str().to_owned()),
        change_id,
    }
}

async fn details(app: &App, pool: &Pool, id: PlayerId) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let PlayerDetails {
        view,
        convergence,
        k,
        window_length,
        last_rounds,
    } = app.service.look_into_player(pool, id).await?;
    Ok(Json(AdminPlayerAnswer {
        player: players::answer(pool, &view),
        convergence: convergence.score,
        k,
        window: WindowAnswer {
            n: window_length,
            velocity: convergence.velocity,
            win_rate_excess: convergence.win_rate_excess,
            volatility: convergence.volatility,
        },
        last_rounds: last_rounds
            .iter()
            .filter_map(|round| last_round(round, id))
            .collect(),
    }))
}

/// A round as it was for the player `id`; `None` where `id` was not rated in it.
fn last_round(recorded: &RecordedRound, id: PlayerId) -> Option<LastRoundAnswer> {
    let RecordedRound { logged, result } = recorded;
    let participants = logged.round.participants();
    let ((team, _), rated) = participants
        .zip(&result.players)
        .find(|((_, entry), _)| entry.id == id)?;
    let parts = logged.round.parts();
    Some(LastRoundAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        map: parts.map.clone(),
        ended_at: logged.ended_at,
        winner: parts.winner,
        team,
        win_probability: result.win_probability.of(team),
        before: rated.before,
        rating: rated.after,
        delta: rated.after.points() - rated.before.points(),
        k: rated.k,
    })
}
