-- SQLite's part: the same as 0001_tables.postgres.sql, which explains the tables and columns. Rows of `without rowid`
-- tables stand in the tree of the primary key, so that the key is stored once.

alter table pools add column model_state blob;

create table results (
    pool_id bigint not null,
    position bigint not null,
    generation bigint not null,
    number bigint not null,
    content blob not null,
    primary key (pool_id, position, generation)
) without rowid;

create index results_by_number on results (pool_id, number);

create table players (
    pool_id bigint not null,
    generation bigint not null,
    player_id bigint not null,
    rating bigint not null,
    rounds bigint not null,
    entries bigint not null,
    last_played bigint,
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    last_entries blob,
    model_state blob,
    primary key (pool_id, generation, player_id)
) without rowid;

create table entries (
    pool_id bigint not null,
    player_id bigint not null,
    chunk bigint not null,
    generation bigint not null,
    first_position bigint not null,
    ended_from bigint not null,
    ended_to bigint not null,
    content blob not null,
    primary key (pool_id, player_id, chunk, generation)
) without rowid;

create table round_groups (
    pool_id bigint not null,
    kind text not null,
    name text not null,
    rounds bigint not null,
    draws bigint not null,
    right_halves bigint not null,
    score_halves bigint not null,
    predicted bigint not null,
    brier bigint not null,
    log_loss bigint not null,
    lead bigint not null,
    primary key (pool_id, kind, name)
) without rowid;

create table scoreboards (
    pool_id bigint not null,
    position bigint not null,
    content blob not null,
    primary key (pool_id, position),
    foreign key (pool_id, position) references rounds (pool_id, position) on delete cascade
) without rowid;

create view unrated_in_reports as
select rounds.pool_id, cast(player.value ->> 'id' as integer) as player_id, rounds.position
from rounds cross join json_tree(rounds.report) as player
where (rounds.report like '%"participated":false%' or rounds.report like '%"seconds":0%')
  and player.type = 'object'
  and (player.value ->> 'participated' = 0 or player.value ->> 'seconds' = 0);

create trigger rounds_unrated after insert on rounds
when new.report like '%"participated":false%' or new.report like '%"seconds":0%'
begin
    insert into unrated_players (pool_id, player_id, position)
    select pool_id, player_id, position from unrated_in_reports
    where pool_id = new.pool_id and position = new.position
    on conflict do nothing;
end;
