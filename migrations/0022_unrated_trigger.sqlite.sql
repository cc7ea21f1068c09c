-- Whether a round may have an unrated player is asked before the trigger runs, not by what it runs.
drop trigger rounds_unrated;

create trigger rounds_unrated after insert on rounds
when new.report like '%"participated":false%' or new.report like '%"seconds":0%'
begin
    insert into unrated_players (pool_id, player_id, position)
    select pool_id, player_id, position from unrated_in_reports
    where pool_id = new.pool_id and position = new.position
    on conflict do nothing;
end;
