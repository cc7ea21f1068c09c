use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::pagination::{Count, Cursor, PageSize, RankPlace};
use crate::api::{LeaderboardAnswer, PoolQuery, ProblemAnswer, RankedPlayerAnswer};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::http::extract::QueryFields;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{OpenRefusals, PROBLEM_JSON, PoolRefusals};
use crate::http::standby_lag::StandbyLag;
use crate::http::{App, Problem};
use crate::service::{Pool, Reading, Service, ServiceError};

/// Where everybody may look, if the pool's settings allow it.
pub(crate) const PUBLIC_PATH: &str = "/leaderboard";

/// How the page may be shown: for as long as this instance caches it, and with nothing in it but its
/// own style.
const PAGE_HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "public, max-age=15"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeaderboardQuery {
    /// The pool; the server's, or `default`, where it is left out.
    pool: Option<PoolName>,
    /// The server whose pool is meant.
    server: Option<ServerName>,
    /// How many at most; 50 where it is left out.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<RankPlace>, inline)]
    after: Option<Cursor<RankPlace>>,
}

/// The players by rating, with all numbers.
#[utoipa::path(
    get,
    path = "/v1/leaderboard",
    tag = "Players",
    params(LeaderboardQuery),
    responses(
        (status = 200, description = "The players who are visible and not stale, the highest rating first.", body = LeaderboardAnswer, headers(("rbs-standby-lag" = f64))),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_leaderboard(
    State(app): State<App>,
    caller: Caller,
    QueryFields(query): QueryFields<LeaderboardQuery>,
) -> Result<Reading<LeaderboardAnswer>, Problem> {
    let pool = caller.pool(&app, query.pool.as_ref(), query.server.as_ref())?;
    let after = query.after.map(|Cursor(place)| place);
    let Count(limit) = query.limit;
    let read = async |reader: Service| reader.leaderboard(&pool, after, limit).await;
    Ok(app.service.read(read).await?)
}

/// The best players as a page for everybody. Which other pools there are, it does not reveal.
#[utoipa::path(
    get,
    path = "/leaderboard",
    tag = "Players",
    params(PoolQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8", headers(("rbs-standby-lag" = f64))),
        (status = 404, description = "There is no pool of that name that everybody may see.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
pub(crate) async fn show_leaderboard(
    State(app): State<App>,
    QueryFields(query): QueryFields<PoolQuery>,
) -> Result<Response, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None);
    let pool = pool.map_err(|_| ServiceError::NoPublicLeaderboard)?;
    let leaderboard = app.service.public_leaderboard(&pool).await?;
    let page = page(&pool, &leaderboard.value);
    Ok((PAGE_HEADERS, StandbyLag(leaderboard.lag), page).into_response())
}

/// What the page looks like: light or dark as the reader's device, and on narrow screens without what
/// can be done without.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:48rem;padding:1rem}\
h1{font-size:1.5rem;margin:0}\
p{margin:.25rem 0 1rem;opacity:.75}\
table{border-collapse:collapse;width:100%}\
th,td{padding:.375rem .5rem;text-align:right;white-space:nowrap;\
border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}\
th{font-weight:600}\
th.text,td.text{text-align:left;overflow-wrap:anywhere;white-space:normal}\
td{font-variant-numeric:tabular-nums}\
a{color:inherit}\
@media(max-width:36rem){body{padding:.5rem}.wide{display:none}th,td{padding:.375rem .25rem}}";

/// The best players of `pool` as HTML. Whether it has ratings or divisions is the pool's setting; the
/// other is not in it.
fn page(pool: &Pool, leaderboard: &LeaderboardAnswer) -> Markup {
    let shows_ratings = pool.settings.leaderboard.shows_ratings();
    let title = format!("Leaderboard of {}", pool.name);
    let ranked = match leaderboard.ranked {
        0 => "Nobody has a rank yet".to_owned(),
        1 => "1 player has a rank".to_owned(),
        ranked => format!("{ranked} players have a rank"),
    };
    let at = leaderboard.computed_at;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p {
                    (ranked) ", as of "
                    time datetime=(at) { (day(at)) " " (clock(at)) " UTC" } "."
                }
                table {
                    thead {
                        tr {
                            th scope="col" { "Rank" }
                            th.text scope="col" { "Player" }
                            @if shows_ratings {
                                th scope="col" { "Rating" }
                                th.wide scope="col" { "30 days" }
                            } @else {
                                th.text scope="col" { "Division" }
                            }
                            th scope="col" { "Rounds" }
                            th.wide scope="col" { "Last played" }
                        }
                    }
                    tbody {
                        @for player in &leaderboard.players { (row(player, shows_ratings)) }
                    }
                }
            }
        }
    }
}

fn row(player: &RankedPlayerAnswer, shows_ratings: bool) -> Markup {
    let profile = format!("https://steamcommunity.com/profiles/{}", player.id);
    html! {
        tr {
            td { (player.rank) }
            td.text {
                @if player.id_hidden {
                    (player.name.as_ref().map_or("", |name| name.as_str()))
                } @else {
                    a href=(profile) rel="nofollow" { (player.id) }
                }
            }
            @if shows_ratings {
                td { (player.rating) }
                td.wide { (change(player.change_30_days)) }
            } @else {
                td.text { (player.division.as_deref().unwrap_or_default()) }
            }
            td { (player.rounds) }
            td.wide { (player.last_played.map(day).unwrap_or_default()) }
        }
    }
}

/// A change with its sign, of which a minus is the printers' one.
fn change(points: i32) -> String {
    match points {
        0 => "0".to_owned(),
        1.. => format!("+{points}"),
        _ => format!("\u{2212}{}", points.unsigned_abs()),
    }
}

fn day(moment: Timestamp) -> String {
    moment.to_string().chars().take(10).collect()
}

fn clock(moment: Timestamp) -> String {
    moment.to_string().chars().skip(11).take(5).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_signs_and_moments_days() {
        assert_eq!([0, 12, -3].map(change), ["0", "+12", "\u{2212}3"]);
        let moment: Timestamp = "2026-11-20T07:05:09.25Z".parse().unwrap();
        assert_eq!(
            (day(moment), clock(moment)),
            ("2026-11-20".to_owned(), "07:05".to_owned())
        );
    }
}
