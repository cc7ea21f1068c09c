//! Text of a player's profile for `rbs player show`, and of the powers for `rbs player powers`.

use std::fmt;
use std::fmt::Write as _;

use crate::api::{
    NamedPowerAnswer, PastGameAnswer, PlayerPowersAnswer, ProfileAnswer, RecordAnswer, ResultName,
    StreakAnswer,
};
use crate::cli::terminal::figures::{moment, number, or_dash, or_nothing};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::domain::{ModeName, StatCount, Stats};

pub(super) fn text(profile: &ProfileAnswer, text: &mut Output) -> fmt::Result {
    let rank = match profile.rank {
        Some(rank) => format!("{rank} of {}{}", profile.ranked, better_than(profile)),
        None if profile.rounds_until_visible > 0 => {
            let rounds = plural(profile.rounds_until_visible.into(), "more round");
            format!("none yet, {rounds} needed")
        }
        None => "none until the next round, because the last round was too long ago".to_owned(),
    };
    writeln!(text, "\nRank:         {rank}")?;
    if profile.player.placing_rounds > 0 {
        let rounds = plural(profile.player.placing_rounds.into(), "more round");
        writeln!(
            text,
            "Placed:       not yet, {rounds} needed in this season"
        )?;
    }
    if let Some(division) = &profile.division {
        let next = profile.next_division.as_ref().map(|next| {
            let points = plural(u64::from(next.points.unsigned_abs()), "point");
            format!("; {points} to {}", next.name)
        });
        writeln!(text, "Division:     {division}{}", or_nothing(next))?;
    }
    record(text, &profile.record)?;
    for season in &profile.seasons {
        let name = season
            .name
            .as_ref()
            .map_or("before the first", |name| name.as_str());
        let rank = or_nothing(season.rank.map(|rank| format!("rank {rank}, ")));
        let rounds = plural(season.rounds.into(), "round");
        writeln!(
            text,
            "Season {}:     {name}: {rank}{} after {rounds}",
            season.number, season.rating
        )?;
    }
    Ok(())
}

/// Describes the share of players with a lower rating. Rounded down, so that only the best player is better than all
/// others.
fn better_than(profile: &ProfileAnswer) -> String {
    or_nothing(profile.better_than.map(|share| {
        let percent = (share * 1000.0 + 1e-9).floor() / 10.0;
        format!(", better than {percent:.1} % of the others")
    }))
}

fn record(text: &mut Output, record: &RecordAnswer) -> fmt::Result {
    let tally = &record.tally;
    if tally.rounds == 0 {
        return Ok(());
    }
    writeln!(
        text,
        "Record:       {} won, {} drawn, {} lost; {:+.1} wins compared with the predictions",
        tally.won,
        tally.drawn,
        tally.lost,
        tally.excess()
    )?;
    if let Some(now) = &record.streak {
        let longest = [&record.longest_winning, &record.longest_losing]
            .into_iter()
            .flatten()
            .map(streak)
            .collect::<Vec<_>>()
            .join(", ");
        let longest = if longest.is_empty() {
            longest
        } else {
            format!("; the longest {longest}")
        };
        writeln!(text, "Streak:       {}{longest}", streak(now))?;
    }
    if let Some(peak) = &record.peak {
        writeln!(
            text,
            "Peak:         {} on {} UTC",
            peak.rating,
            moment(peak.at)
        )?;
    }
    Ok(())
}

fn streak(streak: &StreakAnswer) -> String {
    let result = match streak.result {
        ResultName::Won => "won",
        ResultName::Drawn => "drawn",
        ResultName::Lost => "lost",
    };
    format!("{} {result}", streak.rounds)
}

const SHOWN: usize = 20;

pub(super) fn powers_text(answer: &PlayerPowersAnswer, text: &mut Output) -> fmt::Result {
    let mode = answer.mode.as_ref().map_or("any", ModeName::as_str);
    match &answer.name {
        Some(name) => writeln!(text, "Player:  {}", visible(name.as_str()))?,
        None => writeln!(text, "Player:  {}", answer.id)?,
    }
    writeln!(text, "Pool:    {}", answer.pool)?;
    writeln!(text, "Mode:    {mode}")?;
    let powers = Table::new(&answer.powers)
        .left("power", |power| &power.name)
        .right("value", |power| number(power.power, 3))
        .left("from", origin);
    text.next_table(powers);
    let last = &answer.games[..answer.games.len().min(SHOWN)];
    if last.is_empty() {
        return Ok(());
    }
    let stat = |game: &PastGameAnswer, count: fn(&Stats) -> Option<StatCount>| {
        or_dash(game.stats.as_deref().and_then(count))
    };
    let games = Table::new(last)
        .moment("ended", |game| Some(game.ended_at))
        .elastic("mode", |game| or_dash(game.mode.as_ref()))
        .right("place", |game| match (game.place, game.of) {
            (Some(place), Some(of)) => format!("{place} of {of}"),
            _ => "-".to_owned(),
        })
        .right("score", |game| {
            or_dash(game.stats.as_ref().and_then(|stats| stats.score))
        })
        .right("kills", |game| stat(game, |stats| stats.kills))
        .right("deaths", |game| stat(game, |stats| stats.deaths))
        .right("assists", |game| stat(game, |stats| stats.assists));
    text.next_table(games);
    let others = u64::try_from(answer.games.len() - last.len()).unwrap_or(u64::MAX);
    if others > 0 {
        writeln!(
            text,
            "and {}; --json has all",
            plural(others, "earlier game")
        )?;
    }
    Ok(())
}

fn origin(power: &NamedPowerAnswer) -> String {
    let games = power.games.and_then(|games| u64::try_from(games).ok());
    let games = plural(games.unwrap_or_default(), "game");
    match (power.from.as_deref(), power.games_of.as_deref()) {
        (Some("rating"), _) => "the rating".to_owned(),
        (Some("newcomer"), _) => "what newcomers get".to_owned(),
        (Some("games"), Some("set")) => format!("{games} in the requested mode, without mutators"),
        (Some("games"), Some("mode")) => format!("{games} in the requested mode"),
        (Some("games"), _) => games,
        _ => "too few games".to_owned(),
    }
}
