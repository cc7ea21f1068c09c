-- The rows of one RBS round, bare: no arithmetic, no HTTP, no check for a retry. 24 players of a
-- thousand, locked in one order so that nobody waits in a circle, then every table's rows at once, but for the
-- sums that all rounds share.
-- The step ends in 1, so that it meets 24 different players of the thousand.
\set base random(0, 999)
\set step 10 * random(0, 99) + 1
begin;
select * from players where book = 1 and player_id = any(array(
    select 76561197960265729 + (:base + :step * number) % 1000 from generate_series(0, 23) as number
)) order by player_id for update;
insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                    settings_id)
select 1, position, 'load-1', 'f00dfeed:17:' || position, 1763640000123456, 1763640000654321,
    '{"round_id":"f00dfeed:17:123456","server":"load-1","map":"arena_well","ended_at":"2026-11-20T12:00:00.123456Z","pool":"default","winner":"a","team_a":["76561197960265729","76561197960265736","76561197960265743","76561197960265750","76561197960265757","76561197960265764","76561197960265771","76561197960265778","76561197960265785","76561197960265792","76561197960265799","76561197960265806"],"team_b":["76561197960265813","76561197960265820","76561197960265827","76561197960265834","76561197960265841","76561197960265848","76561197960265855","76561197960265862","76561197960265869","76561197960265876","76561197960265883","76561197960265890"]}',
    1
from nextval('bare_positions') as position
returning position as position \gset
insert into results (book, position, number, players, win_probability_a, theta, draws, brier,
                     log_loss, right_halves, score_halves, favourites, favourite_predicted,
                     favourite_score_halves, favourite_brier)
values (1, :position, :position,
    '[[1000,1010,31.4159265358979,100,true],[1001,1011,31.4159265358979,101,true],[1002,1012,31.4159265358979,102,true],[1003,1013,31.4159265358979,103,true],[1004,1014,31.4159265358979,104,true],[1005,1015,31.4159265358979,105,true],[1006,1016,31.4159265358979,106,true],[1007,1017,31.4159265358979,107,true],[1008,1018,31.4159265358979,108,true],[1009,1019,31.4159265358979,109,true],[1010,1020,31.4159265358979,110,true],[1011,1021,31.4159265358979,111,true],[1012,1022,31.4159265358979,112,true],[1013,1023,31.4159265358979,113,true],[1014,1024,31.4159265358979,114,true],[1015,1025,31.4159265358979,115,true],[1016,1026,31.4159265358979,116,true],[1017,1027,31.4159265358979,117,true],[1018,1028,31.4159265358979,118,true],[1019,1029,31.4159265358979,119,true],[1020,1030,31.4159265358979,120,true],[1021,1031,31.4159265358979,121,true],[1022,1032,31.4159265358979,122,true],[1023,1033,31.4159265358979,123,true]]',
    0.5123456789, 2400, 0, 1234.56789, 3456.789, 2345, 2345, 1234, 789.123456, 1456, 234.56789);
insert into entries (book, player_id, number, position, rating_total, rating_squared_total,
                     expected_total, score_halves_total)
select 1, player_id, :position, :position, 100000, 100000000, 219902325555200, 100
from unnest(array(
    select 76561197960265729 + (:base + :step * number) % 1000 from generate_series(0, 23) as number
)) as player_id;
update players set rating = 1000 + :position % 500, rounds = rounds + 1, entries = entries + 1,
    last_played = 1763640000123456, rating_total = rating_total + 1000,
    rating_squared_total = rating_squared_total + 1000000,
    expected_total = expected_total + 2199023255552,
    score_halves_total = score_halves_total + 1
from unnest(array(
    select 76561197960265729 + (:base + :step * number) % 1000 from generate_series(0, 23) as number
)) as wanted
where book = 1 and player_id = wanted;
commit;
