use crate::domain::{PlayerId, Probability, Rating, Round, Side, Timestamp};
use crate::rating::{GroupTotals, ModelState, PredictionTotals, Totals, TotalsStep, lead_bin};

/// State of a player in a pool: rating, number of rounds, running sums and model state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerState {
    /// Identifier of the player.
    pub id: PlayerId,
    /// Rating after the player's last round or change, in points.
    pub rating: Rating,
    /// Number of the player's rated rounds since the last reset.
    pub rounds: u32,
    /// Number of the player's rated rounds, including rounds before resets.
    pub entries: u64,
    /// Time at which the player's latest round since the last reset ended.
    pub last_played: Option<Timestamp>,
    /// Running sums of the player's ratings, win probabilities and scores, up to the latest rated round.
    pub totals: Totals,
    /// State that the pool's rating model keeps for the player.
    pub model_state: ModelState,
}

/// Record (entry) of one rated round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Identifier of the player.
    pub player: PlayerId,
    /// Number of the round among all rated rounds of the player, from 1.
    pub number: u64,
    /// Position of the round in the pool's log.
    pub position: u64,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Rating, win probability and score that the round adds to the player's running sums.
    pub step: TotalsStep,
    /// Running sums of the player's ratings, win probabilities and scores, up to and including the round.
    pub totals: Totals,
}

/// Effect of a round on one participant's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerResult {
    /// Rating of the participant before the round, in points.
    pub before: Rating,
    /// Rating of the participant after the round, in points.
    pub after: Rating,
    /// Applied K-factor of the participant in points, or 0 in a void round.
    pub k: f64,
    /// Number of the participant's rated rounds up to and including this round. A void round is not counted.
    pub rounds: u32,
    /// `true` if players may see the participant's rating after the round, because the shadow period is over.
    pub visible: bool,
}

/// Results of a round's participants. In a void round nothing changes: ratings, numbers of rounds and sums are the
/// values before the round, and K is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundResult {
    /// Position of the round in the pool's log.
    pub position: u64,
    /// Results of the participants, in the order of [`Report::participants`](crate::domain::Report::participants).
    pub players: Vec<PlayerResult>,
    /// Predicted probability that team a wins (F1).
    pub win_probability: Probability,
    /// Θ, the scale that turns a lead in rating points into log-odds, with which the round was rated, in points.
    pub theta: f64,
    /// Sums of the Brier scores, log losses and results of the pool's predictions, up to and including the round.
    pub predictions: PredictionTotals,
}

/// Change of a player's rating by an admin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The admin set the player's rating to this value.
    Set(Rating),
    /// The admin reset the rating: the player is new again.
    Reset,
}

/// Property by which a pool's rounds are grouped: map, server, team sizes or lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKind {
    /// Grouping of rounds by map. Predictions and scores are team a's. Rounds without a map are in no group.
    Map,
    /// Grouping of rounds by the server that reported them. Predictions and scores are team a's.
    Server,
    /// Grouping of rounds by the number of players on each team at the start. Predictions and scores are the smaller
    /// team's, or team a's if sizes are equal.
    TeamSize,
    /// Grouping of rounds by one team's lead in rating points, in bins ([`lead_bin`](crate::rating::lead_bin)).
    /// Predictions and scores are the favourite's.
    Lead,
}

impl GroupKind {
    /// All properties by which rounds are grouped, in the order of declaration.
    pub const ALL: [Self; 4] = [Self::Map, Self::Server, Self::TeamSize, Self::Lead];

    /// Returns the name of the property by which rounds are grouped (map, server, team sizes or lead), as in the
    /// database and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Server => "server",
            Self::TeamSize => "team_size",
            Self::Lead => "lead",
        }
    }
}

/// Group of a pool's rounds with the same map, server, team sizes or lead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundGroup {
    /// Property that the rounds of the group share.
    pub kind: GroupKind,
    /// Name of the map or server that the rounds of the group share, their team sizes such as `6 v 7`, or the index of
    /// their [`lead_bin`](crate::rating::lead_bin).
    pub name: String,
}

/// Returns the groups (map, server, team sizes, lead) that a round belongs to, each with the round's prediction and
/// score to add to the group's sums. `lead` is team a's lead in rating points, and `for_a` team a's predicted win
/// probability.
pub(super) fn groups_of(
    round: &Round,
    lead: i64,
    for_a: Probability,
) -> Vec<(RoundGroup, GroupTotals)> {
    let parts = round.parts();
    let seen_from = |side| {
        let lead = if side == Side::A { lead } else { -lead };
        GroupTotals::of(lead, for_a.of(side), parts.winner.score(side))
    };
    let group = |kind, name: String| RoundGroup { kind, name };
    let size = |side| {
        round
            .entries()
            .filter(|(of, entry)| *of == side && entry.at_start)
            .count()
    };
    let (size_a, size_b) = (size(Side::A), size(Side::B));
    let (smaller, sizes) = if size_a <= size_b {
        (Side::A, format!("{size_a} v {size_b}"))
    } else {
        (Side::B, format!("{size_b} v {size_a}"))
    };
    let from_favourite = GroupTotals::of_favourite(lead, for_a, parts.winner.score(Side::A));
    let mut groups = vec![
        (
            group(GroupKind::Server, parts.server.as_str().to_owned()),
            seen_from(Side::A),
        ),
        (group(GroupKind::TeamSize, sizes), seen_from(smaller)),
        (
            group(GroupKind::Lead, lead_bin(lead).to_string()),
            from_favourite,
        ),
    ];
    if let Some(map) = &parts.map {
        let map = group(GroupKind::Map, map.as_str().to_owned());
        groups.push((map, seen_from(Side::A)));
    }
    groups
}
