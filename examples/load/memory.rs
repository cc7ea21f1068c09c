use std::time::{Duration, Instant};

/// How often the memory is looked at.
const EVERY: Duration = Duration::from_secs(5);

/// How much memory the process `pid` holds, looked at until `end`: seconds since the start and MiB.
pub(crate) async fn watch(pid: Option<u32>, end: Instant) -> Vec<(u64, f64)> {
    let started = Instant::now();
    let mut seen = Vec::new();
    let Some(pid) = pid else { return seen };
    while Instant::now() < end {
        if let Some(held) = resident(pid) {
            seen.push((started.elapsed().as_secs(), held));
        }
        tokio::time::sleep(EVERY).await;
    }
    seen
}

/// The resident memory of the process `pid`, in MiB.
fn resident(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// Prints about ten of what was seen, and the most.
pub(crate) fn print(seen: &[(u64, f64)]) {
    let Some((_, most)) = seen.iter().max_by(|one, other| one.1.total_cmp(&other.1)) else {
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
