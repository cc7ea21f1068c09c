use std::time::Duration;

use super::Tally;
use super::progress::rate;
use crate::wire::{QualityAnswer, WindowedAnswer};

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

pub(super) fn print_quality(quality: &QualityAnswer) {
    println!();
    println!(
        "Pool {}: {} rounds, {} drawn, {} players, theta {}",
        quality.pool, quality.rounds, quality.draws, quality.players.total, quality.theta
    );
    println!("              last {:<6} all", quality.window);
    print_figure("Brier score", quality.brier);
    print_figure("Log loss", quality.log_loss);
    print_figure("Accuracy", quality.accuracy);
}

fn print_figure(name: &str, figure: WindowedAnswer) {
    let text = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    println!(
        "{name:<13} {:<11} {}",
        text(figure.window),
        text(figure.all)
    );
}
