-- PostgreSQL's part: the tables with binary columns, and the trigger that fills `unrated_players`.

-- What the model has learnt of the pool; null if the model remembers nothing.
alter table pools add column model_state bytea;

-- What the log says each round made of its participants. `results`, `players`, `entries` and `round_groups` have no
-- foreign keys: their rows are only ever written in the transaction that writes their round or owns the rebuild, and
-- the checks would cost more than the write.
create table results (
    pool_id bigint not null,
    position bigint not null,
    generation bigint not null,
    -- The rounds that count, up to and with this one, for finding the window of the quality figures. A voided round has
    -- the number of the round before.
    number bigint not null,
    -- Binary: the prediction, the result of every participant, and the pool's sums up to this round.
    content bytea not null,
    primary key (pool_id, position, generation)
);

create index results_by_number on results (pool_id, number);

-- The players as they are now. A rebuild that changes many players writes all of them anew before it takes effect, so
-- that no request waits meanwhile. Only the rows of the generation `pools.players_generation` are read.
--
-- Ratings have no index, and pages are half filled. A rating changes with every round: the new version of the row then
-- stands on the page of the old one (a heap-only tuple), and no index is written. Ranks are counted over all players.
create table players (
    pool_id bigint not null,
    generation bigint not null,
    player_id bigint not null,
    rating bigint not null,
    -- Rated rounds since the last reset, and in all: the first is shown, the second numbers entries.
    rounds bigint not null,
    entries bigint not null,
    last_played bigint,
    -- The totals after the latest entry, so that an update need not look them up.
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    -- The entries after the last full row of `entries`; binary, empty if there are none.
    last_entries bytea,
    -- What the model remembers of the player; null if the model remembers nothing.
    model_state bytea,
    primary key (pool_id, generation, player_id)
) with (fillfactor = 50);

-- A player's rated rounds, sixteen to a row, with the totals before the first of them. The sums over any window are the
-- difference of the totals at its ends. A row is written once it is full; until then `players.last_entries` has its
-- entries, in a row that every round writes anyway.
create table entries (
    pool_id bigint not null,
    player_id bigint not null,
    -- Counts the player's rows from 0.
    chunk bigint not null,
    generation bigint not null,
    -- The position of the first of the rounds, and when the earliest and the latest of them ended.
    first_position bigint not null,
    ended_from bigint not null,
    ended_to bigint not null,
    -- Binary; empty if a rebuild left the player without these rounds.
    content bytea not null,
    primary key (pool_id, player_id, chunk, generation)
);

-- Sums over the rounds that have something in common. Whole numbers, fractions in units of 2^-32: they are added to
-- without being read, and end the same however the additions are grouped.
create table round_groups (
    pool_id bigint not null,
    -- map, server, team_size, or lead: the difference of the teams' sums, in fine bins.
    kind text not null,
    name text not null,
    rounds bigint not null,
    draws bigint not null,
    right_halves bigint not null,
    -- From one side's view: team a, the smaller team, or the favourite.
    score_halves bigint not null,
    predicted bigint not null,
    brier bigint not null,
    log_loss bigint not null,
    -- By how many points the side's sum was ahead.
    lead bigint not null,
    primary key (pool_id, kind, name)
);

-- What a report says besides what rates the round: mode, mutators, and each player's numbers of the scoreboard. A round
-- without any of these has no row. Pruning a round deletes its row.
create table scoreboards (
    pool_id bigint not null,
    position bigint not null,
    -- Binary.
    content bytea not null,
    primary key (pool_id, position),
    foreign key (pool_id, position) references rounds (pool_id, position) on delete cascade
);

-- The rows of `unrated_players`, read from the reports. In a report, a player is a bare id, or an object if anything
-- else is said of the player.
create view unrated_in_reports as
select rounds.pool_id, cast(player ->> 'id' as bigint) as player_id, rounds.position
from rounds cross join lateral (
    select json_array_elements(rounds.report::json -> 'team_a')
    union all
    select json_array_elements(rounds.report::json -> 'team_b')
) as teams (player)
where (rounds.report like '%"participated":false%' or rounds.report like '%"seconds":0%')
  and (player ->> 'participated' = 'false' or player ->> 'seconds' = '0');

create function keep_unrated_players() returns trigger language plpgsql as $$
begin
    insert into unrated_players (pool_id, player_id, position)
    select pool_id, player_id, position from unrated_in_reports
    where pool_id = new.pool_id and position = new.position
    on conflict do nothing;
    return null;
end
$$;

-- The trigger has the condition, not the function: looking up every round again takes a sixth of the time of an
-- import.
create trigger rounds_unrated after insert on rounds for each row
    when (new.report like '%"participated":false%' or new.report like '%"seconds":0%')
    execute function keep_unrated_players();
