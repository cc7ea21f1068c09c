//! Rating chart of the player page.

use maud::{Markup, html};

use super::drawing::course;
use super::figures::{day, points};
use crate::api::PlayerPointAnswer;

/// Draws a player's rating over time. `movement` says how far the next round can move the rating.
pub(super) fn course_of(all: &[PlayerPointAnswer], movement: &str) -> Markup {
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
    let summary = format!(
        "The rating over time, from {} on {} to {} on {}",
        points(first.rating.points()),
        day(first.at),
        points(last.rating.points()),
        day(last.at)
    );
    html! {
        section.panel {
            h2 { "Rating over time" }
            p.explanation { (movement) }
            (course(&by_time, &[day(first.at), day(last.at)], &summary))
        }
    }
}
