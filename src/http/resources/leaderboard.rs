use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::pagination::{Count, Cursor, PageSize, RankCursor, RankPlace};
use crate::api::{LeaderboardAnswer, ProblemAnswer, RankedPlayerAnswer};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::http::extract::QueryFields;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{OpenRefusals, PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};
use crate::service::{Leaderboard, Pool, RankedPlayer, ServiceError};

/// Where everybody may look, if the pool's settings say so.
pub(crate) const PUBLIC_PATH: &str = "/leaderboard";

/// How the page may be shown: as long as this instance holds it too, and with nothing in it but its
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

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LeaderboardQuery {
    /// The pool; the server's, or `default`, where nothing is said.
    pool: Option<PoolName>,
    /// The server whose pool is meant.
    server: Option<ServerName>,
    /// How many at most; 50 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<RankCursor>, inline)]
    after: Option<Cursor<RankPlace>>,
}

/// The players by rating, with all numbers.
#[utoipa::path(
    get,
    path = "/v1/leaderboard",
    operation_id = "list_leaderboard",
    tag = "Players",
    params(LeaderboardQuery),
    responses(
        (status = 200, description = "The players who are visible and not stale, the highest rating first.", body = LeaderboardAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn list(
    State(app): State<App>,
    caller: Caller,
    QueryFields(which): QueryFields<LeaderboardQuery>,
) -> Result<Json<LeaderboardAnswer>, Problem> {
    let pool = caller.pool(&app, which.pool.as_ref(), which.server.as_ref())?;
    let after = which.after.map(|Cursor(place)| place);
    let Count(limit) = which.limit;
    let leaderboard = app.service.leaderboard(&pool, after, limit).await?;
    Ok(Json(LeaderboardAnswer {
        pool: pool.name.clone(),
        computed_at: leaderboard.computed_at,
        ranked: leaderboard.ranked,
        players: leaderboard.players.into_iter().map(player).collect(),
        next: leaderboard.next.map(|place| Cursor(place).to_string()),
    }))
}

fn player(player: RankedPlayer) -> RankedPlayerAnswer {
    RankedPlayerAnswer {
        rank: player.rank,
        id: player.view.id,
        rating: player.view.rating,
        division: player.division,
        rounds: player.view.rounds,
        change_30_days: player.change,
        last_played: player.view.last_played,
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PoolQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
}

/// The best players as a page for everybody. LeaderboardQuery pools there are beside those that are shown, it does
/// not tell.
#[utoipa::path(
    get,
    path = "/leaderboard",
    operation_id = "show_leaderboard",
    tag = "Players",
    params(PoolQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "There is no pool of that name that everybody may see.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
async fn show(
    State(app): State<App>,
    QueryFields(which): QueryFields<PoolQuery>,
) -> Result<Response, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None);
    let pool = pool.map_err(|_| ServiceError::NoPublicLeaderboard)?;
    let leaderboard = app.service.public_leaderboard(&pool).await?;
    Ok((PAGE_HEADERS, Html(page(&pool, &leaderboard))).into_response())
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

/// The best players of `pool` as HTML. Whether it has ratings or divisions is the pool's setting; what
/// is not to be seen is not in it.
pub(crate) fn page(pool: &Pool, leaderboard: &Leaderboard) -> String {
    let shows_ratings = pool.settings.leaderboard.shows_ratings();
    let title = format!("Leaderboard of {}", escaped(pool.name.as_str()));
    let mut rows = String::new();
    for player in &leaderboard.players {
        rows.push_str(&row(player, shows_ratings));
    }
    let head = if shows_ratings {
        "<th scope=col>Rating<th scope=col class=wide>30 days"
    } else {
        "<th scope=col class=text>Division"
    };
    let ranked = match leaderboard.ranked {
        0 => "Nobody has a rank yet".to_owned(),
        1 => "1 player has a rank".to_owned(),
        ranked => format!("{ranked} players have a rank"),
    };
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p>{ranked}, as of <time datetime=\"{at}\">{day} {clock} UTC</time>.</p>\n\
         <table>\n<thead><tr><th scope=col>Rank<th scope=col class=text>Player{head}\
         <th scope=col>Rounds<th scope=col class=wide>Last played</thead>\n<tbody>\n{rows}\
         </tbody>\n</table>\n</body>\n</html>\n",
        at = leaderboard.computed_at,
        day = day(leaderboard.computed_at),
        clock = clock(leaderboard.computed_at),
    )
}

fn row(player: &RankedPlayer, shows_ratings: bool) -> String {
    let view = &player.view;
    let worth = if shows_ratings {
        let (rating, change) = (view.rating, change(player.change));
        format!("<td>{rating}<td class=wide>{change}")
    } else {
        let division = player.division.as_deref().map_or_else(String::new, escaped);
        format!("<td class=text>{division}")
    };
    format!(
        "<tr><td>{rank}<td class=text>\
         <a href=\"https://steamcommunity.com/profiles/{id}\" rel=nofollow>{id}</a>{worth}\
         <td>{rounds}<td class=wide>{last}\n",
        rank = player.rank,
        id = view.id,
        rounds = view.rounds,
        last = view.last_played.map_or_else(String::new, day),
    )
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

/// A text where HTML may stand, in elements and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_can_say_anything_but_itself() {
        assert_eq!(
            escaped("<a href=\"x\" title='&'>ü</a>"),
            "&lt;a href=&quot;x&quot; title=&#39;&amp;&#39;&gt;ü&lt;/a&gt;"
        );
    }

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
