//! What became of rounds and changes after they came, by what stands further on in the log.

use std::collections::{HashMap, HashSet};

use crate::domain::RoundAction;
use crate::store::{Change, Changed, PoolId, RoundMarks, StoreError, Tx};

/// What is to become of something in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supposed {
    /// Of a round.
    Round(RoundAction),
    /// The change of a player, or the start of a season, is to be as if it had never been made.
    Undone,
}

/// What became of some of the log, by its places.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The rounds that were ever voided or corrected.
    pub(super) rounds: HashMap<u64, RoundMarks>,
    /// The changes of players and the starts of seasons that are undone.
    pub(super) undone: HashSet<u64>,
}

impl Marks {
    /// Takes in a change behind those before it.
    pub(super) fn take(&mut self, change: &Change) {
        match change.changed {
            Changed::Round { position, action } => {
                let marks = self.rounds.entry(position).or_default();
                marks.take(action, change.position);
            }
            Changed::Undo { position, .. } => {
                self.undone.insert(position);
            }
            Changed::Player(..) | Changed::Season(_) => {}
        }
    }

    /// Takes in what is to become of the place `position`. Which place of the log that takes is known when it
    /// takes it.
    pub(super) fn suppose(&mut self, position: u64, supposed: Supposed) {
        match supposed {
            Supposed::Round(action) => self.rounds.entry(position).or_default().take(action, 0),
            Supposed::Undone => {
                self.undone.insert(position);
            }
        }
    }
}

/// What the log says of the round at that place of it.
pub(super) async fn marks_of(
    tx: &mut Tx,
    pool: PoolId,
    position: u64,
) -> Result<RoundMarks, StoreError> {
    let mut marks = Marks::default();
    for change in tx.changes_of_rounds(pool, position, position).await? {
        marks.take(&change);
    }
    Ok(marks.rounds.remove(&position).unwrap_or_default())
}
