-- The tables of both engines. What PostgreSQL and SQLite declare differently stands in 0001_tables.postgres.sql and
-- 0001_tables.sqlite.sql, which are appended to this text.
--
-- Times are microseconds since 1970-01-01T00:00:00Z, so that both engines compare and return them alike. Flags are 0
-- or 1.
--
-- The log of a pool consists of `rounds` and `changes`, to which rows are only added, and of `settings`, the constants
-- that the rounds were rated by. The tables `results`, `entries`, `players`, `round_groups` and `season_standings` are
-- computed from the log. No rating depends on any other table.
--
-- `results`, `entries` and `players` have a `generation`, the version of computed rows. A rebuild writes rows of the
-- next generation and shares every result and entry that it does not change: of the rows with one key, the row with the
-- highest generation up to `pools.generation` counts.

-- The pools, with their current sums over the rounds that count. Every transaction that writes to a pool locks the
-- pool's row, so rounds of one pool are applied one after another, whatever the number of instances.
create table pools (
    id bigint not null primary key,
    name text not null unique,
    -- Number of positions given out in the pool's log. Rounds and admin changes are numbered together.
    log_length bigint not null,
    -- Sums over every round of the pool that counts, added up in the order of the log.
    rounds bigint not null,
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    -- Sums over the pool's rounds that had a favourite, from the favourite's side.
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    -- JSON: for each tenth of predictions, a list: number of rounds, sum of team a's win probabilities (in 2^-32), and
    -- sum of team a's scores in halves.
    calibration text not null,
    -- JSON: for each bucket of players by earlier rounds, a list: number of times rated, and sums of K-factor and
    -- convergence (F3) in units of 2^-20.
    experience text not null,
    -- Active generation (version of the pool's computed rows), from 1. Rows of a higher generation do not count yet.
    generation bigint not null,
    -- Generation (version of the pool's computed rows) up to which replaced rows are deleted.
    cleared bigint not null,
    -- Generation (version of the pool's computed rows) whose rows of `players` are read.
    players_generation bigint not null default 0,
    -- Last position of the pool's log up to which all rounds are pruned; 0 if no round is.
    pruned bigint not null default 0,
    -- Name of the rating model that computed the pool's current figures.
    model text not null default 'synelo',
    -- Time of the last check of the pool's season calendar, and its months then (bit n for month n, 1 to 12). A start
    -- date that passed while the service was down thus differs from one before the calendar was set. Null without a
    -- calendar.
    calendar_looked_at bigint,
    calendar_months bigint,
    -- What the pool's chat was told last, by subject, as JSON, so that one of several instances tells it.
    told text not null default '{}'
);

-- Every set of rating constants that any log entry was rated by. Later configurations thus do not change the figures
-- that a replay of the log gives.
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
    -- Log position of the change that voided the round; null while the round counts. Copied from `changes`.
    voided_at bigint,
    -- Winner of the round as an admin corrected it; null without a correction. Copied from `changes`.
    corrected_winner text,
    -- The fingerprint of the secret that reported the round; null for imported rounds.
    secret text,
    primary key (pool_id, position),
    -- Makes retries of a report safe: no round is counted twice, even if sent to several instances.
    unique (server, round_id)
);

-- For lists of a pool's rounds by time. Has every column that counting the rounds of an hour needs.
create index rounds_by_time on rounds (pool_id, ended_at, position, server, voided_at);
-- For lists of a server's rounds.
create index rounds_by_server on rounds (pool_id, server, ended_at, position);
create index rounds_voided on rounds (pool_id, position) where voided_at is not null;
-- Index for the history of a pool's rating constants. The constants come first, so that no search of a pool's rounds
-- uses this index.
create index rounds_by_settings on rounds (settings_id, pool_id, position);
create index rounds_by_secret on rounds (pool_id, secret, received_at) where secret is not null;

-- The changes that admins made, each at its position in the pool's log.
create table changes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Unique and permanent id of the admin's change, so that an import cannot apply it twice.
    change_id text not null unique,
    -- Kind of the admin's change: set, reset, void, unvoid, correct, undo or season.
    kind text not null,
    -- Player whose rating was changed, for the kinds set and reset and the undo of either.
    player_id bigint,
    -- New rating of the player in points, for the kind set.
    rating bigint,
    -- Log position of the round (for the kinds void, unvoid and correct) or of the undone change (for undo).
    round_position bigint,
    reason text,
    made_at bigint not null,
    settings_id bigint not null references settings (id),
    -- Corrected winner of the round, for the kind correct.
    winner text,
    -- For the kind season: name of the season that starts, thousandths of a rating's distance from the initial rating
    -- that are kept, and number of rounds until a player is placed.
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

-- The players who were listed in a team of a round but not rated: they did not participate, or played for 0 seconds.
-- This table and `entries` together contain all rounds of a player. A trigger on `rounds` fills this table.
create table unrated_players (
    pool_id bigint not null references pools (id),
    player_id bigint not null,
    position bigint not null,
    primary key (pool_id, player_id, position)
);

-- The rebuilds (new computations of a pool's ratings) that run, or were interrupted when their process died.
create table rebuilds (
    pool_id bigint not null primary key references pools (id),
    -- Owner of the lease on the rebuild, and time of its last renewal. Every transaction that writes for a rebuild
    -- checks that the writer still owns the lease.
    owner text not null,
    renewed_at bigint not null,
    -- Log position of the first round that the rebuild changes (null if none), and the change: 1 voids rounds, 0
    -- restores them, null corrects their winner.
    round_position bigint,
    voids bigint,
    started_at bigint,
    -- Entries of the log that are computed, and entries to compute, both from where the rebuild began.
    done bigint not null,
    total bigint not null,
    -- 1 if the rebuild was cancelled, else 0. Its owner then gives up when it next renews the lease.
    cancelled bigint not null,
    -- Winner that the rebuild corrects a round to (null if it corrects none), and number of rounds that it changes.
    winner text,
    rounds bigint not null
);

-- An import that is in progress, or was when its program died.
create table imports (
    id text not null primary key,
    -- The source of the rounds, for people to read.
    source text not null,
    started_at bigint not null,
    -- Time at which the importing program last reported its progress.
    renewed_at bigint not null,
    -- Bytes of the files that are read, and their size; null if the source is a pipe.
    done bigint not null,
    total bigint
);

-- The final standings of every player in each season. Computed from the log, and kept when rounds are pruned.
create table season_standings (
    pool_id bigint not null references pools (id),
    -- The position in the log at which the season ended and the next one started.
    position bigint not null,
    player_id bigint not null,
    -- Rank of the player, from 1; null for a player with too few rounds in the season or since the last reset.
    rank bigint,
    rating bigint not null,
    -- Numbers of the player's rated rounds: since the last reset, in the season, and in all.
    rounds bigint not null,
    season_rounds bigint not null,
    entries bigint not null,
    primary key (pool_id, position, player_id)
);

create index season_standings_by_rank on season_standings (pool_id, position, rank, player_id)
    where rank is not null;
create index season_standings_of_players on season_standings (pool_id, player_id, position);

-- The sums of a pool at the last round of each prune. A replay of the log begins with the latest of them.
create table prunes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    pruned_at bigint not null,
    -- Name of the file that contains the pruned rounds.
    file text not null,
    -- Longest window, in rounds, for which enough computed rows of the pool and of every player are kept.
    kept_window bigint not null,
    -- When the last pruned round was received.
    last_received_at bigint not null,
    -- Sums up to the last pruned round, as JSON in the format of the columns of the same names in `pools`.
    calibration text not null,
    experience text not null,
    -- JSON: kind, name and sums of every row of `round_groups`, up to the last pruned round.
    group_sums text not null,
    primary key (pool_id, position)
);

-- The servers and ids of the pruned rounds, so that none of these rounds can be counted again.
create table pruned_rounds (
    server text not null,
    round_id text not null,
    pool_id bigint not null references pools (id),
    position bigint not null,
    primary key (server, round_id)
);

-- The challengers of each pool, which are models that predict its rounds beside its own model: the lease on evaluating
-- them, and their quality figures. Without figures, the evaluation starts at the beginning of the log.
create table challengers (
    pool_id bigint not null primary key references pools (id),
    -- Id of the instance that holds the lease on evaluating the challengers, and time of its last renewal.
    owner text not null,
    renewed_at bigint not null,
    -- Input of the quality figures: generation of the pool's results, last pruned log position, and rating constants.
    generation bigint not null default 0,
    pruned bigint not null default 0,
    settings_id bigint not null default 0,
    -- Last log position that the quality figures include, and number of the pool's rounds that count up to it.
    position bigint not null default 0,
    rounds bigint not null default 0,
    -- Quality figures of the challengers, as JSON; null before the first figures are written.
    figures text
);

-- The audit: each action of an admin, with the secret that was used.
create table audit (
    made_at bigint not null,
    -- Id that distinguishes admin actions of the same moment. For a change in the log, this is its `change_id`.
    id text not null,
    -- Fingerprint of the secret that the admin used; null for the command line.
    secret text,
    -- Name of the admin's action, such as set, reset, void, unvoid or rebuild.
    action text not null,
    pool_id bigint not null references pools (id),
    player_id bigint,
    server text,
    round_id text,
    reason text,
    -- State before and after the admin's action, as JSON.
    before text not null,
    after text not null,
    primary key (made_at, id)
);

create index audit_of_pools on audit (pool_id, made_at, id);

-- The interventions: answers about matches that were found unbalanced in mid-round. Old rows are deleted.
create table interventions (
    id bigint not null primary key,
    pool_id bigint not null references pools (id),
    server text not null,
    -- Times of the first and last request, and number of requests, that got this answer. A plugin that asks again
    -- before it has moved a player gets the same answer.
    first_asked_at bigint not null,
    last_asked_at bigint not null,
    asked bigint not null,
    policy text not null,
    -- JSON: every broken rule with its rule, value, limit and detail.
    reasons text not null,
    -- JSON: the players who should change teams, each with id, from, to and with.
    moves text not null,
    -- Teams before and after the recommended moves: numbers of players and bots, total weights in the policy's unit
    -- (such as rating points), and the probability that team a wins, by the ratings.
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
    -- Kind of the notice: scramble, rating, plugin or unknown_server.
    kind text not null,
    -- Player whom the notice concerns, and the player's new rating; null if it concerns none.
    player_id bigint,
    rating bigint,
    -- Text of the notice, as a sentence.
    message text not null,
    made_at bigint not null,
    expires_at bigint not null,
    primary key (server, name)
);

-- The last table of splits computed for each server.
create table split_tables (
    server text not null primary key,
    -- Time at which the table of splits was computed. A table never replaces one that was computed later.
    computed_at bigint not null,
    -- JSON: the table of splits as it was answered, and the players' ratings that it was computed with. If these have
    -- changed, the table is no longer valid.
    content text not null
);

-- The recent tables of splits of each server, to show the one that a round was played by. Old rows are deleted.
create table past_split_tables (
    server text not null,
    computed_at bigint not null,
    -- JSON of the table of splits, in the format of the table `split_tables`.
    content text not null,
    primary key (server, computed_at)
);

create index past_split_tables_by_time on past_split_tables (computed_at);

-- The names of players, for people to read. Rounds contain ids of players, not names.
create table player_names (
    player_id bigint not null primary key,
    -- Name of the player that a game server sent last (null without one, or if the player is forgotten), and time at
    -- which the player had it.
    name text,
    named_at bigint not null,
    -- Name that an admin gave the player, shown in place of the name from the game server.
    alias text,
    -- Name and alias in lower case, for searches.
    folded_name text,
    folded_alias text,
    -- Time at which the player was forgotten, after which no name is stored; null if the player is not forgotten.
    forgotten_at bigint,
    -- Number, from 1, shown in place of the id of a forgotten player whose id is hidden too.
    pseudonym bigint unique,
    -- Fingerprint of the secret that sent the name, and arrival time of the name. The time in `named_at` may differ: it
    -- may be the end of a round.
    secret text,
    received_at bigint,
    -- Arrival time of the name of a player who has played in no pool; null for other players.
    stranger_since bigint
);

create index player_names_strangers on player_names (stranger_since) where stranger_since is not null;

-- The last POST /v1/hello of each game server.
create table servers (
    server text not null primary key,
    -- The version of the plugin, such as 1.2.0; null if the request named none.
    plugin text,
    -- Fingerprint of the secret that the game server sent.
    secret text not null,
    hello_at bigint not null
);

-- The logged-out sessions of the dashboard, which all instances refuse, even after a restart.
create table ended_sessions (
    id text not null primary key,
    -- Time at which the session would have expired without the log-out. The row is deleted after it.
    ends_at bigint not null
);

-- The latest refusals of requests and rounds, in groups of equal ones. Each instance writes its groups some seconds
-- after a refusal, and reads those of all instances at its start.
create table refusals (
    id text not null primary key,
    last_at bigint not null,
    -- The group as JSON, in the form of GET /v1/admin/refusals.
    content text not null
);

-- Number of rounds of each game server that were refused within an hour of the last day.
create table refused_rounds (
    server text not null,
    -- Beginning of the hour.
    hour bigint not null,
    rounds bigint not null,
    primary key (server, hour)
);
