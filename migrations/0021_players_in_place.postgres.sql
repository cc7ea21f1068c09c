-- A player's rating changes with every round, and whoever asks for ranks counts all players of the pool anyway. With
-- an index of ratings, PostgreSQL had to write every index of the row again for each change; without one, and with
-- room on the page, the new version of the row stands beside the old one (a heap-only tuple) and no index is written.
drop index players_by_rating;
alter table players set (fillfactor = 50);
