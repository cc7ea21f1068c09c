use super::super::play::ImpossibleScenario;

/// The most members of a community that queues.
pub(crate) const MAX_MEMBERS: usize = 20_000;

/// A community that plays matches from a queue, day after day.
///
/// Two in seven members come alone, four in seven in parties of two, one in seven in parties of three. Each comes once a
/// day on average, most in the evening (a von Mises density over the day, κ = 6 around 20:00), and plays ten matches of 8
/// to 16 minutes, with a pause of half a minute to two between them. Who has waited for [`GIVE_UP_SECONDS`] leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QueueScenario {
    /// The regulars.
    pub(crate) members: usize,
    /// Players a team.
    pub(crate) team_size: usize,
    /// The standard deviation of the hidden skills, in rating points.
    pub(crate) spread: f64,
    /// The standard deviation of what a rating is off its skill, in points.
    pub(crate) error: f64,
    /// The servers, each of which has one match at a time.
    pub(crate) servers: usize,
    /// The days that are played.
    pub(crate) days: u32,
}

/// After so many seconds without a match somebody leaves for the day.
pub(crate) const GIVE_UP_SECONDS: u32 = 1_800;

impl QueueScenario {
    /// A community of so many: 4 against 4, skills with a standard deviation of 300 points, ratings 60 points off, which is
    /// what those of `adaptive` are in the scenario `4v4-200`, and a few servers less than the evenings would take.
    ///
    /// # Errors
    /// Fewer members than twenty, or more than [`MAX_MEMBERS`].
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

    /// The same with another number of days.
    #[must_use]
    pub(crate) fn with_days(self, days: u32) -> Self {
        Self { days, ..self }
    }
}
