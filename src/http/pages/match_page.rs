//! Public page of a round.

use maud::{Markup, html};

use super::figures::{change, minute, percent, points};
use super::{card, direction, leaderboard_address, page, player_label, table, title};
use crate::domain::{PlayerEntry, Side, Winner};
use crate::service::{Pool, PublicMatch};

/// Path of rounds' public pages, before the server and the id of the round.
pub(crate) const PATH: &str = "/matches/";

const VOID: &str = "This round was voided and does not count.";

pub(crate) fn match_page(pool: &Pool, shown: &PublicMatch) -> Markup {
    let round = &shown.round.round;
    let map = round.map.as_ref().map(|map| format!("{map} on "));
    let name = format!("{}{}", map.unwrap_or_default(), round.server);
    let odds = [round.win_probability.a, round.win_probability.b]
        .map(|odds| percent(odds.get()))
        .join(" to ");
    let result = match round.winner {
        Winner::A => "Team A won",
        Winner::B => "Team B won",
        Winner::Draw => "Draw",
    };
    let why = why(shown);
    let content = html! {
        header {
            nav aria-label="Back" { a href=(leaderboard_address(pool, "")) { (title(pool)) } }
            h1 dir="auto" { (name) }
            p.muted { "Ended on " time datetime=(round.ended_at) { (minute(round.ended_at)) " UTC" } " · round " (round.round_id) }
        }
        main {
            @if shown.is_void { p.notice { (VOID) } }
            div.cards {
                (card("Result", result, "", ""))
                (card("Odds before", &odds, "team A to team B", ""))
            }
            section.panel {
                h2 { "Why these teams" }
                p { (why) }
                @if shown.split.is_some() {
                    p.explanation { "Players who joined after that, or moved to the other team, are marked." }
                }
            }
            div.panels {
                (team(pool, shown, (Side::A, "Team A"), &shown.round.team_a))
                (team(pool, shown, (Side::B, "Team B"), &shown.round.team_b))
            }
        }
        footer { "Times are UTC. The figures may be a few seconds old." }
    };
    let heading = format!("{name} · {}", title(pool));
    let description = if shown.is_void {
        VOID.to_owned()
    } else {
        format!("{result}; the odds were {odds}. {why}")
    };
    page(&heading, &description, false, &content)
}

/// Says in plain text whether a scramble made the teams of a round, and which.
fn why(shown: &PublicMatch) -> String {
    match (shown.scrambled_at.map(minute), &shown.split) {
        (None, _) => {
            "RBS has no record of a scramble before this round: it computed none, or the record is no longer stored."
                .to_owned()
        }
        (Some(at), Some((message, _))) => format!("RBS made these teams on {at} UTC: {message}"),
        (Some(at), None) => {
            format!("RBS computed a scramble on {at} UTC, but other teams played.")
        }
    }
}

/// Renders the players of a team, and marks those who joined it after the scramble.
fn team(
    pool: &Pool,
    shown: &PublicMatch,
    (side, name): (Side, &str),
    entries: &[PlayerEntry],
) -> Markup {
    let rated = &shown.round.players;
    let has_ratings = pool.settings.leaderboard.shows_ratings() && !shown.is_void;
    let since_split = |entry: &PlayerEntry| {
        let (_, teams) = shown.split.as_ref()?;
        teams.change(entry.id, Some(side))
    };
    let head = html! {
        th scope="col" { "Player" }
        @if has_ratings {
            th.number scope="col" { "Rating" }
            th.number scope="col" { "Change" }
        }
    };
    let rows = html! {
        @for entry in entries {
            @let its = rated.iter().map(|one| &one.player).find(|one| one.id == entry.id && one.team == side);
            tr {
                th scope="row" {
                    (player_label(pool, entry.id, shown.names.of_player(entry.id).as_ref(), shown.names.hides_id(entry.id)))
                    @if let Some(moved) = since_split(entry) { span.tag { (moved) } }
                }
                @if has_ratings {
                    @if let Some(its) = its.filter(|its| its.visible) {
                        td.number { (points(its.before.points())) }
                        td.number { span.gain.(direction(its.delta)) { (change(its.delta)) } }
                    } @else {
                        td.number { (if its.is_some() { "hidden" } else { "–" }) }
                        td.number { "–" }
                    }
                }
            }
        }
    };
    html! {
        section.panel {
            h2 { (name) }
            (table(name, name, &head, &rows))
        }
    }
}
