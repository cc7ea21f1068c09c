use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::update::{odds, rated_players};
use crate::api::path_part;
use crate::api::schema::{AnyPlayerId, RoundInPath, ServerInPath};
use crate::api::{
    ListedRoundAnswer, ProblemAnswer, RatingDeltaAnswer, ResetRequest, RoundAnswer,
    RoundPlayerAnswer, RoundsAnswer, UnderWayAnswer, VoidAnswer, VoidRequest, WholeRoundAnswer,
};
use crate::domain::{PlayerId, PoolName, ServerName};
use crate::http::extract::change_note;
use crate::http::extract::{JsonBody, NoQuery, OptionalJsonBody, PathRound, QueryFields};
use crate::http::middleware::auth::Actor;
use crate::http::openapi::{BodyRefusals, PROBLEM_JSON, Refusals};
use crate::http::pagination::{Count, Cursor, Moment, PageSize, PlaceCursor};
use crate::http::{App, Problem};
use crate::service::{
    Author, RecordedRound, RoundFilter, RoundPlace, RoundView, VoidCommand, VoidOutcome,
    WholeRoundView,
};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(look_at))
        .routes(routes!(void))
        .routes(routes!(unvoid))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RoundsQuery {
    /// The pool; the server's, or `default`, where nothing is said.
    pool: Option<PoolName>,
    /// Only rounds of this server.
    server: Option<ServerName>,
    /// Only rounds that this player stands in.
    #[param(value_type = Option<AnyPlayerId>)]
    player: Option<PlayerId>,
    /// Only rounds that ended then or later.
    from: Option<Moment>,
    /// Only rounds that ended before.
    to: Option<Moment>,
    /// How many at most; 50 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<PlaceCursor>, inline)]
    after: Option<Cursor<RoundPlace>>,
}

/// The rounds of the pool named, or the server's, or of `default`.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds",
    operation_id = "list_rounds",
    tag = "Admin",
    params(RoundsQuery),
    responses(
        (status = 200, description = "A page of rounds, those that ended last first.", body = RoundsAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn list(
    State(app): State<App>,
    QueryFields(which): QueryFields<RoundsQuery>,
) -> Result<Json<RoundsAnswer>, Problem> {
    let pool = app
        .service
        .pool(which.pool.as_ref(), which.server.as_ref())?;
    let filter = RoundFilter {
        server: which.server,
        player: which.player,
        from: which.from.map(|Moment(from)| from),
        to: which.to.map(|Moment(to)| to),
    };
    let after = which.after.map(|Cursor(place)| place);
    let Count(limit) = which.limit;
    let page = app
        .service
        .list_rounds(&pool, &filter, after, limit)
        .await?;
    Ok(Json(RoundsAnswer {
        pool: pool.name.clone(),
        rounds: page.rounds.into_iter().map(listed).collect(),
        next: page.next.map(|place| Cursor(place).to_string()),
    }))
}

/// One round whole: what was sent, and what it made of everybody.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds/{server}/{round_id}",
    operation_id = "look_at_round",
    tag = "Admin",
    params(
        ("server" = ServerInPath, Path, description = "The server of the round; `.~` and `..~` are the names `.` and `..`."),
        ("round_id" = RoundInPath, Path, description = "The round; `.~` and `..~` are the names `.` and `..`."),
    ),
    responses(
        (status = 200, description = "The round.", body = WholeRoundAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn look_at(
    State(app): State<App>,
    PathRound(server, round_id): PathRound,
    NoQuery: NoQuery,
) -> Result<Json<WholeRoundAnswer>, Problem> {
    let view = app.service.get_round(server, round_id).await?;
    Ok(Json(whole(view)))
}

/// Voids the round, and answers what it is now.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/void",
    operation_id = "void_round",
    tag = "Admin",
    params(
        ("server" = ServerInPath, Path, description = "The server of the round; `.~` and `..~` are the names `.` and `..`."),
        ("round_id" = RoundInPath, Path, description = "The round; `.~` and `..~` are the names `.` and `..`."),
    ),
    request_body = VoidRequest,
    responses(
        (status = 200, description = "The round, which does not count any more.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = UnderWayAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The ratings of the pool are being computed again already, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
async fn void(
    State(app): State<App>,
    PathRound(server, round_id): PathRound,
    NoQuery: NoQuery,
    Actor(by): Actor,
    JsonBody(request): JsonBody<VoidRequest>,
) -> Result<Response, Problem> {
    let mark = VoidCommand {
        server,
        round_id,
        void: true,
        note: change_note(Some(request.reason), request.change_id),
    };
    mark_round(&app, mark, by).await
}

/// Lets the round count again, and answers what it is now.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/unvoid",
    operation_id = "unvoid_round",
    tag = "Admin",
    params(
        ("server" = ServerInPath, Path, description = "The server of the round; `.~` and `..~` are the names `.` and `..`."),
        ("round_id" = RoundInPath, Path, description = "The round; `.~` and `..~` are the names `.` and `..`."),
    ),
    request_body = Option<ResetRequest>,
    responses(
        (status = 200, description = "The round, which counts again.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = UnderWayAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The ratings of the pool are being computed again already, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
async fn unvoid(
    State(app): State<App>,
    PathRound(server, round_id): PathRound,
    NoQuery: NoQuery,
    Actor(by): Actor,
    OptionalJsonBody(request): OptionalJsonBody<ResetRequest>,
) -> Result<Response, Problem> {
    let mark = VoidCommand {
        server,
        round_id,
        void: false,
        note: change_note(request.reason, request.change_id),
    };
    mark_round(&app, mark, by).await
}

async fn mark_round(app: &App, mark: VoidCommand, by: Author) -> Result<Response, Problem> {
    let (server, round_id) = (mark.server.clone(), mark.round_id.clone());
    let timeout = app.time_to_answer();
    match app.service.mark_round(mark, by, timeout).await? {
        VoidOutcome::Done => {
            let view = app.service.get_round(server, round_id).await?;
            Ok(Json(whole(view)).into_response())
        }
        VoidOutcome::UnderWay => {
            let [server_part, round_part] = [server.as_str(), round_id.as_str()].map(path_part);
            let location = format!("/v1/admin/rounds/{server_part}/{round_part}");
            let answer = UnderWayAnswer {
                server,
                round_id,
                detail: "the ratings are being computed again, beside everything else; look at the \
                         location: \"under_way\" is null there once it is done, or has failed",
                location: location.clone(),
            };
            let location = [(header::LOCATION, location)];
            Ok((StatusCode::ACCEPTED, location, Json(answer)).into_response())
        }
    }
}

fn answer(view: RoundView) -> RoundAnswer {
    let RoundView { pool, round, void } = view;
    let parts = round.logged.round.parts();
    RoundAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        pool,
        map: parts.map.clone(),
        ended_at: round.logged.ended_at,
        received_at: round.logged.received_at,
        winner: parts.winner,
        win_probability: odds(round.result.win_probability),
        void: void.map(|void| VoidAnswer {
            reason: void.reason,
            at: void.at,
        }),
    }
}

fn listed(view: RoundView) -> ListedRoundAnswer {
    let deltas = rated_players(&view.round).map(|player| RatingDeltaAnswer {
        id: player.id,
        delta: player.delta,
    });
    let deltas: Vec<RatingDeltaAnswer> = deltas.collect();
    // Of several alike the first.
    let most = |sign: i32| {
        let moved = deltas.iter().filter(|player| player.delta * sign > 0);
        moved
            .rev()
            .max_by_key(|player| player.delta * sign)
            .copied()
    };
    ListedRoundAnswer {
        players: u32::try_from(deltas.len()).unwrap_or(u32::MAX),
        largest_gain: most(1),
        largest_loss: most(-1),
        round: answer(view),
    }
}

fn whole(view: WholeRoundView) -> WholeRoundAnswer {
    let WholeRoundView {
        round: view,
        under_way,
    } = view;
    let RecordedRound { logged, result } = &view.round;
    let parts = logged.round.parts();
    let players = rated_players(&view.round).map(|player| RoundPlayerAnswer {
        win_probability: result.win_probability.of(player.team),
        player,
    });
    WholeRoundAnswer {
        theta: result.theta,
        team_a: parts.team_a.clone(),
        team_b: parts.team_b.clone(),
        players: players.collect(),
        under_way: under_way.map(|void| if void { "void" } else { "unvoid" }),
        round: answer(view),
    }
}
