-- A pool's season ends and another starts: every rating moves towards the initial one. That stands in `changes`, by
-- the kind `season`; the undo of it by the kind `undo`, without a player. One text for both engines.
--
-- The version before does not know these, and may pass them over: seasons are started once no instance of it runs any
-- more.

-- What the season that starts is called, the thousandths of a rating's distance from the initial one that are kept,
-- and the rounds after which a player is placed: with season.
alter table changes add column name text;
alter table changes add column kept bigint;
alter table changes add column calibration bigint;

create index seasons on changes (pool_id, position) where kind = 'season';

-- Who everybody was as a season ended. It follows from the log, as `players` does, and is kept for good: what is
-- pruned stays as it was.
create table season_standings (
    pool_id bigint not null references pools (id),
    -- The place in the log at which the season ended and the next one started.
    position bigint not null,
    player_id bigint not null,
    -- From 1; null of who has none: too few rounds in the season or since the last reset.
    rank bigint,
    rating bigint not null,
    -- Rated rounds since the last reset, in the season, and ever.
    rounds bigint not null,
    season_rounds bigint not null,
    entries bigint not null,
    primary key (pool_id, position, player_id)
);

create index season_standings_by_rank on season_standings (pool_id, position, rank, player_id)
    where rank is not null;
create index season_standings_of_players on season_standings (pool_id, player_id, position);
