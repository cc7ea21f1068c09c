use std::time::{Duration, Instant};

/// Interval between two samples.
const EVERY: Duration = Duration::from_secs(5);

/// Samples the memory of process `pid` until `end`: seconds since the start, and MiB.
pub(crate) async fn watch(pid: Option<u32>, end: Instant) -> Vec<(u64, f64)> {
    let started = Instant::now();
    let mut seen = Vec::new();
    let Some(pid) = pid else { return seen };
    while Instant::now() < end {
        if let Some(held) = status(pid, "VmRSS:") {
            seen.push((started.elapsed().as_secs(), held));
        }
        tokio::time::sleep(EVERY).await;
    }
    seen
}

/// A value of `/proc/PID/status`, in MiB.
fn status(pid: u32, name: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// Prints about ten samples, and the peak memory since the process started.
pub(crate) fn print(seen: &[(u64, f64)], pid: Option<u32>) {
    let Some(most) = pid.and_then(|pid| status(pid, "VmHWM:")) else {
        return;
    };
    let step = (seen.len() / 10).max(1);
    let some: Vec<String> = seen
        .iter()
        .step_by(step)
        .map(|(second, held)| format!("{second} s {held:.1}"))
        .collect();
    println!(
        "\nMemory of the service, MiB: {}; at most {most:.1}",
        some.join(", ")
    );
}
