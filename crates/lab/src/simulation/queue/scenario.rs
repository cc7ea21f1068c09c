use super::super::play::ImpossibleScenario;

/// Maximum number of members of a queuing community.
pub(crate) const MAX_MEMBERS: usize = 20_000;

/// A community that plays matches from a queue, day after day.
///
/// Two in seven members play alone, four in seven in parties of two, one in seven in parties of three. Each visits once
/// a day on average, mostly in the evening (a von Mises density over the day, κ = 6 around 20:00), and plays ten
/// matches of 8 to 16 minutes on average, with pauses of half a minute to two minutes. A player who has waited for
/// [`GIVE_UP_SECONDS`] leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QueueScenario {
    pub(crate) members: usize,
    /// Number of players per team.
    pub(crate) team_size: usize,
    /// Standard deviation of the hidden skills, in rating points.
    pub(crate) spread: f64,
    /// Standard deviation of the rating errors, in points.
    pub(crate) error: f64,
    /// Number of servers. Each hosts one match at a time.
    pub(crate) servers: usize,
    /// Number of simulated days.
    pub(crate) days: u32,
}

/// Seconds of waiting after which a player leaves for the day.
pub(crate) const GIVE_UP_SECONDS: u32 = 1_800;

impl QueueScenario {
    /// A community of that size: 4 against 4, skills with a standard deviation of 300 points, rating errors of 60
    /// points (those of `adaptive` in the scenario `4v4-200`), and slightly fewer servers than the evenings require.
    ///
    /// # Errors
    /// Returns an error if there are fewer than twenty members, or more than [`MAX_MEMBERS`].
    pub(crate) fn of(members: usize) -> Result<Self, ImpossibleScenario> {
        match members {
            0..20 => Err(ImpossibleScenario::TooFew),
            20..=MAX_MEMBERS => Ok(Self {
                members,
                team_size: 4,
                spread: 300.0,
                error: 60.0,
                servers: (members * 9).div_ceil(200),
                days: u32::try_from(2_000 / members).unwrap_or(1).clamp(1, 40),
            }),
            _ => Err(ImpossibleScenario::TooMany),
        }
    }

    #[must_use]
    pub(crate) fn with_days(self, days: u32) -> Self {
        Self { days, ..self }
    }
}
