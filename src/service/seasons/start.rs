use std::time::Duration;

use serde_json::json;

use crate::api::{SeasonChangeName, SeasonLine, UndoLine, UndoName};
use crate::domain::{ChangeId, SeasonStart};
use crate::rating::PoolModel;
use crate::service::audit::{self, Author};
use crate::service::players::adjust::{ChangeNote, change_name, was_made};
use crate::service::players::undo::Undoable;
use crate::service::replay::lease::{begin, lease_cutoff, with_batch_timeout};
use crate::service::replay::seasons::{standing_of, write_standings};
use crate::service::rounds::change::RoundOutcome;
use crate::service::seasons::placing::Placing;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{AuditEntry, Change, Changed, SeasonStanding, StoreError, Tx};

const PLAYERS: u32 = 1_000;

impl Service {
    /// Starts a season in `pool`, in one transaction. Every rating moves towards the initial one, and the standings of
    /// the season that ends are kept. Rounds of the pool wait meanwhile.
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
        // Boxed, because the future is large and would enlarge its callers.
        Box::pin(self.apply_season(pool, line, by)).await?;
        Ok(())
    }

    /// Starts the season that a line of an exported log describes. Returns `false` if the season was started before.
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
        // The season start would invalidate the players that a rebuild has written ahead.
        let cutoff = lease_cutoff(self.clock.now());
        if tx.rebuild(pool.id, cutoff).await?.is_some() {
            return Err(ServiceError::RebuildInProgress(pool.name.clone()));
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
            // A change in another pool took the id meanwhile.
            StoreError::Duplicate(_) => ServiceError::ChangeIdTaken(change.change_id.clone()),
            error => error.into(),
        })?;
        let model = locked
            .model
            .resume(&locked.model_state)
            .map_err(StoreError::from)?;
        let were = move_everybody(&mut tx, pool, &*model, &start).await?;
        let players = were.len();
        let placing = Placing::at(&mut tx, pool.id, change.position).await?;
        let standings = placing.ranked(were, pool.settings.parameters.shadow_rounds);
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

    /// Undoes a season start of `pool`, so that every rating becomes as if the season had never started. A start that
    /// is already undone is no error. An undo that takes longer than `timeout` continues in the background, like
    /// [`Service::change_round`].
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

    /// Undoes a season start without a time limit, for a command. Returns `false` if the start was undone before.
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

/// Moves the ratings of all players in the pool for a season start. Returns the players' former standings.
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
