-- Whether a round may have an unrated player is asked before the trigger runs, not by what it runs: looking each round up
-- again took PostgreSQL a sixth of the time of an import. The trigger is replaced, since nobody can read a table while a
-- trigger of it is dropped.
create or replace trigger rounds_unrated after insert on rounds for each row
    when (new.report like '%"participated":false%' or new.report like '%"seconds":0%')
    execute function keep_unrated_players();
