use std::time::Duration;

use crate::domain::{FieldProblem, Report, Timestamp};
use crate::service::ServiceError;
use crate::service::phrases::duration;

/// How far a clock may be ahead of this service's.
const MAX_AHEAD: Duration = Duration::from_mins(10);

/// Who reports rounds, and at what moment they are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// A game server, just now. Rounds may have ended up to `max_age` before; zero allows any age. `steady` is the moment
    /// that the clock would show without its jumps.
    FromGameServer {
        at: Timestamp,
        steady: Timestamp,
        max_age: Duration,
    },
    /// A file, whose rounds were played at any time: what a log once counted has to be read again.
    FromFile(Timestamp),
}

impl Taken {
    /// The moment.
    pub(crate) fn at(self) -> Timestamp {
        match self {
            Self::FromGameServer { at, .. } | Self::FromFile(at) => at,
        }
    }

    /// Refuses a round whose time only a wrong clock of the game server can have given: one from the future would
    /// stay ahead of every later round. One from long ago would hide among rounds that nobody looks at any more. If this
    /// service's clock was set while it ran, either reading of it may be the wrong one, so what fits one of them counts.
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
                 for the time of arrival",
                duration(ahead)
            )
        } else if ended_at < Timestamp::YEAR_2000 {
            "is before the year 2000; set the game server's clock, or leave the field out for the time \
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
        let problem = FieldProblem::new("/ended_at", detail);
        Err(ServiceError::Invalid(vec![problem]))
    }
}
