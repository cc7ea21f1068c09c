-- The rows of one RBS round, bare: no arithmetic, no HTTP, no check for a retry. 24 players of a
-- thousand, locked in one order so that nobody waits in a circle, and their last entries are read; then every
-- table's rows are written at once, but for the sums that all rounds share. What stands in the binary columns
-- is as long as what the service writes there.
-- The step ends in 1, so that it meets 24 different players of the thousand.
\set base random(0, 999)
\set step 10 * random(0, 99) + 1
begin;
select player_id, rating, rounds, entries, last_played, rating_total, rating_squared_total,
       expected_total, score_halves_total, last_entries
from players where pool_id = 1 and generation = 0 and player_id = any(array(
    select 76561197960265729 + (:base + :step * number) % 1000 from generate_series(0, 23) as number
)) order by player_id for update;
insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                    settings_id, voided_at)
select 1, position, 'load-1', 'f00dfeed:17:' || position, 1763640000123456, 1763640000654321,
    '{"round_id":"f00dfeed:17:123456","server":"load-1","map":"arena_well","ended_at":"2026-11-20T12:00:00.123456Z","pool":"default","winner":"a","team_a":["76561197960265729","76561197960265736","76561197960265743","76561197960265750","76561197960265757","76561197960265764","76561197960265771","76561197960265778","76561197960265785","76561197960265792","76561197960265799","76561197960265806"],"team_b":["76561197960265813","76561197960265820","76561197960265827","76561197960265834","76561197960265841","76561197960265848","76561197960265855","76561197960265862","76561197960265869","76561197960265876","76561197960265883","76561197960265890"]}',
    1, null
from nextval('bare_positions') as position
returning position as position \gset
insert into results (pool_id, generation, position, number, content)
values (1, 1, :position, :position, decode(repeat('5a', 390), 'hex'));
insert into entries (pool_id, player_id, chunk, generation, first_position, ended_from, ended_to,
                     content)
select 1, player_id, entries / 16, 1, :position, 1763640000123456, 1763640000123456,
       decode(repeat('5a', 28 + 12 * 16), 'hex')
from players where pool_id = 1 and generation = 0 and (entries + 1) % 16 = 0 and player_id = any(array(
    select 76561197960265729 + (:base + :step * number) % 1000 from generate_series(0, 23) as number
));
insert into players (pool_id, generation, player_id, rating, rounds, entries, last_played, rating_total,
                     rating_squared_total, expected_total, score_halves_total, last_entries)
select 1, 0, player_id, 1000 + :position % 500, rounds + 1, entries + 1, 1763640000123456,
       rating_total + 1000, rating_squared_total + 1000000, expected_total + 2199023255552,
       score_halves_total + 1, decode(repeat('5a', (28 + 12 * ((entries + 1) % 16))::int), 'hex')
from players where pool_id = 1 and generation = 0 and player_id = any(array(
    select 76561197960265729 + (:base + :step * number) % 1000 from generate_series(0, 23) as number
))
on conflict (pool_id, generation, player_id) do update set
    rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
    last_played = excluded.last_played, rating_total = excluded.rating_total,
    rating_squared_total = excluded.rating_squared_total,
    expected_total = excluded.expected_total,
    score_halves_total = excluded.score_halves_total, last_entries = excluded.last_entries;
commit;
