use std::time::Duration;

use super::Tally;
use super::progress::rate;
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
        pool.name, quality.rounds, quality.draws, quality.players.total, parameters.theta
    );
    println!("              last {:<6} all", parameters.window);
    for (name, figure) in [
        ("Brier score", quality.brier),
        ("Log loss", quality.log_loss),
        ("Accuracy", quality.accuracy),
    ] {
        let text = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        println!(
            "{name:<13} {:<11} {}",
            text(figure.window),
            text(figure.all)
        );
    }
}
