-- Seasons that start by a calendar: when the pool's calendar was last looked at, and which months it had then, a bit for
-- each, so that a date which passed while the service was down is known from one that was past as the calendar was set.
-- Null without a calendar. One text for both engines.
alter table pools add column calendar_looked_at bigint;
alter table pools add column calendar_months bigint;
