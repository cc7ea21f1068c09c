-- A round's winner can be corrected, and the change of a player be undone. Both stand in `changes`, by the kinds
-- `correct`, with the place of the round, and `undo`, with the player and, as `round_position`, the place of the
-- change that is undone. One text for both engines.
--
-- The version before cannot read these kinds: corrections and undos are made once no instance of it runs any more.

-- How the round ended: with correct.
alter table changes add column winner text;
-- How it ended, where that is not what was reported. It follows from the log, as `voided_at` does.
alter table rounds add column corrected_winner text;
-- The winner that a round is corrected to with the rebuild, and how many rounds are changed with it.
alter table rebuilds add column winner text;
alter table rebuilds add column rounds bigint not null default 1;

-- The last tables of splits of each server, so that the one that a round was played by can be looked at. What is too
-- old is deleted.
create table past_split_tables (
    server text not null,
    computed_at bigint not null,
    -- JSON: as in `split_tables`.
    content text not null,
    primary key (server, computed_at)
);
