/// Number of players in a team from which the default Θ is derived: 12 gives 2400 points.
pub const DEFAULT_TEAM_SIZE: u32 = 12;

/// Returns Θ = 400 × floor(median{1..k}) in points, for teams of up to `team_size` players (k, at least 1).
///
/// The median of 1..k is (k + 1)/2. Duels therefore have Elo's scale of 400, and the scale grows with half the team.
#[must_use]
pub fn theta_for_team_size(team_size: u32) -> f64 {
    f64::from(points_of_theta(team_size))
}

/// Returns Θ in whole points: 400 times half of the players of a team, rounded up.
#[must_use]
pub fn points_of_theta(team_size: u32) -> u32 {
    team_size.max(1).div_ceil(2).saturating_mul(400)
}

/// Returns Θ in points for a pool of several servers from the largest team size of each server. k is the floor of their
/// median, or [`DEFAULT_TEAM_SIZE`] without servers.
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

/// Returns the weight of a round in the K-factor, relative to a duel: (2/n)^e. n is the number of `players` at the
/// start, and `exponent` is e, at least 0.
///
/// With more players, each player has a smaller part in the result, so the result says less about each. With e = 0
/// every round weighs 1. With e = 1 all players together learn as much as the two players of a duel.
#[must_use]
pub fn team_size_weight(players: usize, exponent: f64) -> f64 {
    if exponent == 0.0 {
        return 1.0;
    }
    // Two teams have far fewer than 2^32 players.
    let players = f64::from(u32::try_from(players.max(2)).unwrap_or(u32::MAX));
    libm::pow(2.0 / players, exponent)
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

    #[test]
    fn more_players_weigh_less_by_the_exponent() {
        for (players, exponent, expected) in [
            (24, 0.0, 1.0),
            (0, 1.0, 1.0),
            (2, 1.0, 1.0),
            (8, 0.5, 0.5),
            (8, 1.0, 0.25),
            (24, 1.0, 1.0 / 12.0),
        ] {
            let weight = team_size_weight(players, exponent);
            assert!(
                (weight - expected).abs() < 1e-15,
                "{players} {exponent}: {weight}"
            );
        }
    }
}
