/// What a round of so many players at its start weighs in the K-factor against one of two: (2/n)^e,
/// with the exponent e from 0 on.
///
/// Of more players each has a smaller part in the result, so that it says less of each. With 0
/// every round weighs 1, and with 1 all players together learn as much from it as the two of a duel.
#[must_use]
pub fn team_size_weight(players: usize, exponent: f64) -> f64 {
    if exponent == 0.0 {
        return 1.0;
    }
    // Far below 2^32 players stand on two teams.
    let players = f64::from(u32::try_from(players.max(2)).unwrap_or(u32::MAX));
    libm::pow(2.0 / players, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

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
