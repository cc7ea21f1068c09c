/// SQL column with the scoreboard of a row of the table `rounds`; null if the round has none.
macro_rules! scoreboard {
    () => {
        "(select content from scoreboards
           where scoreboards.pool_id = rounds.pool_id and scoreboards.position = rounds.position) as scoreboard"
    };
}

/// Column list of a table for a `select`, as SQL text.
///
/// The columns are named instead of `*`, so that prepared statements still work after a newer version has added a
/// column.
macro_rules! columns {
    (pools) => {
        "pools.id, pools.name, pools.generation, pools.cleared, pools.log_length, pools.pruned, pools.rounds, pools.draws, \
         pools.brier, pools.log_loss, pools.right_halves, pools.score_halves, pools.favourites, \
         pools.favourite_predicted, pools.favourite_score_halves, pools.favourite_brier, \
         pools.calibration, pools.experience, pools.model, pools.model_state"
    };
    (players) => {
        "players.player_id, players.rating, players.rounds, players.entries, players.last_played, \
         players.rating_total, players.rating_squared_total, players.expected_total, \
         players.score_halves_total, players.model_state"
    };
    (last_entries) => {
        "players.last_entries"
    };
    (entries) => {
        "entries.player_id, entries.chunk, entries.generation, entries.ended_to, entries.content"
    };
    (rounds) => {
        concat!(
            "rounds.pool_id, rounds.position, rounds.server, rounds.round_id, rounds.ended_at, \
             rounds.received_at, rounds.report, rounds.settings_id, rounds.voided_at, \
             rounds.corrected_winner, rounds.secret, ",
            scoreboard!()
        )
    };
    // The table `rounds` supplies the position.
    (results) => {
        "results.number, results.content"
    };
    (season_standings) => {
        "season_standings.position, season_standings.player_id, season_standings.rank, \
         season_standings.rating, season_standings.rounds, season_standings.season_rounds, \
         season_standings.entries"
    };
    (round_groups) => {
        "round_groups.name, round_groups.rounds, round_groups.draws, round_groups.right_halves, \
         round_groups.score_halves, round_groups.predicted, round_groups.brier, \
         round_groups.log_loss, round_groups.lead"
    };
    (changes) => {
        "changes.pool_id, changes.position, changes.change_id, changes.kind, changes.player_id, \
         changes.rating, changes.round_position, changes.winner, changes.reason, \
         changes.made_at, changes.settings_id, changes.name, changes.kept, changes.calibration"
    };
    (prunes) => {
        "prunes.position, prunes.pruned_at, prunes.file, prunes.kept_window, \
         prunes.last_received_at, prunes.calibration, prunes.experience, prunes.group_sums"
    };
    (challengers) => {
        "challengers.owner, challengers.renewed_at, challengers.generation, challengers.pruned, \
         challengers.settings_id, challengers.position, challengers.rounds, challengers.figures"
    };
    (interventions) => {
        "interventions.id, interventions.pool_id, interventions.server, \
         interventions.first_asked_at, interventions.last_asked_at, interventions.asked, \
         interventions.policy, interventions.reasons, interventions.moves, \
         interventions.size_a_before, interventions.size_b_before, interventions.bots_a_before, \
         interventions.bots_b_before, interventions.sum_a_before, \
         interventions.sum_b_before, interventions.win_probability_a_before, \
         interventions.size_a_after, interventions.size_b_after, interventions.bots_a_after, \
         interventions.bots_b_after, interventions.sum_a_after, \
         interventions.sum_b_after, interventions.win_probability_a_after, \
         interventions.balanced_after"
    };
    (player_names) => {
        "player_names.player_id, player_names.name, player_names.named_at, player_names.alias, \
         player_names.forgotten_at, player_names.pseudonym, player_names.stranger_since"
    };
    (audit) => {
        "audit.made_at, audit.id, audit.secret, audit.action, audit.pool_id, audit.player_id, \
         audit.server, audit.round_id, audit.reason, audit.before, audit.after"
    };
}

/// SQL query of the columns of one table or two. `$rest` is the SQL text from `from` on, in parts. A space precedes
/// each part, but `concat!` within a part adds none.
macro_rules! select {
    ([$first:ident, $second:ident], $($rest:expr),+ $(,)?) => {
        concat!("select ", columns!($first), ", ", columns!($second), $(" ", $rest),+)
    };
    ($table:ident, $($rest:expr),+ $(,)?) => {
        concat!("select ", columns!($table), $(" ", $rest),+)
    };
}

/// SQL condition that selects the current rows of `results` or `entries`. Of the rows with one key, this is the row
/// with the highest generation (version of computed rows) up to `$active`, which is SQL text.
macro_rules! is_current {
    (results, $active:expr) => {
        concat!(
            " results.generation = (select max(newer.generation) from results as newer
                 where newer.pool_id = results.pool_id and newer.position = results.position
                       and newer.generation <= ",
            $active,
            ")"
        )
    };
    (entries, $active:expr) => {
        concat!(
            " entries.generation = (select max(newer.generation) from entries as newer
                 where newer.pool_id = entries.pool_id and newer.player_id = entries.player_id
                       and newer.chunk = entries.chunk and newer.generation <= ",
            $active,
            ")"
        )
    };
}

/// SQL update of a pool's row: its log length, sums over predictions and K-factors, generation and rating model. `$1`
/// is the pool's id, and `$2` to `$17` are the new values.
macro_rules! update_pool {
    () => {
        "update pools set log_length = $2, rounds = $3, draws = $4, brier = $5, log_loss = $6,
                          right_halves = $7, calibration = $8, generation = $9, score_halves = $10,
                          favourites = $11, favourite_predicted = $12,
                          favourite_score_halves = $13, favourite_brier = $14, experience = $15,
                          model = $16, model_state = $17
         where id = $1"
    };
}

/// SQL query that looks up rounds by server and `round_id`, and counts their rows in the log, their pruned rows and the
/// notices of their servers. Rounds without any such row are left out.
macro_rules! look_up_rounds {
    ($wanted:expr) => {
        concat!(
            "select server, round_id, rounds, notices from (
                 select wanted.server, wanted.round_id,
                     (select count(*) from rounds where rounds.server = wanted.server
                      and rounds.round_id = wanted.round_id)
                     + (select count(*) from pruned_rounds where pruned_rounds.server = wanted.server
                        and pruned_rounds.round_id = wanted.round_id) as rounds,
                     (select count(*) from notices where notices.server = wanted.server) as notices",
            $wanted,
            ") as looked_up where rounds + notices > 0"
        )
    };
}

/// SQL condition that joins a row of `pruned_rounds` to the row of `prunes` of its prune.
macro_rules! prune_of_round {
    () => {
        "prunes.pool_id = pruned_rounds.pool_id and prunes.position = (
             select min(later.position) from prunes as later
             where later.pool_id = pruned_rounds.pool_id
                   and later.position >= pruned_rounds.position)"
    };
}

/// SQL expression for the active generation (version of computed rows) of the pool `$1`.
macro_rules! active_generation {
    () => {
        "(select generation from pools where id = $1)"
    };
}

/// SQL expression for the generation (version of computed rows) whose players are read in the pool `$1`.
macro_rules! players_generation {
    () => {
        "(select players_generation from pools where id = $1)"
    };
}

/// SQL condition that selects the players of the pool `$1` in the generation (row version) that is read.
macro_rules! of_pool_players {
    () => {
        concat!(
            " players.pool_id = $1 and players.generation = ",
            players_generation!()
        )
    };
}

/// SQL expression for the log position up to which the rounds of the pool `$1` are pruned.
macro_rules! pruned_position {
    () => {
        "(select pruned from pools where id = $1)"
    };
}

/// SQL text that begins an insert into a table. The pool is bound as `$1`; the caller appends the other columns.
macro_rules! insert_into {
    (players) => {
        "insert into players (pool_id, generation, player_id, rating, rounds, entries, last_played,
                              rating_total, rating_squared_total, expected_total, score_halves_total,
                              model_state, last_entries)
         select $1, "
    };
    (entries) => {
        "insert into entries (pool_id, player_id, chunk, generation, first_position, ended_from,
                              ended_to, content)
         select $1, "
    };
    (rounds) => {
        "insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                             settings_id, voided_at, corrected_winner, secret)
         select $1, "
    };
    (scoreboards) => {
        "insert into scoreboards (pool_id, position, content)
         select $1, "
    };
    (changes) => {
        "insert into changes (pool_id, position, change_id, kind, player_id, rating, round_position,
                              winner, reason, made_at, settings_id, name, kept, calibration)
         select $1, "
    };
    (season_standings) => {
        "insert into season_standings (pool_id, position, player_id, rank, rating, rounds,
                                       season_rounds, entries)
         select $1, $2, "
    };
    (results, $generation:literal) => {
        concat!(
            "insert into results (pool_id, generation, position, number, content)
             select $1, ",
            $generation,
            ", "
        )
    };
    // Names belong to no pool.
    (player_names) => {
        "insert into player_names (player_id, name, named_at, folded_name, secret, received_at,
                                   stranger_since)
         select "
    };
    (round_groups) => {
        "insert into round_groups (pool_id, kind, name, rounds, draws, right_halves, score_halves,
                                   predicted, brier, log_loss, lead)
         select $1, "
    };
}

/// SQL conflict clause of an insert. New players, rated rounds and names replace existing rows; sums are added.
macro_rules! on_conflict {
    (players) => {
        " on conflict (pool_id, generation, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total,
             last_entries = coalesce(excluded.last_entries, players.last_entries),
             model_state = excluded.model_state"
    };
    (entries) => {
        " on conflict (pool_id, player_id, chunk, generation) do update set
             first_position = excluded.first_position, ended_from = excluded.ended_from,
             ended_to = excluded.ended_to, content = excluded.content"
    };
    (player_names) => {
        " on conflict (player_id) do update set
             name = excluded.name, named_at = excluded.named_at, folded_name = excluded.folded_name,
             secret = excluded.secret, received_at = excluded.received_at,
             stranger_since = excluded.stranger_since
         where player_names.forgotten_at is null
               and (player_names.name is null or player_names.named_at <= excluded.named_at)"
    };
    (round_groups) => {
        " on conflict (pool_id, kind, name) do update set
             rounds = round_groups.rounds + excluded.rounds,
             draws = round_groups.draws + excluded.draws,
             right_halves = round_groups.right_halves + excluded.right_halves,
             score_halves = round_groups.score_halves + excluded.score_halves,
             predicted = round_groups.predicted + excluded.predicted,
             brier = round_groups.brier + excluded.brier,
             log_loss = round_groups.log_loss + excluded.log_loss,
             lead = round_groups.lead + excluded.lead"
    };
}
