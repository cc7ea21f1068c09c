use super::{ChangeKind, EngineError, PlayerResult, PlayerState};
use crate::domain::{PlayerId, Share, Side};
use crate::rating::{
    Boundaries, InvalidState, LineupMember, ModelState, Parameters, PoolModel, Profile, Standing,
    Totals, Window, boundaries, carried_over,
};

impl PlayerState {
    /// Creates the state of a player without any round or change.
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

    /// Returns the part of the player's state that a rating model reads.
    #[must_use]
    pub fn profile(&self) -> Profile<'_> {
        Profile {
            rating: self.rating,
            rounds: self.rounds,
            state: &self.model_state,
        }
    }

    /// Returns the player as a lineup member (rating model's input) for a match that has not been played.
    #[must_use]
    pub fn member(&self, side: Side) -> LineupMember {
        LineupMember {
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

    /// Returns the player's state after an admin's change, in a pool that is rated by `model`.
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
            // Earlier entries stay as history, but no longer count into the window.
            ChangeKind::Reset => Self {
                entries: self.entries,
                totals: self.totals,
                ..Self::new(self.id, parameters)
            },
        })
    }

    /// Returns the player's state after the start of a season, in a pool that is rated by `model`.
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

    /// Returns the boundaries of the player's window of latest rounds and of its older and newer half, as numbers of
    /// the player's rated rounds.
    #[must_use]
    pub fn window_ends(&self, parameters: &Parameters) -> Boundaries {
        boundaries(self.entries, self.rounds, parameters.window)
    }

    /// Returns the sums of ratings, win probabilities and scores over the player's window of latest rounds. `totals`
    /// returns the player's running sums after the rated round with a given number.
    ///
    /// # Errors
    /// Returns [`EngineError::MissingTotals`] if `totals` returns `None` for a boundary of the window.
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
        Ok(Window::between(
            ends,
            at(ends.start)?,
            at(ends.old_end)?,
            at(ends.new_start)?,
            self.totals,
        ))
    }
}

impl PlayerResult {
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
