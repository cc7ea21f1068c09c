-- Old rounds can be taken out of the database once a file has them, while all that follows from them stays.

-- Up to this place of the log its rounds are pruned; 0 where none is.
alter table pools add column pruned bigint not null default 0;

-- What a pool was at the last place of its log that was pruned, for what is computed from there on.
create table prunes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    pruned_at bigint not null,
    -- The name of the file that has the rounds.
    file text not null,
    -- The rows that windows of up to that many rounds need are kept, of the pool and of every player.
    kept_window bigint not null,
    -- When the last of the rounds was received.
    last_received_at bigint not null,
    -- JSON: as in `pools`.
    calibration text not null,
    experience text not null,
    -- JSON: for every group of rounds its kind, its name and its sums.
    group_sums text not null,
    primary key (pool_id, position)
);

-- The names of the rounds that are pruned, so that none of them can be counted again.
create table pruned_rounds (
    server text not null,
    round_id text not null,
    pool_id bigint not null references pools (id),
    position bigint not null,
    primary key (server, round_id)
);
