use std::time::Duration;

use super::Tally;
use super::progress::rate;
use crate::rating::PredictionTotals;
use crate::service::{Pool, Quality};

impl Tally {
    /// Good lines so far.
    pub(super) fn done(&self) -> u64 {
        self.counted + self.duplicates + self.changes
    }
}

pub(super) fn print_tally(tally: &Tally, took: Duration) {
    let Tally {
        counted,
        duplicates,
        changes,
        skipped,
    } = tally;
    println!("Rounds counted:   {counted}");
    println!("Counted before:   {duplicates}");
    println!("Admin changes:    {changes}");
    println!("Bad lines:        {skipped}");
    println!(
        "Time:             {:.1} s, {:.0} lines a second",
        took.as_secs_f64(),
        rate(tally, took)
    );
}

pub(super) fn print_quality(pool: &Pool, quality: &Quality) {
    let parameters = &pool.settings.parameters;
    println!();
    println!(
        "Pool {}: {} rounds, {} drawn, {} players, theta {}",
        pool.name, quality.all.rounds, quality.all.draws, quality.players.total, parameters.theta
    );
    println!("              last {:<6} all", parameters.window);
    for (name, figure) in FIGURES {
        let text = |totals| figure(totals).map_or("-".to_owned(), |value| format!("{value:.4}"));
        println!(
            "{name:<13} {:<11} {}",
            text(&quality.window),
            text(&quality.all)
        );
    }
}

type Figure = fn(&PredictionTotals) -> Option<f64>;

const FIGURES: [(&str, Figure); 3] = [
    ("Brier score", PredictionTotals::brier_score),
    ("Log loss", PredictionTotals::mean_log_loss),
    ("Accuracy", PredictionTotals::accuracy),
];
