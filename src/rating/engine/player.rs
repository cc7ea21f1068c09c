//! A player before anything, after an admin's change, and at the ends of the window.

use super::{ChangeKind, EngineError, PlayerResult, PlayerState};
use crate::domain::{PlayerId, Share, Side};
use crate::rating::{
    Boundaries, InvalidState, ModelState, Parameters, Participant, PoolModel, Profile, Standing,
    Totals, Window, boundaries, carried_over,
};

impl PlayerState {
    /// A player of whom nothing is known.
    #[must_use]
    pub fn new(id: PlayerId, parameters: &Parameters) -> Self {
        Self {
            id,
            rating: parameters.initial_rating,
            rounds: 0,
            entries: 0,
            last_played: None,
            totals: Totals::default(),
            model_state: ModelState::default(),
        }
    }

    /// As far as a model needs the player.
    #[must_use]
    pub fn profile(&self) -> Profile<'_> {
        Profile {
            rating: self.rating,
            rounds: self.rounds,
            state: &self.model_state,
        }
    }

    /// The player's participant in a match that has not been played.
    #[must_use]
    pub fn participant(&self, side: Side) -> Participant {
        Participant {
            side,
            in_roster: true,
            is_rated: true,
            presence: None,
            commands: false,
            standing: Standing {
                rating: self.rating,
                rounds: self.rounds,
                window: Window::default(),
                since_return: None,
            },
            state: self.model_state.clone(),
        }
    }

    /// The player after an admin's change, in a pool that is rated by `model`.
    ///
    /// # Errors
    /// A state that the model did not write.
    pub fn changed(
        &self,
        model: &dyn PoolModel,
        kind: ChangeKind,
        parameters: &Parameters,
    ) -> Result<Self, InvalidState> {
        Ok(match kind {
            ChangeKind::Set(rating) => Self {
                rating,
                model_state: model.set(self.profile(), rating, parameters)?,
                ..self.clone()
            },
            // The entries stay, as history; none of them counts into the window any more.
            ChangeKind::Reset => Self {
                entries: self.entries,
                totals: self.totals,
                ..Self::new(self.id, parameters)
            },
        })
    }

    /// The player after the start of a season, in a pool that is rated by `model`.
    ///
    /// # Errors
    /// A state that the model did not write.
    pub fn in_new_season(
        &self,
        model: &dyn PoolModel,
        keep: Share,
        parameters: &Parameters,
    ) -> Result<Self, InvalidState> {
        let rating = carried_over(self.rating, keep, parameters);
        let state = model.begin_season(self.profile(), rating, keep, parameters)?;
        Ok(Self {
            rating,
            model_state: state,
            ..self.clone()
        })
    }

    /// The numbers of the entries at which the window of the player begins, halves and ends.
    #[must_use]
    pub fn window_ends(&self, parameters: &Parameters) -> Boundaries {
        boundaries(self.entries, self.rounds, parameters.window)
    }

    /// The window of the player, from the totals after the player's entries of those numbers.
    ///
    /// # Errors
    /// Totals at an end of the window that `totals` does not know.
    pub fn window(
        &self,
        parameters: &Parameters,
        mut totals: impl FnMut(u64) -> Option<Totals>,
    ) -> Result<Window, EngineError> {
        let ends = self.window_ends(parameters);
        let mut at = |number| match number {
            0 => Ok(Totals::default()),
            _ => totals(number).ok_or(EngineError::MissingTotals(self.id)),
        };
        let (start, old_end) = (at(ends.start)?, at(ends.old_end)?);
        let new_start = at(ends.new_start)?;
        Ok(Window::between(
            ends,
            start,
            old_end,
            new_start,
            self.totals,
        ))
    }
}

impl PlayerResult {
    /// The result of a player of a round with the K-factor `k`.
    pub(super) fn of(
        before: &PlayerState,
        after: &PlayerState,
        k: f64,
        parameters: &Parameters,
    ) -> Self {
        Self {
            before: before.rating,
            after: after.rating,
            k,
            rounds: after.rounds,
            visible: after.rounds >= parameters.shadow_rounds,
        }
    }
}
