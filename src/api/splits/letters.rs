//! Tables of splits with one letter per player in place of lists of ids. A table takes a fifteenth of the size, for
//! plugins that parse the table during a game.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{AgedSplitTableAnswer, DrawnSplitAnswer, NewcomersAnswer, SplitAnswer};
use crate::api::NoticeAnswer;
use crate::domain::{
    PlayerId, PoolName, PowerName, Probability, ServerName, SplitMethod, Timestamp,
};

/// Form of the teams in answers about splits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// Lists of ids, with details about each wish.
    #[default]
    Lists,
    /// One letter for each player, with counts for each kind of wish.
    Letters,
}

/// A table of splits in the requested form.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SplitsAnswer {
    /// Form for `"seats": "lists"`, which is the default.
    Lists(Box<AgedSplitTableAnswer>),
    /// Form for `"seats": "letters"`.
    Letters(Box<LetteredTableAnswer>),
}

impl SplitsAnswer {
    /// Converts `table` to the form of `seats`. `players` are the eligible players, in the order sent.
    #[must_use]
    pub fn new(table: AgedSplitTableAnswer, players: Vec<PlayerId>, seats: Seats) -> Self {
        match seats {
            Seats::Lists => Self::Lists(Box::new(table)),
            Seats::Letters => Self::Letters(Box::new(LetteredTableAnswer::new(table, players))),
        }
    }
}

/// Answer of `POST /v1/scramble`: a table of splits in the requested form, and notices.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ScrambleAnswer {
    /// Form for `"seats": "lists"`, which is the default.
    Lists(ListsAndNoticesAnswer),
    /// Form for `"seats": "letters"`.
    Letters(LettersAndNoticesAnswer),
}

/// A table of splits with lists of ids, and notices for the server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ListsAndNoticesAnswer {
    /// The table of splits.
    #[serde(flatten)]
    pub table: AgedSplitTableAnswer,
    /// Notices for the server.
    pub notices: Vec<NoticeAnswer>,
}

/// The known splits of a server or of a round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct KnownSplitsAnswer {
    /// The table of splits; `null` if none was computed, or if it is too old to be stored.
    pub table: Option<SplitsAnswer>,
}

/// A table of splits with letters, and notices for the server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LettersAndNoticesAnswer {
    /// The table of splits.
    #[serde(flatten)]
    pub table: LetteredTableAnswer,
    /// Notices for the server.
    pub notices: Vec<NoticeAnswer>,
}

impl ScrambleAnswer {
    /// Adds notices to a table.
    #[must_use]
    pub fn new(table: SplitsAnswer, notices: Vec<NoticeAnswer>) -> Self {
        match table {
            SplitsAnswer::Lists(table) => Self::Lists(ListsAndNoticesAnswer {
                table: *table,
                notices,
            }),
            SplitsAnswer::Letters(table) => Self::Letters(LettersAndNoticesAnswer {
                table: *table,
                notices,
            }),
        }
    }
}

/// A table of splits with one letter for each player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LetteredTableAnswer {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings were used.
    pub pool: PoolName,
    /// Name of the power that the splits are balanced by. `rating` if no other power was requested, or
    /// if no player has the requested power.
    pub by: PowerName,
    /// Number of eligible players.
    pub eligible: usize,
    /// Time at which the table was computed.
    pub computed_at: Timestamp,
    /// Ids of the eligible players, in the order sent. The letters of `seats` have the same order.
    pub players: Vec<PlayerId>,
    /// One split for each requested team size, from 2 to half of the players. If `bench`
    /// is `false`, the split of all players.
    pub splits: Vec<LetteredSplitAnswer>,
    /// Best splits of the size in the requested `alternatives`, the best first.
    pub alternatives: Vec<LetteredSplitAnswer>,
    /// Description of the randomly drawn split; `null` if no draw was requested, or if there is no split of that size.
    pub drawn: Option<DrawnSplitAnswer>,
    /// Reason why there is no split, as a sentence; `null` if there is one.
    pub message: Option<String>,
    /// Age of the table, in whole seconds.
    pub age: i32,
    /// `true` if a player's rating has changed since the splits were computed, or if a player who was unknown then is known
    /// now; `null` if unknown.
    pub ratings_changed: Option<bool>,
}

/// A split of players into two teams, with one letter for each player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LetteredSplitAnswer {
    /// Number of players per team. For uneven teams, number of players of the smaller team.
    pub size: usize,
    /// One letter for each of the table's `players`, in their order: team `a`, team `b`, or `w` for waiting.
    #[schema(pattern = "^[abw]*$", max_length = 128)]
    pub seats: String,
    /// Sum of team a's ratings, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_a: i64,
    /// Sum of team b's ratings, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_b: i64,
    /// Absolute difference between `sum_a` and `sum_b`, adjusted for map and bots if they favour a team.
    pub difference: u64,
    /// Win probability of team a (F1).
    pub win_probability_a: Probability,
    /// Method that found the split.
    pub method: SplitMethod,
    /// `true` if no split of this size is closer, or serves wishes better that may raise the difference.
    pub optimal: bool,
    /// Smallest possible difference for this size, with no wishes but `anchor` and `bench`; `null` if unknown.
    pub best_difference: Option<u64>,
    /// Number of players who change teams; `null` if the request had no current teams.
    pub moves: Option<usize>,
    /// Number of parties that neither share a team nor all wait.
    pub parties_split: usize,
    /// Number of pairs that share a team, although they should be apart.
    pub pairs_together: usize,
    /// Number of players missing in roles, over both teams.
    pub roles_missing: usize,
    /// Number of newcomers on each team; `null` if no newcomers are shared out.
    pub newcomers: Option<NewcomersAnswer>,
    /// Number of players who wait although they should play, or play although they should wait.
    pub relaxed: usize,
    /// `true` if the two highest-rated eligible players are not on the same team, even if one of them waits.
    pub top_two_apart: bool,
    /// `true` if a split in `recent`, or of the last rounds in `repeat`, had the same teams.
    pub repeats: bool,
    /// Summary as a sentence.
    pub message: String,
}

impl LetteredTableAnswer {
    fn new(aged: AgedSplitTableAnswer, players: Vec<PlayerId>) -> Self {
        let AgedSplitTableAnswer {
            table,
            age,
            ratings_changed,
        } = aged;
        let lettered = |splits: Vec<SplitAnswer>| {
            let splits = splits
                .into_iter()
                .map(|split| LetteredSplitAnswer::new(split, &players));
            splits.collect()
        };
        Self {
            server: table.server,
            pool: table.pool,
            by: table.by,
            eligible: table.eligible,
            computed_at: table.computed_at,
            splits: lettered(table.splits),
            alternatives: lettered(table.alternatives),
            drawn: table.drawn,
            players,
            message: table.message,
            age,
            ratings_changed,
        }
    }
}

impl LetteredSplitAnswer {
    fn new(split: SplitAnswer, players: &[PlayerId]) -> Self {
        let [a, b] = [&split.a, &split.b].map(|team| team.iter().copied().collect());
        let (a, b): (HashSet<PlayerId>, HashSet<PlayerId>) = (a, b);
        let letter = |player| match player {
            player if a.contains(player) => 'a',
            player if b.contains(player) => 'b',
            _ => 'w',
        };
        let missing = split.roles.missing.iter().map(|role| role.missing);
        Self {
            size: split.size,
            seats: players.iter().map(letter).collect(),
            sum_a: split.sum_a,
            sum_b: split.sum_b,
            difference: split.difference,
            win_probability_a: split.win_probability_a,
            method: split.method,
            optimal: split.optimal,
            best_difference: split.best_difference,
            moves: split.moves,
            parties_split: split.parties.split.len(),
            pairs_together: split.apart.together.len(),
            roles_missing: missing.sum(),
            newcomers: split.newcomers,
            relaxed: split.relaxed.must_play.len() + split.relaxed.must_wait.len(),
            top_two_apart: split.spread.top_two_apart,
            repeats: split.repeats,
            message: split.message,
        }
    }
}
