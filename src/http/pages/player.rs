//! Public page of a player.

use maud::{Markup, html};

use super::drawing::{course, distribution};
use super::figures::{change, count, day, minute, percent, percent_below, plural, points, tenths};
use super::leaderboard::{divisions_panel, requirements};
use super::{
    card, direction, leaderboard_address, match_address, page, player_label, steam_address, table,
    title,
};
use crate::api::{
    LastRoundAnswer, NextDivisionAnswer, OtherPlayerAnswer, ProfileAnswer, StreakAnswer,
    TallyAnswer,
};
use crate::domain::Score;
use crate::service::{Pool, PublicPlayer};

/// Path of players' public pages, before the player's id.
pub(crate) const PATH: &str = "/players/";

/// Maximum number of teammates, and of opponents, on a player's page.
const OTHERS: usize = 10;
/// Minimum number of ranked players for which a player's page says how many the player is better than.
const MANY: u64 = 10;

/// A player's figures for the public page. `numbers` is `true` if the rating, and every figure that reveals it, may be
/// shown: the pool shows ratings, and the player's is not hidden.
struct Shown<'page> {
    pool: &'page Pool,
    profile: &'page ProfileAnswer,
    numbers: bool,
}

pub(crate) fn player_page(pool: &Pool, player: &PublicPlayer) -> Markup {
    let profile = &player.profile;
    let shown = Shown {
        pool,
        profile,
        numbers: pool.settings.leaderboard.shows_ratings() && profile.player.visible,
    };
    let name = profile
        .player
        .name
        .as_ref()
        .filter(|_| pool.settings.leaderboard.names)
        .map_or_else(|| profile.player.id.to_string(), ToString::to_string);
    let steam = steam_address(profile.player.id);
    let content = html! {
        header {
            nav aria-label="Back" { a href=(shown.place_in_leaderboard()) { (title(pool)) } }
            h1 dir="auto" { (name) }
            p.muted {
                @if let Some(last) = profile.player.last_played { "Last played on " time datetime=(last) { (day(last)) } " · " }
                a href=(steam) rel="nofollow" { "Steam profile" }
            }
        }
        main {
            (shown.notices())
            (shown.cards())
            @if profile.rank.is_some() { (shown.standing()) }
            @if shown.numbers {
                section.panel {
                    h2 { "Rating over time" }
                    p.explanation {
                        "A win can now add up to " (format!("{:.0}", player.k)) " points. "
                        "Rounds usually move a rating less once it has settled."
                    }
                    (course(&player.history.points))
                }
            }
            div.panels {
                @if profile.recent.by_map.iter().any(|one| one.map.is_some()) {
                    (shown.tallies("Maps", "Map", profile.recent.by_map.iter().map(|one| {
                        let map = one.map.as_ref().map_or("not reported", |map| map.as_str());
                        (html! { span.name { (map) } }, &one.tally)
                    })))
                }
                (shown.tallies("Servers", "Server", profile.recent.by_server.iter().map(|one| {
                    (html! { span.name { (one.server) } }, &one.tally)
                })))
                (shown.tallies("Played with", "Player", shown.others(&profile.recent.partners)))
                (shown.tallies("Played against", "Player", shown.others(&profile.recent.opponents)))
            }
            (shown.last_rounds())
        }
        footer {
            "Times are UTC; figures as of "
            time datetime=(profile.computed_at) { (minute(profile.computed_at)) " UTC" }
            "."
        }
    };
    let heading = format!("{name} · {}", title(pool));
    page(&heading, &shown.description(), false, &content)
}

impl Shown<'_> {
    fn description(&self) -> String {
        let profile = self.profile;
        let mut parts = Vec::new();
        if let Some(rank) = profile.rank {
            parts.push(format!("Rank {} of {}", count(rank), count(profile.ranked)));
        }
        parts.extend(self.better_than().map(|than| format!("better than {than}")));
        parts.extend(profile.division.clone());
        if self.numbers {
            parts.push(format!("rated {}", points(profile.player.rating.points())));
        }
        let TallyAnswer { rounds, won, .. } = profile.record.tally;
        parts.push(format!(
            "won {} of {}",
            count(won.into()),
            plural(rounds.into(), "round")
        ));
        parts.join(", ")
    }

    /// Returns the address of the leaderboard, at the player's place if the player has a rank.
    fn place_in_leaderboard(&self) -> String {
        let place = self
            .profile
            .rank
            .map(|rank| format!("&from={rank}#player-{}", self.profile.player.id));
        leaderboard_address(self.pool, &place.unwrap_or_default())
    }

    /// Renders the reason why the player has no rank or no visible rating.
    fn notices(&self) -> Markup {
        let profile = self.profile;
        let stale_days = self.pool.settings.parameters.stale_days;
        html! {
            @if profile.player.placing_rounds > 0 && profile.player.visible {
                p.notice {
                    "Not placed yet: " (plural(profile.player.placing_rounds.into(), "more round")) " needed in this season."
                }
            }
            @if !profile.player.visible {
                p.notice {
                    "The rating is shown after " (plural(profile.rounds_until_visible.into(), "more round")) ". "
                    "The first rounds are needed to estimate it."
                }
            } @else if profile.player.stale {
                p.notice {
                    "No rank at the moment: the last round was more than "
                    (plural(stale_days.into(), "day")) " ago. One more round brings it back."
                }
            } @else if profile.rank.is_none() {
                p.notice { "No rank yet: " (requirements(self.pool)) }
            }
        }
    }

    fn cards(&self) -> Markup {
        let profile = self.profile;
        let record = &profile.record;
        let tally = &record.tally;
        let won = percent(tally.score() / f64::from(tally.rounds.max(1)));
        html! {
            div.cards {
                @if let Some(rank) = profile.rank {
                    (card("Rank", &count(rank), &format!("of {}", plural(profile.ranked, "player")),
                        &self.better_than().map(|than| format!("Better than {than}.")).unwrap_or_default()))
                }
                @if self.numbers {
                    (card("Rating", &points(profile.player.rating.points()), "", &self.peak()))
                }
                @if let Some(division) = &profile.division {
                    (card("Division", division, "", &self.missing(profile.next_division.as_ref())))
                }
                (card("Rounds", &count(tally.rounds.into()),
                    &format!("{} won, {} drawn, {} lost", count(tally.won.into()), count(tally.drawn.into()), count(tally.lost.into())),
                    &if tally.rounds > 0 { format!("{won} of the rounds won; a draw counts half.") } else { String::new() }))
                @if let Some(streak) = &record.streak {
                    (card("Streak", &streak_words(streak), "", &longest(record.longest_winning.as_ref(), record.longest_losing.as_ref())))
                }
            }
        }
    }

    /// Returns the share of the other ranked players who are rated lower, in words. `None` without a rank, or if few
    /// players have one.
    fn better_than(&self) -> Option<String> {
        let profile = self.profile;
        let share = profile.better_than.filter(|_| profile.ranked >= MANY)?;
        let others = count(profile.ranked - 1);
        let share = percent_below(share);
        Some(format!("{share} of the {others} other players"))
    }

    fn peak(&self) -> String {
        let peak = self.profile.record.peak;
        peak.map_or_else(String::new, |peak| {
            format!(
                "The highest was {} on {}.",
                points(peak.rating.points()),
                day(peak.at)
            )
        })
    }

    /// Returns the player's distance to the next division: points if ratings are shown, otherwise ranks.
    fn missing(&self, next: Option<&NextDivisionAnswer>) -> String {
        match next {
            None => "This is the highest division.".to_owned(),
            Some(next) if self.numbers => format!(
                "{} to {}.",
                plural(u64::from(next.points.unsigned_abs()), "point"),
                next.name
            ),
            Some(next) => format!("{} to {}.", plural(next.ranks, "rank"), next.name),
        }
    }

    /// Renders the place of a ranked player among all ranked players.
    fn standing(&self) -> Markup {
        let profile = self.profile;
        if !self.numbers {
            let here = profile.division.as_deref();
            return divisions_panel(&profile.divisions, profile.ranked, here);
        }
        let rating = profile.player.rating.points();
        let here = points(rating);
        let summary = format!("Number of players by rating; this player has {here}");
        html! {
            section.panel {
                h2 { "Among the others" }
                p.explanation { span.here-mark {} "Here: " (here) }
                (distribution(&profile.distribution, Some(rating), &summary))
            }
        }
    }

    fn others<'other>(
        &'other self,
        others: &'other [OtherPlayerAnswer],
    ) -> impl Iterator<Item = (Markup, &'other TallyAnswer)> {
        others.iter().take(OTHERS).map(|other| {
            (
                player_label(self.pool, other.id, other.name.as_ref(), other.id_hidden),
                &other.tally,
            )
        })
    }

    /// Renders a table of the player's rounds and wins in groups, such as by map or by server.
    fn tallies<'tally>(
        &self,
        heading: &str,
        of: &str,
        rows: impl Iterator<Item = (Markup, &'tally TallyAnswer)>,
    ) -> Markup {
        let recent = &self.profile.recent;
        let since = recent.since.map(|since| format!(" since {}", day(since)));
        let head = html! {
            th scope="col" { (of) }
            th.number scope="col" { "Rounds" }
            th.number scope="col" { "Won" }
            th.number.beside scope="col" { "W–D–L" }
            @if self.numbers { th.number scope="col" { "Over odds" } }
        };
        let rows = html! {
            @for (name, tally) in rows {
                tr {
                    th scope="row" { (name) }
                    td.number { (count(tally.rounds.into())) }
                    td.number { (percent(tally.score() / f64::from(tally.rounds.max(1)))) }
                    td.number.beside { (count(tally.won.into())) "–" (count(tally.drawn.into())) "–" (count(tally.lost.into())) }
                    @if self.numbers { td.number { (tenths(tally.excess())) } }
                }
            }
        };
        html! {
            section.panel {
                h2 { (heading) }
                p.explanation { "Of the last " (plural(recent.rounds.into(), "round")) (since.unwrap_or_default()) ", the most played first." }
                (table(heading, heading, &head, &rows))
                @if self.numbers { p.explanation { "W–D–L: rounds won, drawn and lost. Over odds: wins above the predicted number; a draw counts as half a win." } }
            }
        }
    }

    fn last_rounds(&self) -> Markup {
        let head = html! {
            th scope="col" { "Ended" }
            th.beside scope="col" { "Server" }
            th.beside scope="col" { "Map" }
            th scope="col" { "Result" }
            @if self.numbers {
                th.number.beside scope="col" { "K × (result − odds)" }
                th.number scope="col" { "Change" }
                th.number scope="col" { "Rating" }
            }
        };
        let rows = html! { @for round in &self.profile.last_rounds { (self.last_round(round)) } };
        html! {
            section.panel {
                h2 { "Last rounds" }
                @if self.numbers {
                    p.explanation {
                        "The rating changes by K × (result − odds). K is the most that one round can change it; the result is "
                        "1 for a win, 0.5 for a draw and 0 for a loss; the odds are the team's predicted chance to win."
                    }
                }
                (table("Last rounds", "The last rounds of this player", &head, &rows))
            }
        }
    }

    fn last_round(&self, round: &LastRoundAnswer) -> Markup {
        let score = round.winner.score(round.team);
        let result = match score {
            Score::WIN => "won",
            Score::DRAW => "drawn",
            _ => "lost",
        };
        let ended = html! { time datetime=(round.ended_at) { (minute(round.ended_at)) } };
        html! {
            tr {
                th scope="row" {
                    @if self.pool.settings.leaderboard.has_match_pages() {
                        a href=(match_address(self.pool, &round.server, &round.round_id)) rel="nofollow" { (ended) }
                    } @else { (ended) }
                }
                td.beside { span.name { (round.server) } }
                td.beside { @if let Some(map) = &round.map { span.name { (map) } } @else { "–" } }
                td { (result) }
                @if self.numbers {
                    td.number.beside { (format!("{:.1} × ({} − {:.3})", round.k, score.value(), round.win_probability.get())) }
                    td.number { span.gain.(direction(round.delta)) { (change(round.delta)) } }
                    td.number { (points(round.rating.points())) }
                }
            }
        }
    }
}

fn streak_words(streak: &StreakAnswer) -> String {
    format!("{} {}", count(streak.rounds.into()), streak.result)
}

fn longest(winning: Option<&StreakAnswer>, losing: Option<&StreakAnswer>) -> String {
    let longest: Vec<String> = [winning, losing]
        .into_iter()
        .flatten()
        .map(|streak| format!("{} (to {})", streak_words(streak), day(streak.ended_at)))
        .collect();
    if longest.is_empty() {
        String::new()
    } else {
        format!("The longest: {}.", longest.join(", "))
    }
}
