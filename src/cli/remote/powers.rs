use std::fmt::{Error, Write as _};

use crate::api::{NamedPowerAnswer, PastGameAnswer, PlayerPowersAnswer};
use crate::cli::terminal::figures::number;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::domain::{ModeName, StatCount};

/// How many of the games are printed.
const SHOWN: usize = 20;

/// What a player is worth by each power, and the last games.
pub(super) fn text(answer: &PlayerPowersAnswer) -> Result<Output, Error> {
    let mut text = Output::new();
    let mode = answer.mode.as_ref().map_or("any mode", ModeName::as_str);
    match &answer.name {
        Some(name) => writeln!(text, "Player:  {}", visible(name.as_str()))?,
        None => writeln!(text, "Player:  {}", answer.id)?,
    }
    writeln!(text, "Pool:    {}", answer.pool)?;
    writeln!(text, "For:     games of {mode}")?;
    let powers = Table::new(&answer.powers)
        .left("power", |power| &power.name)
        .right("value", |power| number(power.power, 3))
        .left("from", origin);
    writeln!(text)?;
    text.table(powers);
    let last = &answer.games[..answer.games.len().min(SHOWN)];
    if last.is_empty() {
        return Ok(text);
    }
    let of = |game: &PastGameAnswer, count: fn(&PastGameAnswer) -> Option<StatCount>| {
        count(game).map_or_else(|| "-".to_owned(), |count| count.to_string())
    };
    let games = Table::new(last)
        .moment("ended", |game| Some(game.ended_at))
        .elastic("mode", |game| {
            game.mode.as_ref().map_or("-", ModeName::as_str).to_owned()
        })
        .right("place", |game| match (game.place, game.of) {
            (Some(place), Some(of)) => format!("{place} of {of}"),
            _ => "-".to_owned(),
        })
        .right("score", |game| {
            let score = game.stats.as_ref().and_then(|stats| stats.score);
            score.map_or_else(|| "-".to_owned(), |score| score.to_string())
        })
        .right("kills", |game| of(game, |game| game.stats.as_ref()?.kills))
        .right("deaths", |game| {
            of(game, |game| game.stats.as_ref()?.deaths)
        })
        .right("assists", |game| {
            of(game, |game| game.stats.as_ref()?.assists)
        });
    writeln!(text)?;
    text.table(games);
    let others = u64::try_from(answer.games.len() - last.len()).unwrap_or(u64::MAX);
    if others > 0 {
        writeln!(
            text,
            "and {}; --json has all",
            plural(others, "earlier game")
        )?;
    }
    Ok(text)
}

fn origin(power: &NamedPowerAnswer) -> String {
    let games = power.games.and_then(|games| u64::try_from(games).ok());
    let games = plural(games.unwrap_or_default(), "game");
    match (power.from.as_deref(), power.games_of.as_deref()) {
        (Some("rating"), _) => "the rating".to_owned(),
        (Some("newcomer"), _) => "what newcomers get".to_owned(),
        (Some("games"), Some("set")) => format!("{games} of the mode and mutators"),
        (Some("games"), Some("mode")) => format!("{games} of the mode"),
        (Some("games"), _) => games,
        _ => "too few games".to_owned(),
    }
}
