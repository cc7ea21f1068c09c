//! Tables of splits with a letter for each player in place of lists of ids: a fifteenth of the size, for programs
//! that read them while a game waits.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{AgedSplitTableAnswer, DrawnSplitAnswer, NewcomersAnswer, SplitAnswer};
use crate::api::NoticeAnswer;
use crate::domain::{
    PlayerId, PoolName, PowerName, Probability, ServerName, SplitMethod, Timestamp,
};

/// How the teams of splits are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// As lists of ids, with all that became of the wishes.
    #[default]
    Lists,
    /// As a letter for each player, with counts of what became of the wishes.
    Letters,
}

/// A table of splits in the form that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SplitsAnswer {
    /// With `seats` left out, or `"lists"`.
    Lists(Box<AgedSplitTableAnswer>),
    /// With `"seats": "letters"`.
    Letters(Box<LetteredTableAnswer>),
}

impl SplitsAnswer {
    /// The `table`, as `seats` says; `players` are those who may play in it, in the order sent.
    #[must_use]
    pub fn new(table: AgedSplitTableAnswer, players: Vec<PlayerId>, seats: Seats) -> Self {
        match seats {
            Seats::Lists => Self::Lists(Box::new(table)),
            Seats::Letters => Self::Letters(Box::new(LetteredTableAnswer::new(table, players))),
        }
    }
}

/// `POST /v1/scramble`: the table in the form that was asked for, and what the server should know.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ScrambleAnswer {
    /// With `seats` left out, or `"lists"`.
    Lists(ListsAndNoticesAnswer),
    /// With `"seats": "letters"`.
    Letters(LettersAndNoticesAnswer),
}

/// A table of splits with lists, and what the server should know.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ListsAndNoticesAnswer {
    /// The table.
    #[serde(flatten)]
    pub table: AgedSplitTableAnswer,
    /// What the server should know.
    pub notices: Vec<NoticeAnswer>,
}

/// The splits of a server or of a round, where any are known.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct KnownSplitsAnswer {
    /// The table; `null` where none was computed, or so long ago that it is no longer kept.
    pub table: Option<SplitsAnswer>,
}

/// A table of splits with letters, and what the server should know.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LettersAndNoticesAnswer {
    /// The table.
    #[serde(flatten)]
    pub table: LetteredTableAnswer,
    /// What the server should know.
    pub notices: Vec<NoticeAnswer>,
}

impl ScrambleAnswer {
    /// The `table` with these notices.
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

/// A table of splits with a letter for each player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LetteredTableAnswer {
    /// As sent.
    pub server: ServerName,
    /// The pool whose ratings count.
    pub pool: PoolName,
    /// The power that the splits are balanced by: `rating`, unless another was asked for and knows
    /// something of somebody.
    pub by: PowerName,
    /// How many players may play.
    pub eligible: usize,
    /// When the table was computed.
    pub computed_at: Timestamp,
    /// Who may play, in the order sent, in which the letters stand.
    pub players: Vec<PlayerId>,
    /// One for every team size, as with lists.
    pub splits: Vec<LetteredSplitAnswer>,
    /// The best splits of the size that alternatives were asked for, the best first.
    pub alternatives: Vec<LetteredSplitAnswer>,
    /// Which of `splits` was drawn of the best of its size, as with lists.
    pub drawn: Option<DrawnSplitAnswer>,
    /// Why there is no split, in a sentence; `null` where there is one.
    pub say: Option<String>,
    /// Whole seconds since the table was computed.
    pub age: i32,
    /// Whether any of the players is rated otherwise since then, or was unknown and no longer is;
    /// `null` where that is not known.
    pub ratings_changed: Option<bool>,
}

/// A split with a letter for each player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LetteredSplitAnswer {
    /// Players a team; of uneven teams, the smaller one's.
    pub size: usize,
    /// For each of the table's `players` in their order `a` or `b`, the team, or `w`, who waits.
    #[schema(pattern = "^[abw]*$", max_length = 128)]
    pub seats: String,
    /// The sum of team a's ratings.
    pub sum_a: i64,
    /// The sum of team b's ratings.
    pub sum_b: i64,
    /// |sum_a - sum_b|.
    pub difference: u64,
    /// The win probability of team a (F1).
    pub win_probability_a: Probability,
    /// How the split was found.
    pub method: SplitMethod,
    /// Whether no split of this size is closer or, where wishes trade that, serves them better.
    pub optimal: bool,
    /// The least difference that a split of this size can have with no wish but `anchor` and
    /// `bench`; `null` where it is not known.
    pub best_difference: Option<u64>,
    /// How many players change teams, where the current teams were sent.
    pub moves: Option<usize>,
    /// How many parties are neither on one team nor all waiting.
    pub parties_split: usize,
    /// How many pairs who should be apart share a team.
    pub pairs_together: usize,
    /// How many players are missing in roles, over both teams.
    pub roles_missing: usize,
    /// Newcomers on each team; `null` if no newcomers are shared out.
    pub newcomers: Option<NewcomersAnswer>,
    /// How many players should play and wait, or should wait and play.
    pub relaxed: usize,
    /// True if the two highest-rated eligible players are not on one team, even if one of them waits.
    pub top_two_apart: bool,
    /// Whether a recent split had these very teams.
    pub repeats: bool,
    /// All of it in a sentence.
    pub say: String,
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
            say: table.say,
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
            say: split.say,
        }
    }
}
