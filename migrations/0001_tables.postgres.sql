-- PostgreSQL's part: the tables with binary columns, and the trigger that fills `unrated_players`.

-- State that the rating model keeps for the pool, as bytes; null if the model keeps none.
alter table pools add column model_state bytea;

-- The effect of each round on its participants, computed from the log. `results`, `players`, `entries` and
-- `round_groups` have no foreign keys: their rows are only written in the transaction that writes their round or owns
-- the rebuild, and the checks would cost more than the write.
create table results (
    pool_id bigint not null,
    position bigint not null,
    generation bigint not null,
    -- Number of the pool's rounds that count, up to and including this one, by which the start of a window is found. A
    -- voided round has the number of the round before.
    number bigint not null,
    -- Binary: the round's prediction, its effect on every participant, and the pool's sums up to this round.
    content bytea not null,
    primary key (pool_id, position, generation)
);

create index results_by_number on results (pool_id, number);

-- The current rating and figures of each player. A rebuild that changes many players writes all of them anew before it
-- takes effect, so that no request waits. Only rows of the generation `pools.players_generation` are read.
--
-- Ratings have no index, and pages are half filled. A rating changes with every round: the new version of the row then
-- stands on the page of the old one (a heap-only tuple), and no index is written. Ranks are counted over all players.
create table players (
    pool_id bigint not null,
    generation bigint not null,
    player_id bigint not null,
    rating bigint not null,
    -- Numbers of the player's rated rounds: since the last reset, which is shown, and in all, which numbers `entries`.
    rounds bigint not null,
    entries bigint not null,
    last_played bigint,
    -- Totals of the player after the latest rated round, stored so that an update need not look them up.
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    -- Binary: the player's rated rounds after the last full row of `entries`, if there are any.
    last_entries bytea,
    -- State that the rating model keeps for the player, as bytes; null if the model keeps none.
    model_state bytea,
    primary key (pool_id, generation, player_id)
) with (fillfactor = 50);

-- The rated rounds of each player, sixteen to a row, with the player's totals before the first of the sixteen. Sums
-- over a window are the difference of the totals at its ends. A row is written once it is full; until then its rounds
-- are in `players.last_entries`, since each round writes the player's row anyway.
create table entries (
    pool_id bigint not null,
    player_id bigint not null,
    -- Index of this row among the player's rows of rated rounds, from 0.
    chunk bigint not null,
    generation bigint not null,
    -- Log position of the row's first round, earliest end of its rounds, and latest end of the player's rounds so far.
    first_position bigint not null,
    ended_from bigint not null,
    ended_to bigint not null,
    -- Binary: the rated rounds of this row; empty if a rebuild left the player without these rounds.
    content bytea not null,
    primary key (pool_id, player_id, chunk, generation)
);

-- The sums over groups of rounds, such as the rounds on one map. All sums are integers, fractions in units of 2^-32, so
-- additions need no read, and their order does not change the result.
create table round_groups (
    pool_id bigint not null,
    -- Kind of the group of rounds: map, server, team_size, or lead (bins of the difference of the teams' rating sums).
    kind text not null,
    name text not null,
    rounds bigint not null,
    draws bigint not null,
    right_halves bigint not null,
    -- Sums of scores (in halves) and win probabilities of one side: team a, the smaller team, or the favourite.
    score_halves bigint not null,
    predicted bigint not null,
    brier bigint not null,
    log_loss bigint not null,
    -- Sum of the leads of one side (as for the scores) over the other in the teams' rating sums, in points.
    lead bigint not null,
    primary key (pool_id, kind, name)
);

-- The parts of a round's report that do not affect ratings: mode, mutators, and each player's scoreboard. A round
-- without any of these has no row. Pruning a round deletes its row.
create table scoreboards (
    pool_id bigint not null,
    position bigint not null,
    -- Binary: mode, mutators and the players' scoreboard numbers of the round.
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
