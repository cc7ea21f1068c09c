-- How far rebuilds and imports are, and whether a rebuild is to be given up. One text for both engines.
--
-- The version before begins rebuilds without these columns, and goes on where one is to be given up.

-- When it began; null where the version before began it.
alter table rebuilds add column started_at bigint;
-- How much of the log is computed, and how much is to be, from where the rebuild began on.
alter table rebuilds add column done bigint not null default 0;
alter table rebuilds add column total bigint not null default 0;
-- 1 where somebody has called it off: its owner gives up when it next renews its lease.
alter table rebuilds add column cancelled bigint not null default 0;

-- An import that is under way, or was when its program died.
create table imports (
    id text not null primary key,
    -- What it reads, for people.
    source text not null,
    started_at bigint not null,
    -- When it was last heard of.
    renewed_at bigint not null,
    -- How many bytes of its files are read, and how many there are; null where it reads from a pipe.
    done bigint not null,
    total bigint
);
