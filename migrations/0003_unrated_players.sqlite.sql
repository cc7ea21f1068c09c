-- The players who stood on a team of a round without being rated for it: they took no part, or were
-- there for no second. With `entries` it finds a player's rounds. It follows from `rounds`; a trigger
-- fills it, so that the rounds that the version before writes are in it too.
create table unrated_players (
    pool_id bigint not null references pools (id),
    player_id bigint not null,
    position bigint not null,
    primary key (pool_id, player_id, position)
);

-- Within a report a player is a bare id, or an object where anything else is told of the player.
create view unrated_in_reports as
select rounds.pool_id, cast(player.value ->> 'id' as integer) as player_id, rounds.position
from rounds cross join json_tree(rounds.report) as player
where (rounds.report like '%"participated":false%' or rounds.report like '%"seconds":0%')
  and player.type = 'object'
  and (player.value ->> 'participated' = 0 or player.value ->> 'seconds' = 0);

create trigger rounds_unrated after insert on rounds
begin
    insert into unrated_players (pool_id, player_id, position)
    select pool_id, player_id, position from unrated_in_reports
    where pool_id = new.pool_id and position = new.position
    on conflict do nothing;
end;

insert into unrated_players (pool_id, player_id, position)
select pool_id, player_id, position from unrated_in_reports where true
on conflict do nothing;
