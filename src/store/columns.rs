/// The columns of a table that its records are read from, in a query's text.
///
/// They are named, not `*`: a statement that was prepared before a newer version of this program
/// added a column goes on working.
macro_rules! columns {
    (pools) => {
        "pools.id, pools.name, pools.log_length, pools.rounds, pools.draws, pools.brier, \
         pools.log_loss, pools.right_halves, pools.calibration"
    };
    (players) => {
        "players.player_id, players.rating, players.rounds, players.entries, players.last_played, \
         players.rating_total, players.rating_squared_total, players.expected_total, \
         players.score_halves_total"
    };
    (entries) => {
        "entries.player_id, entries.number, entries.rating_total, entries.rating_squared_total, \
         entries.expected_total, entries.score_halves_total"
    };
    (rounds) => {
        "rounds.position, rounds.number, rounds.ended_at, rounds.received_at, rounds.report, \
         rounds.results, rounds.win_probability_a, rounds.theta, rounds.draws, rounds.brier, \
         rounds.log_loss, rounds.right_halves"
    };
    (changes) => {
        "changes.pool_id, changes.position, changes.change_id, changes.player_id, changes.rating, \
         changes.reason, changes.made_at, changes.rating_before, changes.rounds_before"
    };
}
