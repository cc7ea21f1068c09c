/// The team size that Θ is derived from where nothing is configured: 12 gives 2400.
pub const DEFAULT_TEAM_SIZE: u32 = 12;

/// Θ = 400 × floor(median{1..k}) for teams of up to `team_size` players (k, at least 1).
///
/// The median of 1..k is (k + 1)/2, so the scale of plain Elo, 400, stands for duels and grows
/// with half the team.
#[must_use]
pub fn theta_for_team_size(team_size: u32) -> f64 {
    f64::from(points_of_theta(team_size))
}

/// Returns Θ in whole points: 400 times half of the team size, rounded up.
#[must_use]
pub fn points_of_theta(team_size: u32) -> u32 {
    team_size.max(1).div_ceil(2).saturating_mul(400)
}

/// Θ for a pool that several servers share, from each one's largest team size: k is the floor of
/// their median, and [`DEFAULT_TEAM_SIZE`] where there are none.
#[must_use]
pub fn theta_for_team_sizes(team_sizes: &[u32]) -> f64 {
    let mut sorted = team_sizes.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    let median = match sorted.len() {
        0 => DEFAULT_TEAM_SIZE,
        odd if odd % 2 == 1 => sorted[middle],
        _ => u32::midpoint(sorted[middle - 1], sorted[middle]),
    };
    theta_for_team_size(median)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_servers_count_by_the_floor_of_their_median() {
        assert_eq!(theta_for_team_sizes(&[]), 2400.0);
        assert_eq!(theta_for_team_sizes(&[9]), 2000.0);
        assert_eq!(theta_for_team_sizes(&[12, 1, 3]), 800.0);
        assert_eq!(theta_for_team_sizes(&[12, 3]), 1600.0);
    }
}
