use std::collections::BTreeMap;
use std::time::Duration;

/// Results of one kind of request in one phase.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Time of each answer since the request was due.
    latencies: Vec<Duration>,
    shed: u64,
    failures: BTreeMap<String, u64>,
}

/// Results of all requests, by phase and kind.
#[derive(Debug, Default)]
pub(crate) struct Report(BTreeMap<(usize, &'static str), Seen>);

#[derive(Debug)]
pub(crate) enum Ended {
    Served,
    Shed,
    Failed(String),
}

impl Report {
    pub(crate) fn note(&mut self, phase: usize, kind: &'static str, took: Duration, ended: Ended) {
        let seen = self.0.entry((phase, kind)).or_default();
        match ended {
            Ended::Served => seen.latencies.push(took),
            Ended::Shed => seen.shed += 1,
            Ended::Failed(what) => *seen.failures.entry(what).or_default() += 1,
        }
    }

    /// Prints a table for each phase, titled by `names`.
    pub(crate) fn print(mut self, names: &[String]) {
        for (phase, name) in names.iter().enumerate() {
            println!("\n{name}");
            println!(
                "{:<10} {:>8} {:>10} {:>10} {:>10} {:>7} {:>7}",
                "kind", "answered", "median ms", "99th ms", "worst ms", "shed", "errors"
            );
            for ((_, kind), seen) in self.0.iter_mut().filter(|((of, _), _)| *of == phase) {
                seen.latencies.sort_unstable();
                let errors: u64 = seen.failures.values().sum();
                println!(
                    "{kind:<10} {:>8} {:>10.2} {:>10.2} {:>10.2} {:>7} {errors:>7}",
                    seen.latencies.len(),
                    seen.percentile(50),
                    seen.percentile(99),
                    seen.percentile(100),
                    seen.shed,
                );
                for (what, times) in &seen.failures {
                    println!("           {what}: {times}");
                }
            }
        }
    }
}

impl Seen {
    /// Latency in milliseconds; requires sorted latencies.
    fn percentile(&self, percent: usize) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        let index = (self.latencies.len() * percent / 100).min(last);
        let latency = self.latencies.get(index).copied().unwrap_or_default();
        latency.as_secs_f64() * 1_000.0
    }
}
