//! Rounds in the log, and the changes that admins made to them.

use std::borrow::Cow;

use super::SettingsId;
use crate::domain::{Fingerprint, Report, Round, RoundAction, Timestamp, Winner};

/// A round as it is stored in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRound {
    /// Log position, from 1.
    pub position: u64,
    /// The round with the time, pool and winner that count.
    pub round: Round,
    /// Winner as reported, which an admin may have corrected.
    pub reported: Winner,
    /// Time at which the service received the round.
    pub received_at: Timestamp,
    /// Secret that reported the round; `None` for imported rounds, and for rounds from versions that did not store the
    /// secret.
    pub secret: Option<Fingerprint>,
    /// Constants that the round is rated by.
    pub settings: SettingsId,
    /// Log position of the change that voided the round; `None` while the round counts.
    pub voided_at: Option<u64>,
}

/// Changes that admins made to a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundMarks {
    /// Log position of the change that voided the round; `None` while the round counts.
    pub voided_at: Option<u64>,
    /// Corrected winner; `None` if the reported winner counts.
    pub winner: Option<Winner>,
}

impl RoundMarks {
    /// Applies the change at this log position.
    pub fn apply(&mut self, action: RoundAction, position: u64) {
        match action {
            RoundAction::Void => self.voided_at = Some(position),
            RoundAction::Unvoid => self.voided_at = None,
            RoundAction::Correct { winner } => self.winner = Some(winner),
        }
    }

    /// Drops a correction to the winner that was `reported`.
    #[must_use]
    pub fn of_reported(self, reported: Winner) -> Self {
        Self {
            winner: self.winner.filter(|winner| *winner != reported),
            ..self
        }
    }

    /// Returns `true` if `action` changes nothing about a round with this `reported` winner.
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
    /// Returns the changes that admins made to the round.
    #[must_use]
    pub fn marks(&self) -> RoundMarks {
        RoundMarks {
            voided_at: self.voided_at,
            winner: Some(self.round.parts().winner),
        }
        .of_reported(self.reported)
    }

    /// Replaces the changes that admins made to the round.
    pub fn set_marks(&mut self, marks: RoundMarks) {
        self.voided_at = marks.voided_at;
        self.round.set_winner(marks.winner.unwrap_or(self.reported));
    }

    /// Returns the report with the reported winner.
    #[must_use]
    pub fn report(&self) -> Cow<'_, Report> {
        if self.round.parts().winner == self.reported {
            return Cow::Borrowed(&self.round);
        }
        Cow::Owned(Report::clone(&self.round).won_by(self.reported))
    }
}

/// Rounds that a rebuild voids, restores or corrects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuiltRounds {
    /// Log position of the first of these rounds.
    pub position: u64,
    /// Change of each of these rounds.
    pub action: RoundAction,
    /// Number of these rounds.
    pub rounds: u64,
}
