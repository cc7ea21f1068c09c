//! Public leaderboard of a pool.

use std::sync::Arc;

use maud::{Markup, html};

use super::drawing::{distribution, share};
use super::figures::{change, count, day, minute, percent, plural, points};
use super::{direction, leaderboard_address, page, table, title};
use crate::api::{DivisionAnswer, PlayerCardAnswer, RankedPlayerAnswer};
use crate::service::{Pool, PublicLeaderboard};

pub(crate) const PATH: &str = "/leaderboard";

/// Renders the public leaderboard of a pool. The pool's settings decide if it shows ratings, or divisions alone.
pub(crate) fn leaderboard_page(
    pool: &Pool,
    others: &[Arc<Pool>],
    shown: &PublicLeaderboard,
) -> Markup {
    let title = title(pool);
    let shows_ratings = pool.settings.leaderboard.shows_ratings();
    let description = description(shown, shows_ratings);
    let content = html! {
        header {
            h1 { (title) }
            p.muted {
                (ranked(shown.ranked)) ", as of "
                time datetime=(shown.computed_at) { (minute(shown.computed_at)) " UTC" } "."
            }
            @if !others.is_empty() {
                nav aria-label="Other leaderboards" {
                    @for other in others { a href=(leaderboard_address(other, "")) { (super::title(other)) } }
                }
            }
        }
        main {
            @if shown.ranked > 0 {
                (finders(pool, shown.ranked))
                (ranking(pool, shown))
                (pages(pool, shown))
                @if shows_ratings { (ratings_panel(shown)) }
                @if !shown.divisions.is_empty() { (divisions_panel(&shown.divisions, shown.ranked, None)) }
            } @else {
                p.notice { "Nobody has a rank yet: " (requirements(pool)) " Come back after some more rounds." }
            }
            (explanation(pool, shown))
        }
        footer { "Times are UTC. The figures may be a few seconds old." }
    };
    page(&title, &description, true, &content)
}

pub(crate) fn found_page(pool: &Pool, search: &str, found: &[PlayerCardAnswer]) -> Markup {
    let title = title(pool);
    let head_cells = html! {
        th scope="col" { "Player" }
        th.number scope="col" { "Rank" }
        @if pool.settings.leaderboard.shows_ratings() { th.number scope="col" { "Rating" } }
        th.number scope="col" { "Rounds" }
    };
    let rows = html! { @for player in found { (found_row(pool, player)) } };
    let content = html! {
        header {
            nav aria-label="Back" { a href=(leaderboard_address(pool, "")) { (title) } }
            h1 { "Players found: " (count(u64::try_from(found.len()).unwrap_or(u64::MAX))) }
        }
        main {
            div.finders { (finder(pool, search)) }
            @if found.is_empty() {
                p.notice { "No player of this pool matches. Write a Steam id as 76561197960265729, STEAM_0:1:0 or [U:1:1]." }
            } @else {
                (table("Players found", "Players found", &head_cells, &rows))
            }
        }
    };
    page(&format!("{search} · {title}"), &title, false, &content)
}

fn found_row(pool: &Pool, player: &PlayerCardAnswer) -> Markup {
    let in_list =
        |rank: u64| leaderboard_address(pool, &format!("&from={rank}#player-{}", player.id));
    html! {
        tr {
            th scope="row" { (super::player_label(pool, player.id, player.name.as_ref(), false)) }
            td.number {
                @if let Some(rank) = player.rank { a href=(in_list(rank)) { (count(rank)) } }
                @else if player.rounds_until_visible > 0 { "after " (plural(player.rounds_until_visible.into(), "more round")) }
                @else { "not played for too long" }
            }
            @if pool.settings.leaderboard.shows_ratings() {
                td.number { @if player.visible { (points(player.rating.points())) } @else { "hidden" } }
            }
            td.number { (count(player.rounds.into())) }
        }
    }
}

/// Returns the text that a preview of a link to the leaderboard page shows.
fn description(shown: &PublicLeaderboard, shows_ratings: bool) -> String {
    let first = shown.players.first().filter(|_| shown.before == 0);
    match first {
        Some(best) if shows_ratings => format!(
            "{}. The best is rated {}.",
            ranked(shown.ranked),
            points(best.rating.points())
        ),
        _ => format!("{}.", ranked(shown.ranked)),
    }
}

fn ranked(players: u64) -> String {
    match players {
        0 => "Nobody has a rank yet".to_owned(),
        1 => "1 player has a rank".to_owned(),
        _ => format!("{} have a rank", plural(players, "player")),
    }
}

fn finders(pool: &Pool, ranked: u64) -> Markup {
    html! {
        div.finders {
            (finder(pool, ""))
            form action=(PATH) method="get" {
                input type="hidden" name="pool" value=(pool.name);
                div {
                    label for="from" { "Go to a rank" }
                    input.rank id="from" name="from" type="number" inputmode="numeric" min="1" max=(ranked) required;
                }
                button.button type="submit" { "Go" }
            }
        }
    }
}

fn finder(pool: &Pool, search: &str) -> Markup {
    let wanted = if pool.settings.leaderboard.names {
        "Name or Steam id"
    } else {
        "Steam id"
    };
    html! {
        form action=(PATH) method="get" role="search" {
            input type="hidden" name="pool" value=(pool.name);
            div.wide-field {
                label for="search" { "Find a player" }
                input id="search" name="search" type="search" value=(search) placeholder=(wanted) required maxlength="128" autocomplete="off" spellcheck="false";
            }
            button.button type="submit" { "Find" }
        }
    }
}

fn ranking(pool: &Pool, shown: &PublicLeaderboard) -> Markup {
    let shows_ratings = pool.settings.leaderboard.shows_ratings();
    let has_divisions = !shown.divisions.is_empty();
    let head = html! {
        th.number scope="col" { "Rank" }
        th scope="col" { "Player" }
        @if shows_ratings { th.number scope="col" { "Rating" } }
        @if has_divisions { th.beside[shows_ratings] scope="col" { "Division" } }
        @if shows_ratings { th.number.beside scope="col" { "30 days" } }
        th.number scope="col" { "Rounds" }
        th.number.beside scope="col" { "Last played" }
    };
    let rows = html! { @for player in &shown.players { (row(pool, player, has_divisions)) } };
    table("Players by rating", "Players by rating", &head, &rows)
}

fn row(pool: &Pool, player: &RankedPlayerAnswer, has_divisions: bool) -> Markup {
    let shows_ratings = pool.settings.leaderboard.shows_ratings();
    let gained = player.change_30_days.unwrap_or_default();
    html! {
        tr id=[(!player.id_hidden).then(|| format!("player-{}", player.id))] {
            td.number { (count(player.rank)) }
            th scope="row" { (super::player_label(pool, player.id, player.name.as_ref(), player.id_hidden)) @if player.placing_rounds > 0 { " (placing)" } }
            @if shows_ratings { td.number { (points(player.rating.points())) } }
            @if has_divisions { td.beside[shows_ratings] { (player.division.as_deref().unwrap_or("–")) } }
            @if shows_ratings { td.number.beside { span.gain.(direction(gained)) { (change(gained)) } } }
            td.number { (count(player.rounds.into())) }
            td.number.beside { @if let Some(last) = player.last_played { time datetime=(last) { (day(last)) } } }
        }
    }
}

/// Renders the shown places of the leaderboard, and links to its other pages.
fn pages(pool: &Pool, shown: &PublicLeaderboard) -> Markup {
    let size = u64::from(PublicLeaderboard::PLAYERS);
    let listed = u64::try_from(shown.players.len()).unwrap_or(u64::MAX);
    let last = shown.before + listed;
    let from = |place: u64| leaderboard_address(pool, &format!("&from={place}"));
    html! {
        nav.pages aria-label="Pages" {
            @if shown.before > 0 {
                @if shown.before > size { a.button href=(leaderboard_address(pool, "")) { "To the top" } }
                a.button href=(from(shown.before + 1 - size)) { "Higher" }
            }
            @if last < shown.ranked { a.button href=(from(last + 1)) { "Lower" } }
            span.muted { "Places " (count(shown.before + 1)) " to " (count(last)) " of " (count(shown.ranked)) }
        }
    }
}

fn ratings_panel(shown: &PublicLeaderboard) -> Markup {
    let bins = &shown.distribution;
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return html! {};
    };
    let summary = format!(
        "Number of players by rating, from {} to {}",
        points(first.from),
        points(last.to)
    );
    html! {
        section.panel {
            h2 { "How the ratings are distributed" }
            p.explanation { "Number of ranked players by rating." }
            (distribution(bins, None, &summary))
        }
    }
}

/// Renders the number of ranked players in each division, and highlights the division `here`.
pub(super) fn divisions_panel(
    divisions: &[DivisionAnswer],
    ranked: u64,
    here: Option<&str>,
) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "players number far below 2^53")]
    let share_of = |players: u64| percent(players as f64 / ranked.max(1) as f64);
    let head = html! {
        th scope="col" { "Division" }
        th.number scope="col" { "Better than" }
        th.number scope="col" { "Players" }
        th scope="col" { span.unseen { "Share" } }
    };
    let rows = html! {
        @for division in divisions {
            @let is_here = here == Some(division.name.as_str());
            tr {
                th scope="row" { (division.name) @if is_here { span.tag { "here" } } }
                td.number { (division.from_percentile) " %" }
                td.number { (count(division.players)) " (" (share_of(division.players)) ")" }
                td.share-cell { (share(division.players, ranked, is_here)) }
            }
        }
    };
    html! {
        section.panel {
            h2 { "Divisions" }
            p.explanation { "To reach a division, a player must be better than the given share of ranked players." }
            (table("Divisions", "Players in each division", &head, &rows))
        }
    }
}

/// Returns the condition for a player's rank on the leaderboard, in words.
pub(super) fn requirements(pool: &Pool) -> String {
    let parameters = &pool.settings.parameters;
    let days = plural(parameters.stale_days.into(), "day");
    match parameters.shadow_rounds {
        0 => format!("a player keeps a rank for {days} after their last round."),
        rounds => format!(
            "a player gets a rank after {}, and keeps it for {days} after their last round.",
            plural(rounds.into(), "round")
        ),
    }
}

fn explanation(pool: &Pool, shown: &PublicLeaderboard) -> Markup {
    let parameters = &pool.settings.parameters;
    html! {
        details.panel {
            summary { "Why is a player missing, and what do the figures mean?" }
            ul {
                li { "Rank: " (requirements(pool)) " After a longer break, one more round brings the rank back." }
                @if parameters.shadow_rounds > 0 {
                    li { "A player's rating is hidden for the first " (plural(parameters.shadow_rounds.into(), "round")) ", which are needed to estimate it." }
                }
                li { "Equal ratings share a rank." }
                @if pool.settings.leaderboard.shows_ratings() {
                    li { "30 days: how much the rating has changed in the last 30 days." }
                }
                @if !shown.divisions.is_empty() {
                    li { "A player's division depends on the share of players rated lower, so it can change even if the player does not play." }
                }
            }
        }
    }
}
