//! Public HTML pages, without scripts and in the dashboard's colours.

mod drawing;
mod figures;
pub(super) mod leaderboard;
pub(super) mod match_page;
pub(super) mod player;
mod refusal;

use axum::http::header;
use maud::{DOCTYPE, Markup, html};

use crate::api::path_part;
use crate::domain::{PlayerDisplayName, PlayerId, PoolName, RoundId, ServerName};
use crate::service::Pool;

pub(super) use refusal::answer;

/// Headers of a public page: cached for 15 seconds, with no content except its own styles and images, and in no frame.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "public, max-age=15"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// Renders a public page. A preview of a link to it shows the title and the description. Search engines may index it
/// only if `is_indexed`.
fn page(title: &str, description: &str, is_indexed: bool, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if !is_indexed { meta name="robots" content="noindex"; }
                title { (title) }
                meta name="description" content=(description);
                meta property="og:title" content=(title);
                meta property="og:description" content=(description);
                meta property="og:type" content="website";
                meta name="twitter:card" content="summary";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/public.css";
            }
            body.public { (content) }
        }
    }
}

fn title(pool: &Pool) -> String {
    match &pool.settings.leaderboard.title {
        Some(title) => title.to_owned(),
        None if pool.name == PoolName::default() => "Leaderboard".to_owned(),
        None => format!("Leaderboard of {}", pool.name),
    }
}

/// Renders an HTML table with its accessible name, caption, head cells and rows. On narrow screens, the table scrolls
/// by itself.
fn table(name: &str, caption: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll role="group" tabindex="0" aria-label=(name) {
            table {
                caption.unseen { (caption) }
                thead { tr { (head) } }
                tbody { (rows) }
            }
        }
    }
}

fn card(name: &str, value: &str, note: &str, explanation: &str) -> Markup {
    html! {
        section.card {
            h2 { (name) }
            p.value { (value) }
            @if !note.is_empty() { p.notes { (note) } }
            @if !explanation.is_empty() { p.explanation { (explanation) } }
        }
    }
}

/// Renders a player in a list: the name if the pool shows names, otherwise the id, with a link. A player with a hidden
/// id gets a pseudonym and no link.
fn player_label(
    pool: &Pool,
    id: PlayerId,
    name: Option<&PlayerDisplayName>,
    id_hidden: bool,
) -> Markup {
    let shown = name.filter(|_| id_hidden || pool.settings.leaderboard.names);
    if id_hidden {
        return html! { span.name { (shown.map_or("forgotten player", PlayerDisplayName::as_str)) } };
    }
    let address = if pool.settings.leaderboard.has_player_pages() {
        player_address(pool, id)
    } else {
        steam_address(id)
    };
    html! {
        a.name[shown.is_some()].id[shown.is_none()] href=(address) rel="nofollow" dir="auto" {
            @if let Some(name) = shown { (name) } @else { (id) }
        }
    }
}

fn steam_address(player: PlayerId) -> String {
    format!("https://steamcommunity.com/profiles/{player}")
}

/// Returns the address of the pool's leaderboard, with `more` behind its query.
fn leaderboard_address(pool: &Pool, more: &str) -> String {
    format!("/leaderboard?pool={}{more}", pool.name)
}

fn match_address(pool: &Pool, server: &ServerName, round_id: &RoundId) -> String {
    let [server, round_id] = [server.as_str(), round_id.as_str()].map(path_part);
    format!("{}{server}/{round_id}?pool={}", match_page::PATH, pool.name)
}

/// Returns the style class of a rating change.
fn direction(delta: i32) -> &'static str {
    match delta {
        1.. => "up",
        0 => "flat",
        _ => "down",
    }
}

fn player_address(pool: &Pool, player: PlayerId) -> String {
    format!("/players/{player}?pool={}", pool.name)
}
