-- One text for PostgreSQL and SQLite. Times are microseconds since 1970-01-01T00:00:00Z, so that
-- both engines compare and return them alike.

-- A pool and its running figures. The row is locked by whoever writes anything of the pool, so
-- rounds of one pool are applied one after another, on however many instances.
create table pools (
    id bigint not null primary key,
    name text not null unique,
    -- Positions given out in the pool's log; rounds and admin changes share them.
    log_length bigint not null,
    -- Sums over every rated round, only ever added to in the order of the log.
    rounds bigint not null,
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    -- JSON: for every bin of predictions [rounds, sum of predictions, halves won].
    calibration text not null
);

create table players (
    pool_id bigint not null references pools (id),
    player_id bigint not null,
    rating bigint not null,
    -- Rated rounds since the last reset, and ever: the first is shown, the second numbers entries.
    rounds bigint not null,
    entries bigint not null,
    last_played bigint,
    -- The totals after the latest entry, so that an update need not look it up.
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    primary key (pool_id, player_id)
);

-- Every accepted round, as it came and as it was answered.
create table rounds (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Counts the pool's rounds from 1; the window of the quality figures is found by it.
    number bigint not null,
    server text not null,
    round_id text not null,
    ended_at bigint not null,
    received_at bigint not null,
    -- JSON: the round as reported, with the time and pool that it was counted with.
    report text not null,
    -- JSON: for every participant, in the order reported, [before, after, k, rounds, visible].
    results text not null,
    win_probability_a double precision not null,
    theta double precision not null,
    -- The pool's sums, this round included.
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    primary key (pool_id, position),
    -- What makes a retry safe: no round can be counted twice, whoever sends it, wherever.
    unique (server, round_id),
    unique (pool_id, number)
);

-- One row for each rated round of each player, with the totals after it. The sums over any window
-- are the difference of two such rows. There is no foreign key: rows are only ever written in the
-- transaction that writes their round and player, and the checks would cost more than the write.
create table entries (
    pool_id bigint not null,
    player_id bigint not null,
    number bigint not null,
    position bigint not null,
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    primary key (pool_id, player_id, number)
);

-- What admins changed, in its place in the pool's log.
create table changes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Names the change for good, so that an import cannot apply it twice.
    change_id text not null unique,
    player_id bigint not null,
    -- The rating that was set; null for a reset.
    rating bigint,
    reason text,
    made_at bigint not null,
    rating_before bigint not null,
    rounds_before bigint not null,
    primary key (pool_id, position)
);

-- The last table of splits computed for each server.
create table split_tables (
    server text not null primary key,
    -- A table never replaces a later one, however long it took to write.
    computed_at bigint not null,
    -- JSON: the table as it was answered, and for every player the rating that it was computed
    -- with, which tells whether it still holds.
    content text not null
);
