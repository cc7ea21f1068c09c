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

/// Form of the teams in answers about splits: lists of ids, or letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// Teams as lists of player ids, with details about each wish.
    #[default]
    Lists,
    /// Teams as one letter for each player, with counts for each kind of wish.
    Letters,
}

/// A table of splits in the requested form.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SplitsAnswer {
    /// Table of splits with lists of ids, for `"seats": "lists"`, which is the default.
    Lists(Box<AgedSplitTableAnswer>),
    /// Table of splits with one letter for each player, for `"seats": "letters"`.
    Letters(Box<LetteredTableAnswer>),
}

impl SplitsAnswer {
    /// Converts a table of splits to the form of `seats`. `players` are the eligible players, in the order sent.
    pub(crate) fn new(table: AgedSplitTableAnswer, players: Vec<PlayerId>, seats: Seats) -> Self {
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
    /// Table of splits with lists of ids, for `"seats": "lists"`, which is the default.
    Lists(ListsAndNoticesAnswer),
    /// Table of splits with one letter for each player, for `"seats": "letters"`.
    Letters(LettersAndNoticesAnswer),
}

/// A table of splits with lists of ids, and notices (messages) for the game server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ListsAndNoticesAnswer {
    /// Table of splits with lists of player ids.
    #[serde(flatten)]
    pub table: AgedSplitTableAnswer,
    /// Notices (messages) for the game server.
    pub notices: Vec<NoticeAnswer>,
}

/// The stored table of splits of a server or of a round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct KnownSplitsAnswer {
    /// Stored table of splits; `null` if none was computed, or if it is too old to be stored.
    pub table: Option<SplitsAnswer>,
}

/// A table of splits with one letter for each player, and notices (messages) for the game server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LettersAndNoticesAnswer {
    /// Table of splits with one letter for each player.
    #[serde(flatten)]
    pub table: LetteredTableAnswer,
    /// Notices (messages) for the game server.
    pub notices: Vec<NoticeAnswer>,
}

impl ScrambleAnswer {
    /// Adds notices (messages) for the game server to a table of splits.
    pub(crate) fn new(table: SplitsAnswer, notices: Vec<NoticeAnswer>) -> Self {
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
    /// Name of the power (player value from scoreboards) that the splits are balanced by. `rating` if no other power
    /// was requested, or if no player has the requested power.
    pub by: PowerName,
    /// Number of players in the request, whom each split puts on a team or into the waiting group.
    pub eligible: usize,
    /// Time at which the table of splits was computed.
    pub computed_at: Timestamp,
    /// Ids of the eligible players, in the order sent. The letters of `seats` have the same order.
    pub players: Vec<PlayerId>,
    /// One split for each requested team size, in ascending order; by default from 2 to half of the players. If `bench`
    /// is `false`, the split of all players.
    pub splits: Vec<LetteredSplitAnswer>,
    /// Best splits of the team size that the request's `alternatives` names, the best first.
    pub alternatives: Vec<LetteredSplitAnswer>,
    /// Description of the randomly drawn split; `null` if no draw was requested, or if there is no split of that size.
    pub drawn: Option<DrawnSplitAnswer>,
    /// Reason why there is no split, as a sentence; `null` if there is one.
    pub message: Option<String>,
    /// Age of the table of splits, in whole seconds.
    pub age: i32,
    /// `true` if a player's rating has changed since the splits were computed, or if a player whom RBS did not know
    /// then is known now; `null` if unknown.
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
    /// Sum of team a's ratings in points, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_a: i64,
    /// Sum of team b's ratings in points, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_b: i64,
    /// Absolute difference between `sum_a` and `sum_b` in points, adjusted for map and bots if they favour a team.
    pub difference: u64,
    /// Win probability of team a (F1).
    pub win_probability_a: Probability,
    /// Method that found the split: `exact` or `greedy`.
    pub method: SplitMethod,
    /// `true` if the split is proven to be the best of its size: no split that serves the wishes as well has a smaller
    /// difference, and no split within the `tolerance` serves them better.
    pub optimal: bool,
    /// Smallest possible difference between `sum_a` and `sum_b` for this team size, in points, with no wishes but
    /// `anchor` and `bench`; `null` if unknown.
    pub best_difference: Option<u64>,
    /// Number of players who change teams compared with the request's current teams; `null` if the request had none.
    pub moves: Option<usize>,
    /// Number of parties (players who want one team) that neither share a team nor all wait.
    pub parties_split: usize,
    /// Number of pairs of players who share a team although they should be apart.
    pub pairs_together: usize,
    /// Number of players that the requested roles lack, over both teams.
    pub roles_missing: usize,
    /// Number of newcomers (players whose rating is still a guess) on each team; `null` if no newcomers are shared out.
    pub newcomers: Option<NewcomersAnswer>,
    /// Number of players who wait although they should play, or play although they should wait.
    pub relaxed: usize,
    /// `true` if the two highest-rated eligible players are not on the same team, even if one of them waits.
    pub top_two_apart: bool,
    /// `true` if a split in the request's `recent`, or one of the server's last `repeat` rounds, had the same teams.
    pub repeats: bool,
    /// Summary of the split as a sentence.
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
