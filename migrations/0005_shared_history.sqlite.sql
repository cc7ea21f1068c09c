-- A projection is no longer a copy of everything: what a void or a rebuild leaves as it was, the new
-- one shares with the one before. Every row that is computed has a `generation`; of the rows with one
-- key, the one with the highest generation that is not above its pool's counts.
--
-- What was computed before is dropped here. It follows from the log, and is computed again when the
-- program first opens the database.
--
-- There is no migration 4, so that the version before, which could not work on these tables, refuses
-- the database in words.

drop table results;
drop table entries;
drop table players;
drop table round_groups;
drop table books;

alter table pools drop column book;
-- The rows of a higher generation do not count yet; 0 where the pool is still to be computed.
alter table pools add column generation bigint not null default 0;
-- Up to this generation, rows that others have replaced are deleted.
alter table pools add column cleared bigint not null default 0;
update pools set
    calibration = '[[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]';
-- The generation of the players who are read.
alter table pools add column players_generation bigint not null default 0;
update pools set generation = 1, cleared = 1 where log_length = 0;

-- A pool that is being computed again, or was when its computation died.
create table rebuilds (
    pool_id bigint not null primary key references pools (id),
    -- Who computes it, and when that was last heard of: whoever writes for it makes sure in the same
    -- transaction that it is still theirs.
    owner text not null,
    renewed_at bigint not null,
    -- The round that is voided or restored with it, by its place in the log, and which of the two.
    round_position bigint,
    voids bigint
);

-- What the log says each round made of its participants. The tables of what is computed have no
-- foreign keys: rows are only ever written in the transaction that writes their round or owns the
-- rebuild, and the checks would cost more than the write.
create table results (
    pool_id bigint not null,
    position bigint not null,
    generation bigint not null,
    -- The rounds that count, up to and with this one; the window of the quality figures is found by
    -- it. A voided round has the number of the one before.
    number bigint not null,
    -- Binary: the prediction, what became of every participant, and the pool's sums up to here.
    content blob not null,
    primary key (pool_id, position, generation)
) without rowid;

create index results_by_number on results (pool_id, number);

-- Who the players are now. A rebuild that changes many of them writes all of them anew before it takes effect,
-- so that nobody has to wait meanwhile; of one pool, the rows of one generation are read.
create table players (
    pool_id bigint not null,
    generation bigint not null,
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
    -- The entries behind the last full row of `entries`; binary, empty where there are none.
    last_entries blob,
    primary key (pool_id, generation, player_id)
) without rowid;

-- For ranks: all that it takes to find who has one.
-- The generation stands behind the order, so that nobody takes this index for a player's key: without statistics,
-- PostgreSQL holds a pool and a generation for as selective as a player.
create index players_by_rating on players (pool_id, rating desc, player_id, generation, rounds, last_played);

-- A player's rated rounds, sixteen to a row, with the totals before the first of them. The sums over
-- any window are the difference of the totals at its ends. A row is written once it is full; until then
-- its entries are in `players`, in whose row something changes anyway.
create table entries (
    pool_id bigint not null,
    player_id bigint not null,
    -- Counts the player's rows from 0.
    chunk bigint not null,
    generation bigint not null,
    -- The place in the log of the first of its rounds, and when the earliest and the latest ended.
    first_position bigint not null,
    ended_from bigint not null,
    ended_to bigint not null,
    -- Binary; empty where a rebuild left the player without these rounds.
    content blob not null,
    primary key (pool_id, player_id, chunk, generation)
) without rowid;

-- Sums over the rounds that have something in common. Whole numbers, fractions in units of 2^-32, so
-- that they can be added to without being read, and end the same in whatever steps that is done.
create table round_groups (
    pool_id bigint not null,
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
    primary key (pool_id, kind, name)
) without rowid;
