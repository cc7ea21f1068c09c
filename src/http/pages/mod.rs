//! The pages for everybody: HTML without a script, in the dashboard's colours.

mod course;
mod drawing;
mod figures;
pub(super) mod leaderboard;
pub(super) mod player;
mod refusal;

use axum::http::header;
use maud::{DOCTYPE, Markup, html};

use crate::domain::{PlayerDisplayName, PlayerId, PoolName};
use crate::service::Pool;

pub(super) use refusal::for_reader;

/// Headers of a page: cached as long as in the instance, with no content but its own style, and in no frame.
pub(super) const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "public, max-age=15"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// What a page is called, and what a link to it shows elsewhere.
struct Head<'text> {
    title: &'text str,
    description: &'text str,
    /// `website` or `profile`.
    kind: &'static str,
    /// Whether it may be found by search engines.
    is_indexed: bool,
}

/// A whole page.
fn page(head: &Head, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if !head.is_indexed { meta name="robots" content="noindex"; }
                title { (head.title) }
                meta name="description" content=(head.description);
                meta property="og:title" content=(head.title);
                meta property="og:description" content=(head.description);
                meta property="og:type" content=(head.kind);
                meta name="twitter:card" content="summary";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/public.css";
            }
            body.public { (content) }
        }
    }
}

/// What the pages of the pool are headed.
fn title(pool: &Pool) -> String {
    match pool.settings.leaderboard.title() {
        Some(title) => title.to_owned(),
        None if pool.name == PoolName::default() => "Leaderboard".to_owned(),
        None => format!("Leaderboard of {}", pool.name),
    }
}

/// A table that scrolls by itself where the screen is too narrow: what it is called, its caption, the cells of its head,
/// and its rows.
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

/// A player in a list: the name where the pool shows names, else the id, with the way to more. Of somebody whose id is
/// not shown it is what stands in its place.
fn player_label(
    pool: &Pool,
    id: PlayerId,
    name: Option<&PlayerDisplayName>,
    id_hidden: bool,
) -> Markup {
    let shown = name.filter(|_| id_hidden || pool.settings.leaderboard.shows_names());
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

/// Where Steam has a player.
fn steam_address(player: PlayerId) -> String {
    format!("https://steamcommunity.com/profiles/{player}")
}

/// The address of the pool's leaderboard, with more of a query behind it.
fn leaderboard_address(pool: &Pool, more: &str) -> String {
    format!("/leaderboard?pool={}{more}", pool.name)
}

/// The address of a player's page.
fn player_address(pool: &Pool, player: PlayerId) -> String {
    format!("/players/{player}?pool={}", pool.name)
}
