//! Season starts by the calendar of a pool.

use std::collections::HashSet;
use std::time::Duration;

use crate::api::{SeasonChangeName, SeasonLine};
use crate::clock::Clock;
use crate::domain::{MonthStart, Timestamp};
use crate::service::audit::Author;
use crate::service::{Pool, Service, ServiceError, phrases};
use crate::store::CalendarCheck;

/// Interval between checks of the pools' season calendars.
const PAUSE: Duration = Duration::from_mins(1);
/// Maximum interval between two writes of the time of a pool's last calendar check.
const NOTE_EVERY: Duration = Duration::from_hours(1);
/// Minimum jump of the system clock that is logged.
const MIN_JUMP: Duration = Duration::from_mins(1);
/// Maximum jump of the system clock at which the calendar still starts seasons.
const MAX_JUMP: Duration = Duration::from_hours(24);

impl Service {
    /// Starts a task that starts seasons by the calendars of the pools, until the service closes. Any number of
    /// instances with one database may run such a task.
    pub fn follow_calendars(&self) {
        let service = self.clone();
        self.rebuilds.spawn(async move {
            let mut failing = HashSet::new();
            let mut logged_jump = 0;
            loop {
                log_jump(&service.clock, &mut logged_jump);
                for pool in service.pools.now().all() {
                    match Box::pin(service.start_due_season(pool)).await {
                        Ok(_) => drop(failing.remove(&pool.name)),
                        Err(error) => {
                            if failing.insert(pool.name.clone()) {
                                tracing::warn!(
                                    error = ?error, pool = %pool.name,
                                    "The calendar of the pool cannot start its season; retrying"
                                );
                            }
                        }
                    }
                }
                if !service.rebuilds.pause(PAUSE).await {
                    break;
                }
            }
        });
    }

    /// Starts the season that is due by the calendar of `pool`. Returns `false` if none is due or it was started
    /// before.
    ///
    /// A season is due if the last date of the calendar has passed since the previous check of the same calendar. The
    /// database stores the time of that check. So a date that passed while no instance ran starts its season late. A
    /// date before the calendar was configured starts none. The pool must have a round from before the date. No season
    /// is due while the clock has jumped by more than a day since the service started.
    ///
    /// # Errors
    /// Returns an error if a rebuild of the pool is in progress. The season stays due then.
    pub async fn start_due_season(&self, pool: &Pool) -> Result<bool, ServiceError> {
        if Duration::from_micros(self.clock.jumped_micros().unsigned_abs()) > MAX_JUMP {
            return Ok(false);
        }
        let now = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let look = tx.calendar_check(pool.id).await?;
        let calendar = &pool.settings.season.start_months;
        let Some(last) = calendar.last(now) else {
            drop(tx);
            if look.is_some() {
                self.note_look(pool, None).await?;
            }
            return Ok(false);
        };
        // A check of another calendar does not count.
        let months = calendar.bits();
        let looked = look
            .filter(|look| look.months == months)
            .map(|look| look.at);
        let has_passed = looked.is_some_and(|looked| looked < last.at);
        let mut is_due = false;
        if has_passed {
            let rounds = tx.rounds_after(pool.id, 0, 1).await?;
            let first = rounds.first();
            is_due = tx.pool(pool.id).await?.pruned > 0
                || first.is_some_and(|first| first.round.ended_at() < last.at);
        }
        drop(tx);
        let is_started = is_due && self.start_by_calendar(pool, last, now).await?;
        // A check in the future was made by a clock that was ahead, and is replaced.
        let is_noted =
            looked.is_some_and(|looked| looked <= now && now.duration_since(looked) < NOTE_EVERY);
        if has_passed || !is_noted {
            let look = CalendarCheck { at: now, months };
            self.note_look(pool, Some(look)).await?;
        }
        Ok(is_started)
    }

    /// Starts the season of a calendar date, once for all instances. Returns `false` if the season was started before,
    /// even if the start was undone.
    async fn start_by_calendar(
        &self,
        pool: &Pool,
        date: MonthStart,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        let settings = &pool.settings.season;
        let change_id = format!("calendar-{date}-{}", pool.name);
        let line = SeasonLine {
            change: SeasonChangeName::Season,
            change_id: change_id.parse().map_err(ServiceError::internal)?,
            pool: pool.name.clone(),
            name: date.to_string().parse().map_err(ServiceError::internal)?,
            keep: settings.keep,
            calibration: settings.calibration,
            reason: None,
            at: now,
        };
        match Box::pin(self.apply_season(pool, line, Author::Calendar)).await {
            Ok(is_started) => {
                if is_started {
                    tracing::info!(pool = %pool.name, season = %date, "The calendar has started a season");
                }
                Ok(is_started)
            }
            // The season was started by hand, or by an instance with other settings.
            Err(ServiceError::SeasonNameTaken { .. } | ServiceError::ChangeIdTaken(_)) => {
                tracing::info!(
                    pool = %pool.name, season = %date,
                    "The calendar did not start a season: a season with this name was already started"
                );
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    async fn note_look(
        &self,
        pool: &Pool,
        look: Option<CalendarCheck>,
    ) -> Result<(), ServiceError> {
        let mut tx = self.store.begin().await?;
        tx.set_calendar_look(pool.id, look).await?;
        Ok(tx.commit().await?)
    }
}

/// Logs the system clock's jump if it differs by more than a minute from the one logged last, `logged` microseconds.
fn log_jump(clock: &Clock, logged: &mut i64) {
    let jumped = clock.jumped_micros();
    if Duration::from_micros(jumped.abs_diff(*logged)) <= MIN_JUMP {
        return;
    }
    *logged = jumped;
    let by = Duration::from_micros(jumped.unsigned_abs());
    if by <= MIN_JUMP {
        tracing::info!("The earlier jump of the system clock was corrected");
        return;
    }
    let direction = if jumped > 0 { "ahead" } else { "back" };
    tracing::warn!(
        now = %clock.now(), without = %clock.steady(),
        "The system's clock was set {direction} by {} while the service ran. A round is accepted if its `ended_at` \
         is plausible by the clock before or after the change. If the change exceeds a day, no season \
         starts automatically until the service is restarted or the clock is set back",
        phrases::duration(by)
    );
}
