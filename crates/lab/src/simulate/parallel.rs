use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::simulation::ImpossibleScenario;
use rbs::cli::terminal::progress::Meter;

/// Plays all runs, as many at once as there are processors. Returns the results in order.
pub(super) fn play<Run: Sync, Played: Send>(
    runs: &[Run],
    name: impl Fn(&Run) -> String,
    simulate: impl Fn(&Run) -> Result<Played, ImpossibleScenario> + Sync,
) -> anyhow::Result<Vec<Played>> {
    let mut meter = Meter::start(Some(runs.len() as u64))?;
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let mut played: Vec<Option<Played>> = runs.iter().map(|_| None).collect();
    let failed = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers.min(runs.len()) {
            let (sender, next, simulate) = (sender.clone(), &next, &simulate);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = runs.get(number) else { break };
                    // The receiver is gone if another run failed.
                    if sender.send((number, simulate(run))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, simulated) in receiver {
            let name = name(&runs[number]);
            match simulated {
                Ok(simulated) => played[number] = Some(simulated),
                Err(error) => return Some(anyhow::anyhow!("{name} {error}")),
            }
            meter.bar.inc(1);
            if let Some(estimate) = meter.tick(format!("Simulating {name}")) {
                tracing::info!(
                    simulation = name,
                    percent = estimate.percent,
                    seconds_left = estimate.seconds_left,
                    "Simulating"
                );
            }
        }
        None
    });
    meter.finish();
    match failed {
        Some(error) => Err(error),
        None => Ok(played.into_iter().flatten().collect()),
    }
}
