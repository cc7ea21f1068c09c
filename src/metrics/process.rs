//! What the system has of this process, by the names that Prometheus' own clients give it.
//!
//! All of it stands in `/proc/self`, which a service that systemd confines can read too; `/proc/stat` and
//! `/proc/uptime` it cannot.

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

/// Names of metrics, and their help texts.
const CPU: (&str, &str) = (
    "process_cpu_seconds",
    "How long all threads of the process ran.",
);
const RESIDENT: (&str, &str) = (
    "process_resident_memory_bytes",
    "The memory that the process has in use.",
);
const RESERVED: (&str, &str) = (
    "process_virtual_memory_bytes",
    "The memory that the process has reserved.",
);
const STARTED: (&str, &str) = (
    "process_start_time_seconds",
    "When the process was started, in seconds since 1970.",
);
const OPEN_FILES: (&str, &str) = (
    "process_open_fds",
    "The files and connections that the process has open.",
);
const MAX_FILES: (&str, &str) = (
    "process_max_fds",
    "How many files and connections the process may have open.",
);

/// Asks the system at every scrape.
#[derive(Debug)]
pub(super) struct Process {
    /// When the process was started, in seconds since 1970. Computed once, so that it never wavers.
    started: Option<f64>,
}

/// The numbers of `/proc/self/stat` that are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stat {
    /// The time that all threads ran, in ticks of the clock.
    ran: f64,
    /// When the process was started, in ticks since the machine was.
    started: f64,
    /// The memory that it has reserved, in bytes.
    reserved: f64,
    /// The memory that it has in use, in pages.
    resident: f64,
}

impl Stat {
    /// The numbers of that text; `None` where it has another form.
    fn parse(text: &str) -> Option<Self> {
        // The name of the program stands in parentheses, and may have any character itself.
        let (_, behind) = text.rsplit_once(')')?;
        let fields: Vec<&str> = behind.split_whitespace().collect();
        // The fields are counted from 1, and the first behind the name is the third.
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
        let unknown = || io::Error::other("/proc/self/stat has a form that is not known");
        Self::parse(&text).ok_or_else(unknown)
    }
}

/// How many files the process has open.
fn open_files() -> io::Result<u64> {
    let mut count = 0_u64;
    for file in fs::read_dir("/proc/self/fd")? {
        file?;
        count += 1;
    }
    // One of them is the folder that was just read.
    Ok(count.saturating_sub(1))
}

impl Process {
    /// This process, as it is `now`.
    pub(super) fn new(now: Timestamp) -> Self {
        let age = Stat::read().map(|stat| age(stat.started / ticks())).inspect_err(|error| {
            tracing::warn!(%error, "Cannot read when the process was started; the metrics leave it out");
        });
        let started = age.ok().map(|age| unix_seconds(now.earlier(age)));
        Self { started }
    }
}

#[expect(clippy::cast_precision_loss, reason = "it is a hundred")]
fn ticks() -> f64 {
    clock_ticks_per_second() as f64
}

/// How long ago that was, which is given in seconds since the machine was started.
#[expect(
    clippy::cast_precision_loss,
    reason = "doubles hold the seconds of an uptime exactly"
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
                #[expect(clippy::cast_precision_loss, reason = "a page has some kilobytes")]
                let page = page_size() as f64;
                let (ran, resident) = (stat.ran / ticks(), stat.resident * page);
                write(&mut encoder, CPU, &ConstCounter::new(ran))?;
                write(&mut encoder, RESIDENT, &ConstGauge::new(resident))?;
                write(&mut encoder, RESERVED, &ConstGauge::new(stat.reserved))?;
            }
            Err(error) => {
                tracing::warn!(%error, "Cannot read what the process takes; the metrics leave it out");
            }
        }
        if let Some(started) = self.started {
            write(&mut encoder, STARTED, &ConstGauge::new(started))?;
        }
        match open_files() {
            Ok(count) => write(&mut encoder, OPEN_FILES, &ConstGauge::new(count))?,
            Err(error) => {
                tracing::warn!(%error, "Cannot count the open files; the metrics leave them out");
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
