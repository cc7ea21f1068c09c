//! A player before anything, after an admin's change, and at the ends of the window.

use crate::domain::{PlayerId, Share};
use crate::rating::{
    Boundaries, ModelState, Parameters, PoolModel, Totals, Window, boundaries, carried_over,
};
use crate::store::{ChangeKind, PlayerRecord, PlayerResult, StoreError};

/// A player of whom nothing is known.
pub(crate) fn new_player(id: PlayerId, parameters: &Parameters) -> PlayerRecord {
    PlayerRecord {
        id,
        rating: parameters.initial_rating,
        rounds: 0,
        entries: 0,
        last_played: None,
        totals: Totals::default(),
        model_state: ModelState::default(),
    }
}

/// What an admin's change makes of a player who is rated by that model.
///
/// # Errors
/// A state that is not as the model writes it.
pub(crate) fn changed(
    model: &dyn PoolModel,
    before: &PlayerRecord,
    kind: ChangeKind,
    parameters: &Parameters,
) -> Result<PlayerRecord, StoreError> {
    Ok(match kind {
        ChangeKind::Set(rating) => PlayerRecord {
            rating,
            model_state: model.set(before.profile(), rating, parameters)?,
            ..before.clone()
        },
        // The entries stay, as history; none of them counts into the window any more.
        ChangeKind::Reset => PlayerRecord {
            entries: before.entries,
            totals: before.totals,
            ..new_player(before.id, parameters)
        },
    })
}

/// What the start of a season makes of a player who is rated by that model.
///
/// # Errors
/// A state that is not as the model writes it.
pub(crate) fn in_new_season(
    model: &dyn PoolModel,
    before: &PlayerRecord,
    keep: Share,
    parameters: &Parameters,
) -> Result<PlayerRecord, StoreError> {
    let rating = carried_over(before.rating, keep, parameters);
    let state = model.begin_season(before.profile(), rating, keep, parameters)?;
    Ok(PlayerRecord {
        rating,
        model_state: state,
        ..before.clone()
    })
}

/// Where the window of `player` and its halves end.
pub(crate) fn window_ends(player: &PlayerRecord, parameters: &Parameters) -> Boundaries {
    boundaries(player.entries, player.rounds, parameters.window)
}

/// The window of `player`, from the totals after the player's entries of those numbers.
///
/// # Errors
/// Where the totals at one of its ends are not known.
pub(crate) fn window(
    player: &PlayerRecord,
    parameters: &Parameters,
    mut totals: impl FnMut(u64) -> Option<Totals>,
) -> Result<Window, StoreError> {
    let ends = window_ends(player, parameters);
    let mut at = |number| match number {
        0 => Ok(Totals::default()),
        _ => totals(number).ok_or(StoreError::Corrupt {
            table: "entries",
            column: "number",
        }),
    };
    let (start, old_end) = (at(ends.start)?, at(ends.old_end)?);
    let new_start = at(ends.new_start)?;
    Ok(Window::between(
        ends,
        start,
        old_end,
        new_start,
        player.totals,
    ))
}

/// What a round with that K-factor made of a player.
pub(super) fn result(
    before: &PlayerRecord,
    after: &PlayerRecord,
    k: f64,
    parameters: &Parameters,
) -> PlayerResult {
    PlayerResult {
        before: before.rating,
        after: after.rating,
        k,
        rounds: after.rounds,
        visible: after.rounds >= parameters.shadow_rounds,
    }
}
