//! Log losses by group of rounds: experience of the players, team size, or map.

use std::collections::{BTreeMap, HashMap};

use maud::{Markup, html};

use super::{Predictions, color};
use crate::scale::Scale;
use rbs::domain::{PlayerId, Round, Side};

/// Maximum number of rows of a plot. Groups with the most rounds are shown.
const MAX: usize = 12;
/// Minimum number of rounds of a group. Smaller groups carry no information.
const MIN: usize = 20;
/// Lower bounds of the experience groups, in mean rounds per player.
const EXPERIENCE: [u32; 8] = [0, 5, 10, 20, 50, 100, 200, 500];
const WIDTH: f64 = 960.0;
const LEFT: f64 = 220.0;
const ROW: f64 = 14.0;
const NORMAL_95: f64 = 1.96;

pub(super) struct Division {
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    groups: Vec<Group>,
}

struct Group {
    name: String,
    /// Indices of its scored rounds.
    rounds: Vec<usize>,
}

/// Every division with several groups. Of the `rated` rounds, those from `first` on were scored.
pub(super) fn of(models: &[Predictions], rated: &[Round], first: usize) -> Vec<Division> {
    debug_assert!(
        models
            .iter()
            .all(|model| model.predicted.len() == rated.len() - first)
    );
    let experience = by_experience(rated, first);
    let sizes = most_played(rated, first, |round| Some(sizes(round)));
    let maps = most_played(rated, first, |round| {
        let map = round.parts().map.as_ref();
        map.map(|map| map.as_str().to_owned())
    });
    let divisions = [
        Division {
            title: "By experience",
            about: "Rounds by the mean number of rounds that their players had been rated in before.",
            groups: experience,
        },
        Division {
            title: "By team size",
            about: "The sizes of the teams at the start, the larger one first.",
            groups: sizes,
        },
        Division {
            title: "By map",
            about: "The maps that were played most.",
            groups: maps,
        },
    ];
    let divisions = divisions.into_iter().map(|mut of| {
        of.groups.retain(|group| group.rounds.len() >= MIN);
        of
    });
    divisions.filter(|of| of.groups.len() > 1).collect()
}

fn by_experience(rated: &[Round], first: usize) -> Vec<Group> {
    let mut played: HashMap<PlayerId, u32> = HashMap::new();
    let mut groups: Vec<Group> = EXPERIENCE
        .iter()
        .zip(EXPERIENCE.iter().skip(1).map(Some).chain([None]))
        .map(|(from, to)| Group {
            name: to.map_or_else(
                || format!("{from} or more rounds"),
                |to| format!("{from} to {} rounds", to - 1),
            ),
            rounds: Vec::new(),
        })
        .collect();
    for (number, round) in rated.iter().enumerate() {
        let roster = round.entries().filter(|(_, entry)| entry.at_start);
        let (sum, count) = roster.fold((0.0, 0.0), |(sum, count), (_, entry)| {
            let rounds = played.get(&entry.id).copied().unwrap_or_default();
            (sum + f64::from(rounds), count + 1.0)
        });
        if number >= first && count > 0.0 {
            let mean: f64 = sum / count;
            let group = EXPERIENCE.partition_point(|from| f64::from(*from) <= mean) - 1;
            groups[group].rounds.push(number - first);
        }
        for (_, entry) in round.participants() {
            *played.entry(entry.id).or_default() += 1;
        }
    }
    groups
}

fn sizes(round: &Round) -> String {
    let heads = |side| {
        let entries = round.entries();
        entries
            .filter(|(of, entry)| *of == side && entry.at_start)
            .count()
    };
    let (a, b) = (heads(Side::A), heads(Side::B));
    format!("{} v {}", a.max(b), a.min(b))
}

/// Returns the groups with the most rounds.
fn most_played(
    rated: &[Round],
    first: usize,
    name: impl Fn(&Round) -> Option<String>,
) -> Vec<Group> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, round) in rated[first..].iter().enumerate() {
        if let Some(name) = name(round) {
            groups.entry(name).or_default().push(number);
        }
    }
    let groups = groups.into_iter();
    let mut groups: Vec<Group> = groups
        .map(|(name, rounds)| Group { name, rounds })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.rounds.len()));
    groups.truncate(MAX);
    groups
}

/// Mean loss of a group, with its 95 % interval.
fn loss(model: &Predictions, rounds: &[usize]) -> (f64, f64) {
    #[expect(clippy::cast_precision_loss, reason = "rounds are far below 2^53")]
    let count = rounds.len().max(1) as f64;
    let losses = rounds.iter().filter_map(|number| model.loss(*number));
    let mean = losses.clone().sum::<f64>() / count;
    let squares = losses
        .map(|loss| (loss - mean) * (loss - mean))
        .sum::<f64>();
    let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
    (mean, NORMAL_95 * error)
}

/// Plots one row per group, with one dot per model.
pub(super) fn plot(models: &[Predictions], division: &Division) -> Markup {
    let rows: Vec<(&Group, Vec<(f64, f64)>)> = division
        .groups
        .iter()
        .map(|group| {
            let losses = models.iter().map(|model| loss(model, &group.rounds));
            (group, losses.collect())
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "a plot has few rows")]
    let number = |count: usize| count as f64;
    let band = ROW * number(models.len()) + 10.0;
    let height = band * number(rows.len()) + 30.0;
    let ends = rows.iter().flat_map(|(_, losses)| losses);
    // Small groups have wide intervals, which must not compress the scale of the others.
    let ends = ends.flat_map(|(mean, reach)| [mean - reach.min(0.15), mean + reach.min(0.15)]);
    let x = Scale::around(ends, (LEFT, WIDTH - 10.0));
    let clamped = |loss: f64| format!("{:.1}", x.place(loss).clamp(LEFT, WIDTH - 10.0));
    html! {
        div class="wide" {
            svg width=(WIDTH) height=(height) viewBox={ "0 0 " (WIDTH) " " (height) } role="img"
                aria-label={ "Log loss: " (division.title) } {
                @for (mark, text) in x.marks() {
                    path class="grid" d={ "M" (x.at(mark)) " 4V" (height - 22.0) } {}
                    text class="faint" x=(x.at(mark)) y=(height - 6.0) text-anchor="middle" { (text) }
                }
                @for (row, (group, losses)) in rows.iter().enumerate() {
                    @let top = band * number(row) + 8.0;
                    @if row > 0 { path class="grid" d={ "M0 " (top - 5.0) "H" (WIDTH - 10.0) } {} }
                    text x=(LEFT - 10.0) y=(top + band / 2.0 - 8.0) text-anchor="end" { (short(&group.name)) }
                    text class="faint" x=(LEFT - 10.0) y=(top + band / 2.0 + 6.0) text-anchor="end" {
                        (group.rounds.len()) " scored"
                    }
                    @for (index, (mean, reach)) in losses.iter().enumerate() {
                        @let y = top + ROW * (number(index) + 0.5);
                        path stroke=(color(index)) stroke-width="2"
                            d={ "M" (clamped(mean - reach)) " " (y) "H" (clamped(mean + reach)) } {}
                        circle cx=(clamped(*mean)) cy=(y) r="4" fill=(color(index)) {
                            title { (models[index].model) ": " (format!("{mean:.4} ± {reach:.4}")) }
                        }
                    }
                }
            }
        }
        details {
            summary { "In numbers" }
            div class="wide" {
                table {
                    tr {
                        th scope="col" { "group" }
                        th scope="col" { "rounds" }
                        @for model in models { th scope="col" { (model.model) } }
                    }
                    @for (group, losses) in &rows {
                        tr {
                            td { (group.name) }
                            td { (group.rounds.len()) }
                            @for (mean, reach) in losses { td { (format!("{mean:.4} ± {reach:.4}")) } }
                        }
                    }
                }
            }
        }
    }
}

/// Shortens a name to fit next to a plot.
fn short(name: &str) -> String {
    if name.chars().count() <= 28 {
        return name.to_owned();
    }
    name.chars().take(27).chain(['…']).collect()
}
