use std::time::Duration;

use serde_json::json;

use crate::api::{SeasonChangeName, SeasonLine, UndoLine, UndoName};
use crate::domain::{ChangeId, SeasonStart};
use crate::rating::PoolModel;
use crate::service::audit::{self, Author};
use crate::service::players::adjust::{ChangeNote, change_name, was_made};
use crate::service::players::undo::Undoable;
use crate::service::replay::lease::{begin, lease_cutoff, with_batch_timeout};
use crate::service::replay::seasons::{Ended, standing_of, write_standings};
use crate::service::rounds::change::RoundOutcome;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{AuditEntry, Change, Changed, SeasonStanding, StoreError, Tx};

/// Players who are read and written at once.
const PLAYERS: u32 = 1_000;

impl Service {
    /// Starts a season in `pool`, in one transaction: every rating moves towards the initial one, and who everybody
    /// was is kept. Rounds of the pool wait meanwhile.
    ///
    /// # Errors
    /// A name that another season of the pool has; a name of the change that was used for another; a rebuild of the pool
    /// under way.
    pub async fn start_season(
        &self,
        pool: &Pool,
        start: SeasonStart,
        note: ChangeNote,
        by: Author,
    ) -> Result<(), ServiceError> {
        let line = SeasonLine {
            change: SeasonChangeName::Season,
            change_id: change_name(note.change_id)?,
            pool: pool.name.clone(),
            name: start.name,
            keep: start.keep,
            calibration: start.calibration,
            reason: note.reason,
            at: self.clock.now(),
        };
        // The future is large, and whoever awaits it would be as large.
        Box::pin(self.apply_season(pool, line, by)).await?;
        Ok(())
    }

    /// Starts the season that a line of a log describes; `false` where that had been done before.
    ///
    /// # Errors
    /// As [`Service::start_season`].
    pub async fn apply_season(
        &self,
        pool: &Pool,
        line: SeasonLine,
        by: Author,
    ) -> Result<bool, ServiceError> {
        let start = line.start();
        self.outwait_dead_rebuild(pool.id).await?;
        let store = with_batch_timeout(&self.store);
        let mut tx = begin(&store).await?;
        let mut locked = tx.lock_pool(pool.id).await?;
        let changed = Changed::Season(start.clone());
        if was_made(&mut tx, pool.id, &line.change_id, &changed).await? {
            return Ok(false);
        }
        // What that has written ahead of its end would not be right any more.
        let cutoff = lease_cutoff(self.clock.now());
        if tx.rebuild(pool.id, cutoff).await?.is_some() {
            return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
        }
        let starts = tx.season_starts(pool.id).await?;
        let named = |one: &Change| one.season().is_some_and(|one| one.name == start.name);
        if starts.iter().any(named) {
            return Err(ServiceError::SeasonNameTaken {
                name: start.name,
                pool: pool.name.clone(),
            });
        }
        locked.log_length += 1;
        let change = Change {
            position: locked.log_length,
            change_id: line.change_id,
            changed,
            reason: line.reason,
            made_at: line.at,
            settings: pool.settings_id,
        };
        let inserted = tx.insert_change(pool.id, &change).await;
        inserted.map_err(|error| match error {
            // Made in another pool meanwhile.
            StoreError::Duplicate(_) => ServiceError::ChangeIdTaken(change.change_id.clone()),
            error => error.into(),
        })?;
        let model = locked
            .model
            .resume(&locked.model_state)
            .map_err(StoreError::from)?;
        let were = move_everybody(&mut tx, pool, &*model, &start).await?;
        let players = were.len();
        let ended = Ended::at(&mut tx, pool.id, change.position).await?;
        let standings = ended.ranked(were, pool.settings.parameters.shadow_rounds);
        write_standings(&mut tx, pool.id, &[(change.position, standings)]).await?;
        let before = starts.last().and_then(Change::season);
        let figures = (
            json!({"season": before.map(|before| &before.name)}).to_string(),
            json!({
                "season": start.name, "keep": start.keep, "calibration": start.calibration,
                "players": players, "by_calendar": by == Author::Calendar,
            })
            .to_string(),
        );
        let action = ("season", change.change_id.as_str());
        let audited = AuditEntry {
            reason: change.reason.clone(),
            ..audit::entry(action, by, change.made_at, pool.id, figures)
        };
        tx.insert_audit(&audited).await?;
        tx.save_pool(&locked).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Undoes the start of a season of `pool`, so that every rating becomes as if it had never been. What is undone
    /// already stays so. Goes on by itself where it takes longer than `timeout`, as [`Service::change_round`] does.
    ///
    /// # Errors
    /// No such start; one that stands in front of what is pruned; a rebuild of the pool under way.
    pub async fn undo_season(
        &self,
        pool: &Pool,
        undoes: ChangeId,
        note: ChangeNote,
        by: Author,
        timeout: Duration,
    ) -> Result<RoundOutcome, ServiceError> {
        let of = Undoable::Season(pool.id);
        self.undo(of, undoes, note, by, timeout).await
    }
}

impl Service {
    /// Undoes the start of a season however long it takes, as a command does; `false` where it was undone before.
    ///
    /// # Errors
    /// As [`Service::undo_season`].
    pub async fn take_back_season(
        &self,
        pool: &Pool,
        undoes: ChangeId,
        reason: Option<String>,
    ) -> Result<bool, ServiceError> {
        let line = UndoLine {
            change: UndoName::Undo,
            change_id: change_name(None)?,
            undoes,
            reason,
            at: self.clock.now(),
        };
        let of = Undoable::Season(pool.id);
        match Box::pin(self.find_undo(line, of)).await? {
            Some((record, undo)) => Box::pin(self.apply_to_log(&record, undo)).await,
            None => Ok(false),
        }
    }
}

/// Moves the ratings of everybody in the pool; answers who they were.
async fn move_everybody(
    tx: &mut Tx,
    pool: &Pool,
    model: &dyn PoolModel,
    start: &SeasonStart,
) -> Result<Vec<SeasonStanding>, StoreError> {
    let mut were = Vec::new();
    let mut last = None;
    loop {
        let page = tx.players_after(pool.id, last, PLAYERS).await?;
        let Some(end) = page.last() else {
            return Ok(were);
        };
        last = Some(end.id);
        were.extend(page.iter().map(standing_of));
        let parameters = &pool.settings.parameters;
        let moved = page
            .iter()
            .map(|player| player.in_new_season(model, start.keep, parameters))
            .collect::<Result<Vec<_>, _>>()?;
        tx.save_players(pool.id, None, &moved).await?;
    }
}
