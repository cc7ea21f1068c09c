//! Rating charts of the player page.

use maud::{Markup, html};

use super::drawing::course;
use super::figures::{day, points};
use crate::api::PlayerPointAnswer;

pub(super) fn courses(all: &[PlayerPointAnswer]) -> Markup {
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return html! {};
    };
    // A late round is drawn at its place in the log, so that no line runs backwards.
    let mut latest = f64::MIN;
    #[expect(clippy::cast_precision_loss, reason = "a place in a drawing")]
    let by_time: Vec<(f64, i32)> = all
        .iter()
        .map(|point| {
            latest = latest.max(point.at.unix_micros() as f64);
            (latest, point.rating.points())
        })
        .collect();
    let mut number = 0;
    #[expect(clippy::cast_precision_loss, reason = "rounds number far below 2^53")]
    let by_round: Vec<(f64, i32)> = all
        .iter()
        .map(|point| {
            number = point.round_number.unwrap_or(number);
            (number as f64, point.rating.points())
        })
        .collect();
    let first_number = by_round.first().map_or(0.0, |at| at.0);
    let summary = format!(
        "from {} on {} to {} on {}",
        points(first.rating.points()),
        day(first.at),
        points(last.rating.points()),
        day(last.at)
    );
    html! {
        div.panels {
            section.panel {
                h2 { "Rating over time" }
                (course(&by_time, &[day(first.at), day(last.at)], &format!("The rating over time, {summary}")))
            }
            section.panel {
                h2 { "Rating by round" }
                (course(&by_round, &[format!("round {first_number:.0}"), format!("round {number}")], &format!("The rating by round, {summary}")))
            }
        }
    }
}
