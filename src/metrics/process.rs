//! Metrics of the service's process (CPU, memory, files), under the names used by Prometheus' own client libraries.
//!
//! Reads only `/proc/self`, which is accessible under systemd's sandboxing, unlike `/proc/stat` and `/proc/uptime`.

use std::time::Duration;
use std::{fmt, fs, io};

use procfs::process::Stat;
use procfs::{ProcResult, page_size, ticks_per_second};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
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

/// Reads the CPU time and start time of the process, in clock ticks, and its memory, in bytes and pages.
fn stat() -> ProcResult<Stat> {
    procfs::process::Process::myself()?.stat()
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
        let age = stat().map(|stat| age(seconds(stat.starttime))).inspect_err(|error| {
            tracing::warn!(%error, "Cannot read the start time of the process; the metrics omit it");
        });
        let started = age.ok().map(|age| unix_seconds(now.earlier(age)));
        Self { started }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "exact up to 2^53 ticks or bytes"
)]
fn exact(number: u64) -> f64 {
    number as f64
}

fn seconds(ticks: u64) -> f64 {
    exact(ticks) / exact(ticks_per_second())
}

/// Returns the time that has elapsed since `then`, a time in seconds since boot.
#[expect(
    clippy::cast_precision_loss,
    reason = "an uptime in seconds is exact in f64"
)]
fn age(then: f64) -> Duration {
    let now = clock_gettime(ClockId::Boottime);
    let uptime = now.tv_sec as f64 + now.tv_nsec as f64 / 1e9;
    Duration::try_from_secs_f64(uptime - then).unwrap_or_default()
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        match stat() {
            Ok(stat) => {
                let ran = seconds(stat.utime + stat.stime);
                let (resident, reserved) = (exact(stat.rss * page_size()), exact(stat.vsize));
                write(&mut encoder, CPU, &ConstCounter::new(ran))?;
                write(&mut encoder, RESIDENT, &ConstGauge::new(resident))?;
                write(&mut encoder, RESERVED, &ConstGauge::new(reserved))?;
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
