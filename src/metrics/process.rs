//! Metrics of the service's process (CPU, memory, files), under the names used by Prometheus' own client libraries.
//!
//! Reads only `/proc/self`, which is accessible under systemd's sandboxing, unlike `/proc/stat` and `/proc/uptime`.

use std::time::Duration;
use std::{fmt, fs, io};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use super::unix_seconds;
use crate::domain::Timestamp;

const CPU: (&str, &str) = (
    "process_cpu_seconds",
    "CPU time of all threads of the process.",
);
const RESIDENT: (&str, &str) = (
    "process_resident_memory_bytes",
    "Resident memory of the process.",
);
const RESERVED: (&str, &str) = (
    "process_virtual_memory_bytes",
    "Virtual memory of the process.",
);
const STARTED: (&str, &str) = (
    "process_start_time_seconds",
    "Start time of the process, in seconds since 1970.",
);
const OPEN_FILES: (&str, &str) = (
    "process_open_fds",
    "Open files and connections of the process.",
);
const MAX_FILES: (&str, &str) = (
    "process_max_fds",
    "Maximum number of open files and connections of the process.",
);

/// Collector of the process metrics, which reads `/proc/self` at every scrape.
#[derive(Debug)]
pub(super) struct Process {
    /// Start time of the process in unix seconds. Computed once, so that the value stays constant.
    started: Option<f64>,
}

/// CPU time, start time and memory use of the process, from `/proc/self/stat`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stat {
    /// CPU time of all threads of the process, in clock ticks.
    ran: f64,
    /// Start time of the process, in clock ticks since boot.
    started: f64,
    /// Virtual memory of the process, in bytes.
    reserved: f64,
    /// Resident memory of the process, in pages.
    resident: f64,
}

impl Stat {
    fn parse(text: &str) -> Option<Self> {
        // The program's name is in parentheses, and may contain any character.
        let (_, behind) = text.rsplit_once(')')?;
        let fields: Vec<&str> = behind.split_whitespace().collect();
        // Fields are numbered from 1, and the first field after the name is number 3.
        let field = |number: usize| fields.get(number.checked_sub(3)?)?.parse::<f64>().ok();
        Some(Self {
            ran: field(14)? + field(15)?,
            started: field(22)?,
            reserved: field(23)?,
            resident: field(24)?,
        })
    }

    fn read() -> io::Result<Self> {
        let text = fs::read_to_string("/proc/self/stat")?;
        let unknown = || io::Error::other("/proc/self/stat has an unknown format");
        Self::parse(&text).ok_or_else(unknown)
    }
}

fn open_files() -> io::Result<u64> {
    let mut count = 0_u64;
    for file in fs::read_dir("/proc/self/fd")? {
        file?;
        count += 1;
    }
    // One descriptor belongs to the directory that was just read.
    Ok(count.saturating_sub(1))
}

impl Process {
    /// Creates the collector of process metrics. Computes the start time of the process from its age and the current
    /// time `now`.
    pub(super) fn new(now: Timestamp) -> Self {
        let age = Stat::read().map(|stat| age(stat.started / ticks())).inspect_err(|error| {
            tracing::warn!(%error, "Cannot read the start time of the process; the metrics omit it");
        });
        let started = age.ok().map(|age| unix_seconds(now.earlier(age)));
        Self { started }
    }
}

#[expect(clippy::cast_precision_loss, reason = "usually 100 ticks a second")]
fn ticks() -> f64 {
    clock_ticks_per_second() as f64
}

/// Returns the time that has elapsed since `then`, a time in seconds since boot.
#[expect(
    clippy::cast_precision_loss,
    reason = "an uptime in seconds is exact in f64"
)]
fn age(then: f64) -> Duration {
    let uptime = clock_gettime(ClockId::Boottime);
    let uptime = uptime.tv_sec as f64 + uptime.tv_nsec as f64 / 1e9;
    Duration::try_from_secs_f64(uptime - then).unwrap_or_default()
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        match Stat::read() {
            Ok(stat) => {
                #[expect(clippy::cast_precision_loss, reason = "page sizes are exact in f64")]
                let page = page_size() as f64;
                let (ran, resident) = (stat.ran / ticks(), stat.resident * page);
                write(&mut encoder, CPU, &ConstCounter::new(ran))?;
                write(&mut encoder, RESIDENT, &ConstGauge::new(resident))?;
                write(&mut encoder, RESERVED, &ConstGauge::new(stat.reserved))?;
            }
            Err(error) => {
                tracing::warn!(%error, "Cannot read the CPU time and memory of the process; the metrics omit them");
            }
        }
        if let Some(started) = self.started {
            write(&mut encoder, STARTED, &ConstGauge::new(started))?;
        }
        match open_files() {
            Ok(count) => write(&mut encoder, OPEN_FILES, &ConstGauge::new(count))?,
            Err(error) => {
                tracing::warn!(%error, "Cannot count the open files; the metrics omit them");
            }
        }
        if let Some(most) = getrlimit(Resource::Nofile).current {
            write(&mut encoder, MAX_FILES, &ConstGauge::new(most))?;
        }
        Ok(())
    }
}

fn write(
    encoder: &mut DescriptorEncoder<'_>,
    (name, help): (&str, &str),
    metric: &impl EncodeMetric,
) -> Result<(), fmt::Error> {
    let encoder = encoder.encode_descriptor(name, help, None, metric.metric_type())?;
    metric.encode(encoder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_found_behind_any_name() {
        let text = "4711 (a) b (c) S 1 4711 4711 0 -1 4194560 5000 0 3 0 250 50 0 0 20 0 9 0 123456 987654321 2048 \
                    18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0";
        let expected = Stat {
            ran: 300.0,
            started: 123_456.0,
            reserved: 987_654_321.0,
            resident: 2048.0,
        };
        assert_eq!(Stat::parse(text), Some(expected));
        assert_eq!(Stat::parse("4711 (rbs) S 1"), None);
        assert_eq!(Stat::parse(""), None);
    }
}
