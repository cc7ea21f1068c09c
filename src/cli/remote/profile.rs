//! How a player does among the others, as `rbs player show` has it.

use std::fmt;
use std::fmt::Write as _;

use crate::api::{ProfileAnswer, RecordAnswer, ResultName, StreakAnswer};
use crate::cli::terminal::figures::moment;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::words::plural;

pub(super) fn text(profile: &ProfileAnswer) -> Result<Output, fmt::Error> {
    let mut text = Output::new();
    let rank = match profile.rank {
        Some(rank) => format!("{rank} of {}{}", profile.ranked, better_than(profile)),
        None if profile.rounds_until_visible > 0 => {
            let rounds = plural(profile.rounds_until_visible.into(), "more round");
            format!("none, which takes {rounds}")
        }
        None => "none until the next round: the last was too long ago".to_owned(),
    };
    writeln!(text, "\nRank:         {rank}")?;
    if profile.player.placing_rounds > 0 {
        let rounds = plural(profile.player.placing_rounds.into(), "more round");
        writeln!(text, "Placing:      {rounds} of the season")?;
    }
    if let Some(division) = &profile.division {
        let next = profile.next_division.as_ref().map(|next| {
            let points = plural(u64::from(next.points.unsigned_abs()), "point");
            format!("; {points} to {}", next.name)
        });
        writeln!(text, "Division:     {division}{}", next.unwrap_or_default())?;
    }
    record(&mut text, &profile.record)?;
    for season in &profile.seasons {
        let name = season
            .name
            .as_ref()
            .map_or("before the first", |name| name.as_str());
        let rank = season
            .rank
            .map(|rank| format!("rank {rank}, "))
            .unwrap_or_default();
        let rounds = plural(season.rounds.into(), "round");
        writeln!(
            text,
            "Season {}:     {name}: {rank}{} after {rounds}",
            season.number, season.rating
        )?;
    }
    Ok(text)
}

/// Rounded down, so that nobody seems better than everybody who is not.
fn better_than(profile: &ProfileAnswer) -> String {
    let share = profile.better_than.map(|share| {
        let percent = (share * 1000.0 + 1e-9).floor() / 10.0;
        format!(", better than {percent:.1} % of the others")
    });
    share.unwrap_or_default()
}

fn record(text: &mut Output, record: &RecordAnswer) -> fmt::Result {
    let tally = &record.tally;
    if tally.rounds == 0 {
        return Ok(());
    }
    writeln!(
        text,
        "Record:       {} won, {} drawn, {} lost; {:+.1} beyond what was predicted",
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
