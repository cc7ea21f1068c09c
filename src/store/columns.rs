/// The columns of a table that its records are read from, in a query's text.
///
/// They are named, not `*`: a statement that was prepared before a newer version of this program
/// added a column goes on working.
macro_rules! columns {
    (pools) => {
        "pools.id, pools.name, pools.book, pools.log_length, pools.rounds, pools.draws, \
         pools.brier, pools.log_loss, pools.right_halves, pools.score_halves, pools.favourites, \
         pools.favourite_predicted, pools.favourite_score_halves, pools.favourite_brier, \
         pools.calibration, pools.experience"
    };
    (players) => {
        "players.player_id, players.rating, players.rounds, players.entries, players.last_played, \
         players.rating_total, players.rating_squared_total, players.expected_total, \
         players.score_halves_total"
    };
    (entries) => {
        "entries.player_id, entries.number, entries.position, entries.rating_total, \
         entries.rating_squared_total, entries.expected_total, entries.score_halves_total"
    };
    (rounds) => {
        "rounds.pool_id, rounds.position, rounds.server, rounds.round_id, rounds.ended_at, \
         rounds.received_at, rounds.report, rounds.settings_id, rounds.voided_at"
    };
    // Without the position, which `rounds` has.
    (results) => {
        "results.number, results.players, results.win_probability_a, results.theta, \
         results.draws, results.brier, results.log_loss, results.right_halves, \
         results.score_halves, results.favourites, results.favourite_predicted, \
         results.favourite_score_halves, results.favourite_brier"
    };
    (round_groups) => {
        "round_groups.name, round_groups.rounds, round_groups.draws, round_groups.right_halves, \
         round_groups.score_halves, round_groups.predicted, round_groups.brier, \
         round_groups.log_loss, round_groups.lead"
    };
    (changes) => {
        "changes.pool_id, changes.position, changes.change_id, changes.kind, changes.player_id, \
         changes.rating, changes.round_position, changes.reason, changes.made_at, \
         changes.settings_id"
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
    (audit) => {
        "audit.made_at, audit.id, audit.secret, audit.action, audit.pool_id, audit.player_id, \
         audit.server, audit.round_id, audit.reason, audit.before, audit.after"
    };
}

/// A query that reads the columns of one table or two; `$rest` is its text from `from` on, in parts. A
/// space is put before each part: a part needs none at its ends, and one more does no harm. `concat!`
/// within a part puts none.
macro_rules! select {
    ([$first:ident, $second:ident], $($rest:expr),+ $(,)?) => {
        concat!("select ", columns!($first), ", ", columns!($second), $(" ", $rest),+)
    };
    ($table:ident, $($rest:expr),+ $(,)?) => {
        concat!("select ", columns!($table), $(" ", $rest),+)
    };
}

/// Rows of a table that the active projection of the pool `$1` has, as far as they meet the rest of the
/// text.
macro_rules! select_active {
    ($table:ident, $rest:expr) => {
        select!(
            $table,
            concat!("from ", stringify!($table), " where book ="),
            active_projection!(),
            $rest
        )
    };
}

/// The active projection of the pool `$1`, in a query's text. What is read is always of it; what is
/// written names its projection.
macro_rules! active_projection {
    () => {
        "(select book from pools where id = $1)"
    };
}

/// Writes rows of a table: the pool or projection `$1`, and the columns that the rest of the text
/// selects.
macro_rules! insert_into {
    (players) => {
        "insert into players (book, player_id, rating, rounds, entries, last_played, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select $1, "
    };
    (entries) => {
        "insert into entries (book, player_id, number, position, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select $1, "
    };
    (rounds) => {
        "insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                             settings_id, voided_at)
         select $1, "
    };
    (results) => {
        "insert into results (book, position, number, players, win_probability_a, theta, draws,
                              brier, log_loss, right_halves, score_halves, favourites,
                              favourite_predicted, favourite_score_halves, favourite_brier)
         select $1, "
    };
    (round_groups) => {
        "insert into round_groups (book, kind, name, rounds, draws, right_halves, score_halves,
                                   predicted, brier, log_loss, lead)
         select $1, "
    };
}

/// What becomes of a row that is there already: players are replaced, and sums are added to.
macro_rules! on_conflict {
    (players) => {
        " on conflict (book, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total"
    };
    (round_groups) => {
        " on conflict (book, kind, name) do update set
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
