use std::time::Duration;

use crate::domain::{Report, Timestamp};
use crate::service::ServiceError;
use crate::service::phrases::duration;

/// Maximum time by which a game server's clock may be ahead of the clock of this service.
const MAX_AHEAD: Duration = Duration::from_mins(10);

/// Source of reported rounds, with the time of receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoundSource {
    /// Game server that reports at time `at`. Rounds may have ended up to `max_age` ago; zero allows any age. `steady`
    /// is the time that the clock would show without its adjustments.
    FromGameServer {
        at: Timestamp,
        steady: Timestamp,
        max_age: Duration,
    },
    /// File with rounds of any age. Every round that a log once contained can be imported again.
    FromFile(Timestamp),
}

impl RoundSource {
    pub(crate) fn at(self) -> Timestamp {
        match self {
            Self::FromGameServer { at, .. } | Self::FromFile(at) => at,
        }
    }

    /// Returns an error if a round's reported end time can only come from a wrong clock of the game server. A round
    /// from the future would stay ahead of all later rounds, and a very old round would go unnoticed. If the clock of
    /// this service was adjusted, either reading may be wrong, so an end time that suits one of them is accepted.
    pub(crate) fn check(self, report: &Report) -> Result<(), ServiceError> {
        let Some(ended_at) = report.parts().ended_at else {
            return Ok(());
        };
        let Self::FromGameServer {
            at,
            steady,
            max_age,
        } = self
        else {
            return Ok(());
        };
        let ahead = ended_at.duration_since(at.max(steady));
        let age = at.min(steady).duration_since(ended_at);
        let detail = if ahead > MAX_AHEAD {
            format!(
                "is {} ahead of this service's clock; set the game server's clock, or leave the field out \
                 to use the time of arrival",
                duration(ahead)
            )
        } else if ended_at < Timestamp::YEAR_2000 {
            "is before the year 2000; set the game server's clock, or leave the field out to use the time \
             of arrival (rbs import takes rounds of any age)"
                .to_owned()
        } else if !max_age.is_zero() && age > max_age {
            format!(
                "is {} ago, and rounds are taken up to {} after they ended (the setting max_round_age_days); set the \
                 game server's clock, or import the round: rbs import takes rounds of any age",
                duration(age),
                duration(max_age)
            )
        } else {
            return Ok(());
        };
        Err(ServiceError::invalid("/ended_at", detail))
    }
}
