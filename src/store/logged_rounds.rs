//! Rounds in the log, and the changes that admins made to them.

use std::borrow::Cow;

use super::SettingsId;
use crate::domain::{Fingerprint, Report, Round, RoundAction, Timestamp, Winner};

/// A round as it is stored in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRound {
    /// Position of the round in the pool's log, from 1.
    pub position: u64,
    /// Round as reported, with the end time, pool and winner that count.
    pub round: Round,
    /// Winner as the game server reported it, which an admin may have corrected.
    pub reported: Winner,
    /// Time at which the service received the round.
    pub received_at: Timestamp,
    /// Secret that reported the round; `None` for imported rounds, and for rounds from versions that stored no secret.
    pub secret: Option<Fingerprint>,
    /// Key of the rating constants that the round is rated by.
    pub settings: SettingsId,
    /// Log position of the change that voided the round; `None` while the round counts.
    pub voided_at: Option<u64>,
}

/// Changes that admins made to a round: its void, and a corrected winner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundMarks {
    /// Log position of the change that voided the round; `None` while the round counts.
    pub voided_at: Option<u64>,
    /// Corrected winner; `None` if the reported winner counts.
    pub winner: Option<Winner>,
}

impl RoundMarks {
    /// Applies an admin's void, restoration or correction of the round. `position` is the log position of this change.
    pub fn apply(&mut self, action: RoundAction, position: u64) {
        match action {
            RoundAction::Void => self.voided_at = Some(position),
            RoundAction::Unvoid => self.voided_at = None,
            RoundAction::Correct { winner } => self.winner = Some(winner),
        }
    }

    /// Returns the admins' changes of a round, without the corrected winner if it equals the `reported` winner.
    #[must_use]
    pub fn of_reported(self, reported: Winner) -> Self {
        Self {
            winner: self.winner.filter(|winner| *winner != reported),
            ..self
        }
    }

    /// Returns `true` if an admin's `action` would change nothing about the round, whose reported winner is `reported`.
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

    /// Returns the round as it was reported, without a correction of the winner.
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
    /// Log position of the first round that the rebuild voids, restores or corrects.
    pub position: u64,
    /// Change of each round: void, restoration, or correction of the winner.
    pub action: RoundAction,
    /// Number of rounds that the rebuild voids, restores or corrects.
    pub rounds: u64,
}
