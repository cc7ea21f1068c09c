-- What the bare script works on: the tables of migrations/, which are made first, a pool and a thousand
-- players.
insert into settings (id, content) values (1, '{}');

insert into pools (id, name, generation, cleared, log_length, rounds, draws, brier, log_loss,
                   right_halves, score_halves, favourites, favourite_predicted, favourite_score_halves,
                   favourite_brier, calibration, experience)
values (1, 'default', 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', '[]');

insert into players (pool_id, generation, player_id, rating, rounds, entries, last_played, rating_total,
                     rating_squared_total, expected_total, score_halves_total)
select 1, 0, 76561197960265729 + number, 1000, 0, 0, null, 0, 0, 0, 0
from generate_series(0, 999) as number;

create sequence bare_positions;

vacuum analyze players;
