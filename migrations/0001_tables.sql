-- The tables of both engines. What PostgreSQL and SQLite declare differently stands in 0001_tables.postgres.sql and
-- 0001_tables.sqlite.sql, which are appended to this text.
--
-- Times are microseconds since 1970-01-01T00:00:00Z, so that both engines compare and return them alike. Flags are 0
-- or 1.
--
-- The log is what happened in a pool: `rounds` and `changes`, which are only ever added to, and `settings`, the
-- constants that they were rated by. The projection is what is computed from the log: `results`, `entries`, `players`,
-- `round_groups` and `season_standings`. No rating depends on any other table.
--
-- `results`, `entries` and `players` have a `generation`. A rebuild writes rows of the next generation and shares every
-- result and entry that it does not change: of the rows with one key, the one with the highest generation up to
-- `pools.generation` counts.

-- A pool, and the running figures of its active generation. Whoever writes anything of a pool locks its row, so rounds
-- of one pool are applied one after another, on however many instances.
create table pools (
    id bigint not null primary key,
    name text not null unique,
    -- Positions given out in the pool's log; rounds and admin changes share them.
    log_length bigint not null,
    -- Sums over every round that counts, only ever added to in the order of the log.
    rounds bigint not null,
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    -- The same sums of the rounds that had a favourite, from the favourite's side.
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    -- JSON: for every bin of predictions [rounds, sum of predictions, halves won].
    calibration text not null,
    -- JSON: for every bucket of rounds played before [entries, sum of K, sum of C], in units of 2^-20.
    experience text not null,
    -- The active generation, from 1. Rows of a higher generation do not count yet.
    generation bigint not null,
    -- Up to this generation, replaced rows are deleted.
    cleared bigint not null,
    -- The generation of the rows of `players` that are read.
    players_generation bigint not null default 0,
    -- The rounds up to this position of the log are pruned; 0 if no round is.
    pruned bigint not null default 0,
    -- The model that computed the active generation.
    model text not null default 'synelo',
    -- When the season calendar was last looked at, and the months that it had then, a bit for each. They tell a start
    -- date that passed while the service was down from one that was past when the calendar was set. Null without a
    -- calendar.
    calendar_looked_at bigint,
    calendar_months bigint
);

-- Every set of constants that anything of the log was rated by, so that the log alone gives every figure, whatever is
-- configured later.
create table settings (
    id bigint not null primary key,
    -- JSON: the constants by their names in the configuration.
    content text not null unique
);

-- Every accepted round, as it was reported.
create table rounds (
    pool_id bigint not null references pools (id),
    position bigint not null,
    server text not null,
    round_id text not null,
    ended_at bigint not null,
    received_at bigint not null,
    -- JSON: the round as reported, with the time and pool that it was counted with.
    report text not null,
    settings_id bigint not null references settings (id),
    -- The position of the change that voided the round; null while the round counts. Follows from `changes`.
    voided_at bigint,
    -- How the round ended, if an admin corrected the winner. Follows from `changes`.
    corrected_winner text,
    -- The fingerprint of the secret that reported the round; null for imported rounds.
    secret text,
    primary key (pool_id, position),
    -- Makes a retry safe: no round is counted twice, whoever sends it to whichever instance.
    unique (server, round_id)
);

-- For lists of a pool's rounds by time. Has every column that counting the rounds of an hour needs.
create index rounds_by_time on rounds (pool_id, ended_at, position, server, voided_at);
-- For lists of a server's rounds.
create index rounds_by_server on rounds (pool_id, server, ended_at, position);
create index rounds_voided on rounds (pool_id, position) where voided_at is not null;
-- For the history of a pool's constants. The constants come first, so that no search of a pool's rounds uses this
-- index.
create index rounds_by_settings on rounds (settings_id, pool_id, position);
create index rounds_by_secret on rounds (pool_id, secret, received_at) where secret is not null;

-- What admins changed, each change at its position in the pool's log.
create table changes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Identifies the change for good, so that an import cannot apply it twice.
    change_id text not null unique,
    -- set, reset, void, unvoid, correct, undo or season.
    kind text not null,
    -- The player: of set, of reset, and of the undo of either.
    player_id bigint,
    -- The rating that was set: of set.
    rating bigint,
    -- The position of the round (of void, unvoid and correct) or of the undone change (of undo).
    round_position bigint,
    reason text,
    made_at bigint not null,
    settings_id bigint not null references settings (id),
    -- How the round ended: of correct.
    winner text,
    -- Of season: the name of the season that starts, the thousandths of a rating's distance from the initial rating
    -- that are kept, and the rounds after which a player is placed.
    name text,
    kept bigint,
    calibration bigint,
    primary key (pool_id, position)
);

create index changes_of_rounds on changes (pool_id, round_position)
    where round_position is not null;
create index changes_of_players on changes (pool_id, player_id, position)
    where player_id is not null;
create index seasons on changes (pool_id, position) where kind = 'season';

-- The players who stood on a team of a round without being rated by it: they took no part, or were there for no second.
-- Together with `entries`, this table finds a player's rounds. A trigger on `rounds` fills it.
create table unrated_players (
    pool_id bigint not null references pools (id),
    player_id bigint not null,
    position bigint not null,
    primary key (pool_id, player_id, position)
);

-- A pool that is being computed again, or was when its computation died.
create table rebuilds (
    pool_id bigint not null primary key references pools (id),
    -- The owner of the lease, and when it was last renewed. Whoever writes for a rebuild checks in the same transaction
    -- that the lease is still its own.
    owner text not null,
    renewed_at bigint not null,
    -- The position of the round that is changed with the rebuild, and whether the rebuild voids the round or restores
    -- it.
    round_position bigint,
    voids bigint,
    started_at bigint,
    -- Entries of the log that are computed, and entries to compute, both from where the rebuild began.
    done bigint not null,
    total bigint not null,
    -- 1 once somebody has called the rebuild off: its owner gives up when it next renews the lease.
    cancelled bigint not null,
    -- The winner that the round is corrected to with the rebuild, and the number of rounds that are changed with it.
    winner text,
    rounds bigint not null
);

-- An import that is in progress, or was when its program died.
create table imports (
    id text not null primary key,
    -- The source of the rounds, for people to read.
    source text not null,
    started_at bigint not null,
    -- When the importing program last gave a sign of life.
    renewed_at bigint not null,
    -- Bytes of the files that are read, and their size; null if the source is a pipe.
    done bigint not null,
    total bigint
);

-- What every player was as a season ended. Follows from the log as `players` does, and is kept when rounds are pruned.
create table season_standings (
    pool_id bigint not null references pools (id),
    -- The position in the log at which the season ended and the next one started.
    position bigint not null,
    player_id bigint not null,
    -- From 1; null for a player with too few rounds in the season or since the last reset.
    rank bigint,
    rating bigint not null,
    -- Rated rounds since the last reset, in the season, and in all.
    rounds bigint not null,
    season_rounds bigint not null,
    entries bigint not null,
    primary key (pool_id, position, player_id)
);

create index season_standings_by_rank on season_standings (pool_id, position, rank, player_id)
    where rank is not null;
create index season_standings_of_players on season_standings (pool_id, player_id, position);

-- The pool as it was at the last pruned position of its log. A replay begins here.
create table prunes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    pruned_at bigint not null,
    -- The name of the file that has the rounds.
    file text not null,
    -- The rows that windows of up to this many rounds need are kept, of the pool and of every player.
    kept_window bigint not null,
    -- When the last pruned round was received.
    last_received_at bigint not null,
    -- JSON: as in `pools`.
    calibration text not null,
    experience text not null,
    -- JSON: for every row of `round_groups` its kind, its name and its sums.
    group_sums text not null,
    primary key (pool_id, position)
);

-- The names of the pruned rounds, so that none of these rounds can be counted again.
create table pruned_rounds (
    server text not null,
    round_id text not null,
    pool_id bigint not null references pools (id),
    position bigint not null,
    primary key (server, round_id)
);

-- Models that predict the rounds of a pool beside its own model: who follows the pool's log for them, and how good
-- their predictions were. A program that finds no figures here reads the log from its beginning.
create table challengers (
    pool_id bigint not null primary key references pools (id),
    -- The owner of the lease, and when it was last renewed.
    owner text not null,
    renewed_at bigint not null,
    -- What the figures are computed from: the generation of the pool's results, the pruned position, and the constants.
    generation bigint not null default 0,
    pruned bigint not null default 0,
    settings_id bigint not null default 0,
    -- The last position of the log that is in the figures, and how many of the pool's rounds counted up to there.
    position bigint not null default 0,
    rounds bigint not null default 0,
    -- JSON; null before the first figures are written.
    figures text
);

-- What admins did, and who did it.
create table audit (
    made_at bigint not null,
    -- Tells apart what was done at the same moment. Of a change in the log, this is its `change_id`.
    id text not null,
    -- The fingerprint of the secret; null for the command line.
    secret text,
    -- Such as set, reset, void, unvoid or rebuild.
    action text not null,
    pool_id bigint not null references pools (id),
    player_id bigint,
    server text,
    round_id text,
    reason text,
    -- JSON: the state before and after.
    before text not null,
    after text not null,
    primary key (made_at, id)
);

create index audit_of_pools on audit (pool_id, made_at, id);

-- Every time that a match was found unbalanced in mid-round, and what was answered. Old rows are deleted.
create table interventions (
    id bigint not null primary key,
    pool_id bigint not null references pools (id),
    server text not null,
    -- A plugin that asks again before it has moved anybody gets the same answer. All of its requests share one row.
    first_asked_at bigint not null,
    last_asked_at bigint not null,
    asked bigint not null,
    policy text not null,
    -- JSON: every broken rule with its rule, value, limit and detail.
    reasons text not null,
    -- JSON: the players who should change teams, each with id, from, to and with.
    moves text not null,
    -- The teams as they stood, and as they stand after the moves: players, bots, sums by what the policy weighs, and
    -- the probability that team a wins, by the ratings.
    size_a_before bigint not null,
    size_b_before bigint not null,
    bots_a_before bigint not null,
    bots_b_before bigint not null,
    sum_a_before double precision not null,
    sum_b_before double precision not null,
    win_probability_a_before double precision not null,
    size_a_after bigint not null,
    size_b_after bigint not null,
    bots_a_after bigint not null,
    bots_b_after bigint not null,
    sum_a_after double precision not null,
    sum_b_after double precision not null,
    win_probability_a_after double precision not null,
    -- 1 if the teams are balanced after the moves, else 0.
    balanced_after bigint not null
);

-- For lists of a pool's interventions by time, for lists of a server's, and to find repeated requests.
create index interventions_by_time on interventions (pool_id, first_asked_at, id);
create index interventions_by_server on interventions (pool_id, server, first_asked_at, id);
create index interventions_by_last_asked on interventions (pool_id, server, last_asked_at);

-- Notices for game servers, sent along with their next answers. Read, replaced and expired notices are deleted.
create table notices (
    server text not null,
    name text not null,
    -- scramble or rating.
    kind text not null,
    -- The player and the player's new rating, if the notice is about one player.
    player_id bigint,
    rating bigint,
    -- The notice in a sentence.
    message text not null,
    made_at bigint not null,
    expires_at bigint not null,
    primary key (server, name)
);

-- The last table of splits computed for each server.
create table split_tables (
    server text not null primary key,
    -- A table never replaces a later one, however long the write took.
    computed_at bigint not null,
    -- JSON: the table as it was answered, and for every player the rating that it was computed with, which tells
    -- whether the table is still valid.
    content text not null
);

-- The recent tables of splits of each server, to show the one that a round was played by. Old rows are deleted.
create table past_split_tables (
    server text not null,
    computed_at bigint not null,
    -- JSON: as in `split_tables`.
    content text not null,
    primary key (server, computed_at)
);

create index past_split_tables_by_time on past_split_tables (computed_at);

-- The names of players, for people to read. No round has a name.
create table player_names (
    player_id bigint not null primary key,
    -- The name that a game server sent last, and when the player had it; null if no name was sent, or if the player is
    -- forgotten.
    name text,
    named_at bigint not null,
    -- What an admin calls the player. Shown in place of the name.
    alias text,
    -- Name and alias in lower case, for searches.
    folded_name text,
    folded_alias text,
    -- When the player was forgotten: later names are not kept.
    forgotten_at bigint,
    -- Counts from 1 the forgotten players whose ids are not shown either; shown in place of the id.
    pseudonym bigint unique,
    -- The fingerprint of the secret that the name came with, and when the name arrived. `named_at` may be the end of a
    -- round.
    secret text,
    received_at bigint,
    -- When the name arrived, of a player who has played in no pool; null of every other player.
    stranger_since bigint
);

create index player_names_strangers on player_names (stranger_since) where stranger_since is not null;

-- What each game server said of itself at its last POST /v1/hello.
create table servers (
    server text not null primary key,
    -- The version of the plugin, such as 1.2.0; null if the request named none.
    plugin text,
    -- The fingerprint of the secret of the request.
    secret text not null,
    hello_at bigint not null
);

-- Sessions of the dashboard that somebody has logged out of, for all instances and over restarts.
create table ended_sessions (
    id text not null primary key,
    -- When the session would have expired anyway. Then the row is deleted.
    ends_at bigint not null
);

