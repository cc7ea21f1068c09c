-- One text for PostgreSQL and SQLite. Times are microseconds since 1970-01-01T00:00:00Z, so that
-- both engines compare and return them alike.
--
-- What came is the log: `rounds` and `changes`, which are only ever added to, and `settings`, which
-- they were rated by. What was computed from it is a book: `results`, `entries` and `players`. A
-- book can be thrown away and computed again; `pools.book` says which one is in force.

-- A pool, and the running figures of its book in force. The row is locked by whoever writes
-- anything of the pool, so rounds of one pool are applied one after another, on however many
-- instances.
create table pools (
    id bigint not null primary key,
    name text not null unique,
    -- The book in force; 0 only while the pool is being made.
    book bigint not null,
    -- Positions given out in the pool's log; rounds and admin changes share them.
    log_length bigint not null,
    -- Sums over every round that counts, only ever added to in the order of the log.
    rounds bigint not null,
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    -- The same sums of the rounds that had a favourite, seen from it.
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    -- JSON: for every bin of predictions [rounds, sum of predictions, halves won].
    calibration text not null,
    -- JSON: for every bucket of rounds played before [entries, sum of K, sum of C], in units of 2^-20.
    experience text not null
);

-- Every set of constants that anything of the log was rated by, so that the log alone gives every
-- figure, whatever is configured later.
create table settings (
    id bigint not null primary key,
    -- JSON: the constants by their names in the configuration.
    content text not null unique
);

-- Every accepted round, as it came.
create table rounds (
    pool_id bigint not null references pools (id),
    position bigint not null,
    server text not null,
    round_id text not null,
    ended_at bigint not null,
    received_at bigint not null,
    -- JSON: the round as reported, with the time and pool that it was counted with.
    report text not null,
    settings_id bigint not null references settings (id),
    -- Where in the log the round was voided; null while it counts. It follows from the log, and
    -- changes with the book that was computed accordingly.
    voided_at bigint,
    primary key (pool_id, position),
    -- What makes a retry safe: no round can be counted twice, whoever sends it, wherever.
    unique (server, round_id)
);

-- For lists of a pool's rounds by time, and of a server's.
-- The first has all that it takes to count the rounds of an hour.
create index rounds_by_time on rounds (pool_id, ended_at, position, server, voided_at);
create index rounds_by_server on rounds (pool_id, server, ended_at, position);
create index rounds_voided on rounds (pool_id, position) where voided_at is not null;

-- What admins changed, in its place in the pool's log.
create table changes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Names the change for good, so that an import cannot apply it twice.
    change_id text not null unique,
    -- set, reset, void or unvoid.
    kind text not null,
    -- Whom it concerns: with set and reset.
    player_id bigint,
    -- The rating that was set: with set.
    rating bigint,
    -- The place in the log of the round that it concerns: with void and unvoid.
    round_position bigint,
    reason text,
    made_at bigint not null,
    settings_id bigint not null references settings (id),
    primary key (pool_id, position)
);

create index changes_of_rounds on changes (pool_id, round_position)
    where round_position is not null;
create index changes_of_players on changes (pool_id, player_id, position)
    where player_id is not null;

-- One computation of a pool from its log. Another one is computed beside the one in force, and put
-- in its place in one transaction.
create table books (
    id bigint not null primary key,
    pool_id bigint not null references pools (id),
    -- Whether it is being computed.
    computing bigint not null,
    -- Who computes it or clears it away, and when that was last heard of: whoever writes to it makes
    -- sure in the same transaction that it is still theirs.
    owner text,
    renewed_at bigint not null,
    -- The round that is voided or restored with it, by its place in the log, and which of the two.
    round_position bigint,
    voids bigint
);

create index books_of_pools on books (pool_id);

-- What the log says each round made of its participants. The tables of a book have no foreign keys:
-- rows are only ever written in the transaction that writes their round or owns their book, and the
-- checks would cost more than the write.
create table results (
    book bigint not null,
    position bigint not null,
    -- The rounds that count, up to and with this one; the window of the quality figures is found by
    -- it. A voided round has the number of the one before.
    number bigint not null,
    -- JSON: for every participant, in the order reported, [before, after, k, rounds, visible].
    players text not null,
    win_probability_a double precision not null,
    theta double precision not null,
    -- The pool's sums, this round included.
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    primary key (book, position)
);

create index results_by_number on results (book, number);

create table players (
    book bigint not null,
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
    primary key (book, player_id)
);
-- For ranks: all that it takes to tell who has one.
create index players_by_rating on players (book, rating desc, player_id, rounds, last_played);

-- One row for each rated round of each player, with the totals after it. The sums over any window
-- are the difference of two such rows.
create table entries (
    book bigint not null,
    player_id bigint not null,
    number bigint not null,
    position bigint not null,
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    primary key (book, player_id, number)
);

-- Sums over the rounds that have something in common. Whole numbers, fractions in units of 2^-32, so
-- that they can be added to without being read, and end the same in whatever steps that is done.
create table round_groups (
    book bigint not null,
    -- map, server, team_size, or lead: how far the teams' sums lay apart, in fine bins.
    kind text not null,
    name text not null,
    rounds bigint not null,
    draws bigint not null,
    right_halves bigint not null,
    -- Of the side that the rounds are seen from: team a, the smaller team, or the favourite.
    score_halves bigint not null,
    predicted bigint not null,
    brier bigint not null,
    log_loss bigint not null,
    -- What its sum was ahead by, in points.
    lead bigint not null,
    primary key (book, kind, name)
);

-- What admins did, and who. It is no part of the log: no rating hangs on it.
create table audit (
    made_at bigint not null,
    -- Tells apart what was done at the same moment: the change's own name, where it made one.
    id text not null,
    -- The fingerprint of the secret; null for the command line.
    secret text,
    -- set, reset, void, unvoid or rebuild.
    action text not null,
    pool_id bigint not null references pools (id),
    player_id bigint,
    server text,
    round_id text,
    reason text,
    -- JSON: what was before, and what after.
    before text not null,
    after text not null,
    primary key (made_at, id)
);

create index audit_of_pools on audit (pool_id, made_at, id);

-- The last table of splits computed for each server.
create table split_tables (
    server text not null primary key,
    -- A table never replaces a later one, however long it took to write.
    computed_at bigint not null,
    -- JSON: the table as it was answered, and for every player the rating that it was computed
    -- with, which tells whether it still holds.
    content text not null
);
