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

create trigger rounds_unrated after insert on rounds
    for each row execute function keep_unrated_players();

insert into unrated_players (pool_id, player_id, position)
select pool_id, player_id, position from unrated_in_reports
on conflict do nothing;
