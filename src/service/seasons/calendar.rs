//! Seasons that start by the calendar.

use std::collections::HashSet;
use std::time::Duration;

use crate::api::{SeasonChangeName, SeasonLine};
use crate::clock::Clock;
use crate::domain::{MonthStart, Timestamp};
use crate::service::audit::Author;
use crate::service::{Pool, Service, ServiceError, phrases};
use crate::store::CalendarLook;

/// How often the calendars are looked at.
const PAUSE: Duration = Duration::from_mins(1);
/// How often that is noted, at least.
const NOTE_EVERY: Duration = Duration::from_hours(1);
/// The smallest jump of the clock that is logged.
const MIN_JUMP: Duration = Duration::from_mins(1);
/// The largest jump of the clock after which the calendar still starts seasons.
const MAX_JUMP: Duration = Duration::from_hours(24);

impl Service {
    /// Starts seasons by the calendars of the pools from now on, until the service is closed. Any number of instances
    /// over one database may do so.
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
                                    "The calendar of the pool cannot start its season; trying again until it can"
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

    /// Starts the season that is due by the calendar of `pool`; `false` where none is, or it was started before.
    ///
    /// Due is the last date of the calendar where it passed since this calendar was last looked at, which is noted in the
    /// database: so one that passed while no instance ran starts late, and one that was past as the calendar was set
    /// does not. A pool without a round from before the date has nothing to begin anew. None is due while the clock shows
    /// over a day more or less than it would if nobody had set it since the service started.
    ///
    /// # Errors
    /// A rebuild of the pool under way: the season is still due then.
    pub async fn start_due_season(&self, pool: &Pool) -> Result<bool, ServiceError> {
        if Duration::from_micros(self.clock.jumped_micros().unsigned_abs()) > MAX_JUMP {
            return Ok(false);
        }
        let now = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let look = tx.calendar_look(pool.id).await?;
        let calendar = &pool.settings.season.start_months;
        let Some(last) = calendar.last(now) else {
            drop(tx);
            if look.is_some() {
                self.note_look(pool, None).await?;
            }
            return Ok(false);
        };
        // Nobody has looked at this calendar where it was another then.
        let months = calendar.bits();
        let looked = look.filter(|look| look.months == months);
        let looked = looked.map(|look| look.at);
        let has_passed = looked.is_some_and(|looked| looked < last.at());
        let mut is_due = false;
        if has_passed {
            let first = tx.rounds_after(pool.id, 0, 1).await?;
            let first = first.first();
            is_due = tx.pool(pool.id).await?.pruned > 0
                || first.is_some_and(|first| first.round.ended_at() < last.at());
        }
        drop(tx);
        let is_started = is_due && self.start_by_calendar(pool, last, now).await?;
        // Also where a clock was ahead that has been put right.
        let is_noted =
            looked.is_some_and(|looked| looked <= now && now.duration_since(looked) < NOTE_EVERY);
        if has_passed || !is_noted {
            let look = CalendarLook { at: now, months };
            self.note_look(pool, Some(look)).await?;
        }
        Ok(is_started)
    }

    /// Starts the season of that date, once for all instances; `false` where it was started before, also where that is
    /// undone.
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
            // By hand, or by an instance with other settings.
            Err(ServiceError::SeasonNameTaken { .. } | ServiceError::ChangeIdTaken(_)) => {
                tracing::info!(
                    pool = %pool.name, season = %date,
                    "The calendar starts no season: one of that name was started before"
                );
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    async fn note_look(&self, pool: &Pool, look: Option<CalendarLook>) -> Result<(), ServiceError> {
        let mut tx = self.store.begin().await?;
        tx.set_calendar_look(pool.id, look).await?;
        Ok(tx.commit().await?)
    }
}

/// Logs a jump of the clock by more than a minute beyond the `logged` one, or its end. Both are in microseconds.
fn log_jump(clock: &Clock, logged: &mut i64) {
    let jumped = clock.jumped_micros();
    if Duration::from_micros(jumped.abs_diff(*logged)) <= MIN_JUMP {
        return;
    }
    *logged = jumped;
    let by = Duration::from_micros(jumped.unsigned_abs());
    if by <= MIN_JUMP {
        tracing::info!("The system's clock shows again what it showed before it was set");
        return;
    }
    let direction = if jumped > 0 { "ahead" } else { "back" };
    tracing::warn!(
        now = %clock.now(), without = %clock.steady(),
        "The system's clock was set {direction} by {} while the service ran. Rounds count whose `ended_at` fits the \
         time before or after. If it was set by more than a day, no season starts by the calendar until the service \
         is restarted or the clock is set back",
        phrases::duration(by)
    );
}
