-- How far a rebuild is, and whether it is to be given up. One text for both engines.
--
-- The version before begins rebuilds without these columns and goes on where one is to be given up.

-- When it began; null where the version before began it.
alter table rebuilds add column started_at bigint;
-- How much of the log is computed, and how much is to be, from where the rebuild began on.
alter table rebuilds add column done bigint not null default 0;
alter table rebuilds add column total bigint not null default 0;
-- 1 where somebody has called it off: its owner gives up when it next renews its lease.
alter table rebuilds add column cancelled bigint not null default 0;
