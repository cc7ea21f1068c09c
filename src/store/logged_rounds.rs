//! Rounds as the log has them, and what admins made of them.

use std::borrow::Cow;

use super::SettingsId;
use crate::domain::{Fingerprint, Report, Round, RoundAction, Timestamp, Winner};

/// A round as it came: what the log has of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRound {
    /// Its place in the pool's log, from 1.
    pub position: u64,
    /// The round, with the time, the pool and the winner that it counts with.
    pub round: Round,
    /// How it ended as it was reported, which an admin may have corrected.
    pub reported: Winner,
    /// When it was taken.
    pub received_at: Timestamp,
    /// The secret that it came with; `None` where a file brought it, or a version that did not keep it.
    pub secret: Option<Fingerprint>,
    /// The constants that it is rated by.
    pub settings: SettingsId,
    /// Where in the log it was voided; `None` while it counts.
    pub voided_at: Option<u64>,
}

/// What admins made of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundMarks {
    /// Where in the log it was voided; `None` while it counts.
    pub voided_at: Option<u64>,
    /// How it ended, where that was corrected; `None` where it ended as reported.
    pub winner: Option<Winner>,
}

impl RoundMarks {
    /// Takes in what stands at that place of the log.
    pub fn apply(&mut self, action: RoundAction, position: u64) {
        match action {
            RoundAction::Void => self.voided_at = Some(position),
            RoundAction::Unvoid => self.voided_at = None,
            RoundAction::Correct { winner } => self.winner = Some(winner),
        }
    }

    /// The same of a round that was `reported` so: a correction to that is none.
    #[must_use]
    pub fn of_reported(self, reported: Winner) -> Self {
        Self {
            winner: self.winner.filter(|winner| *winner != reported),
            ..self
        }
    }

    /// Whether `action` changes nothing of a round that was `reported` so.
    #[must_use]
    pub fn has(self, action: RoundAction, reported: Winner) -> bool {
        match action {
            RoundAction::Void => self.voided_at.is_some(),
            RoundAction::Unvoid => self.voided_at.is_none(),
            RoundAction::Correct { winner } => self.winner.unwrap_or(reported) == winner,
        }
    }
}

impl LoggedRound {
    /// What admins made of it.
    #[must_use]
    pub fn marks(&self) -> RoundMarks {
        RoundMarks {
            voided_at: self.voided_at,
            winner: Some(self.round.parts().winner),
        }
        .of_reported(self.reported)
    }

    /// Has it be what admins made of it.
    pub fn set_marks(&mut self, marks: RoundMarks) {
        self.voided_at = marks.voided_at;
        self.round.set_winner(marks.winner.unwrap_or(self.reported));
    }

    /// What was reported.
    #[must_use]
    pub fn report(&self) -> Cow<'_, Report> {
        if self.round.parts().winner == self.reported {
            return Cow::Borrowed(&self.round);
        }
        Cow::Owned(Report::clone(&self.round).won_by(self.reported))
    }
}

/// What is made of rounds with a rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuiltRounds {
    /// The place in the log of the first of them.
    pub position: u64,
    /// What is made of them.
    pub action: RoundAction,
    /// How many there are.
    pub rounds: u64,
}
