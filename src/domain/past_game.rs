use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    MapName, ModeName, MutatorName, Mutators, PlayerEntry, PlayerId, RoundParts, Score, Side, Stat,
    Stats, Timestamp,
};

/// A counted round from the point of view of one of its players.
#[derive(Clone, Debug, PartialEq)]
pub struct PastGame {
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Number of seconds that the player was present, or `None` if unknown. A player present from the start,
    /// without a reported time, counts as present for the whole round. For a player who changed sides, the sum of
    /// both teams.
    pub seconds: Option<u32>,
    /// Game mode, if reported.
    pub mode: Option<ModeName>,
    /// Mutators active in the round.
    pub mutators: Mutators,
    /// Name of the map, if reported.
    pub map: Option<MapName>,
    /// The player's line on the scoreboard, if reported.
    pub stats: Option<Box<Stats>>,
    /// Score of the player's team in the round: 0, 0.5 or 1. For a player who changed sides, the team of the rated
    /// entry counts; without a rated entry, the team joined.
    pub result: Score,
    /// The player's rank on the scoreboard, or `None` if no score was reported for the player.
    pub place: Option<Place>,
    /// `true` if the player is rated for the round.
    pub is_rated: bool,
}

/// A player's rank by score among the players of one round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Rank of the player by score in the round, counted from 1 for the highest score. Equal scores share the mean of
    /// their ranks: two players in second and third place both have 2.5.
    pub place: f64,
    /// Number of entries of the round with a score, including this player's.
    pub of: u32,
}

/// Limits on how many past games of a player are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameWindow {
    /// Maximum number of a player's games, counted back from the latest. Values above [`GameWindow::MAX`] act as
    /// [`GameWindow::MAX`].
    pub games: u32,
    /// Earliest end time of a player's games, or `None` for no limit.
    pub since: Option<Timestamp>,
}

impl GameWindow {
    /// Maximum number of past games of one player that a window can contain.
    pub const MAX: u32 = 200;

    /// Creates a window of a player's last `games` games, without a limit on their age.
    #[must_use]
    pub fn last(games: u32) -> Self {
        Self { games, since: None }
    }

    /// Creates a window of a player's games that ended at `time` or later, at most the last [`GameWindow::MAX`].
    #[must_use]
    pub fn since(time: Timestamp) -> Self {
        Self {
            games: Self::MAX,
            since: Some(time),
        }
    }
}

/// Returns the round as a [`PastGame`] for each of its players who is in `wanted`, in no particular order.
#[must_use]
pub fn past_games(
    parts: &RoundParts,
    ended_at: Timestamp,
    wanted: &BTreeSet<PlayerId>,
) -> Vec<(PlayerId, PastGame)> {
    let mut entries: HashMap<PlayerId, Vec<(Side, &PlayerEntry)>> = HashMap::new();
    let mut scores: Vec<Stat> = Vec::new();
    for (side, team) in [(Side::A, &parts.team_a), (Side::B, &parts.team_b)] {
        for entry in team {
            scores.extend(entry.stats.as_ref().and_then(|stats| stats.score));
            if wanted.contains(&entry.id) {
                entries.entry(entry.id).or_default().push((side, entry));
            }
        }
    }
    let games = entries.into_iter().filter_map(|(player, entries)| {
        let rated = entries.iter().find(|(_, entry)| entry.is_rated());
        let joined = || entries.iter().find(|(_, entry)| !entry.at_start);
        let (side, _) = *rated.or_else(joined).or(entries.last())?;
        let stats = entries.iter().find_map(|(_, entry)| entry.stats.clone());
        let score = stats.as_ref().and_then(|stats| stats.score);
        let game = PastGame {
            ended_at,
            seconds: seconds(&entries, parts.round_seconds),
            mode: parts.mode.clone(),
            mutators: parts.mutators.clone(),
            map: parts.map.clone(),
            place: score.map(|score| Place::of(score, &scores)),
            stats,
            result: parts.winner.score(side),
            is_rated: rated.is_some(),
        };
        Some((player, game))
    });
    games.collect()
}

/// Sums the seconds of one player's entries in a round; `None` if one of several entries has no time.
fn seconds(entries: &[(Side, &PlayerEntry)], round_seconds: Option<u32>) -> Option<u32> {
    if let [(_, entry)] = entries {
        let is_there_throughout = entry.at_start && entry.participated;
        return entry
            .seconds
            .or(round_seconds.filter(|_| is_there_throughout));
    }
    let mut times = entries.iter().map(|(_, entry)| entry.seconds);
    times.try_fold(0_u32, |sum, time| Some(sum.saturating_add(time?)))
}

impl Place {
    /// Ranks a player's `score` among the `scores` of all players in the round, highest first.
    fn of(score: Stat, scores: &[Stat]) -> Self {
        let count = |holds: fn(&Stat, &Stat) -> bool| {
            scores.iter().filter(|one| holds(one, &score)).count()
        };
        let (higher, equal) = (count(|one, own| one > own), count(|one, own| one == own));
        // A round has at most 128 entries.
        let halves = u32::try_from(2 * higher + equal + 1).unwrap_or(u32::MAX);
        Self {
            place: f64::from(halves) / 2.0,
            of: u32::try_from(scores.len()).unwrap_or(u32::MAX),
        }
    }
}

/// Set of comparable games: those of one mode and with the same mutators (rule changes, such as low gravity), except
/// those that [`SetRules`] ignores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameSet {
    /// Game mode, or `None` for games without a reported mode.
    pub mode: Option<ModeName>,
    /// Active mutators of the games, without those that [`SetRules`] ignores in this mode.
    pub mutators: Mutators,
}

/// Rules that assign games to sets of comparable games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetRules {
    /// Mutators (rule changes, such as low gravity) that separate sets of games in modes without an entry in `by_mode`.
    pub mutators: BTreeSet<MutatorName>,
    /// Mutators (rule changes, such as low gravity) that separate sets of games, by mode. Other modes use `mutators`.
    pub by_mode: BTreeMap<ModeName, BTreeSet<MutatorName>>,
    /// Minimum number of a player's games in a set of comparable games. If a player has fewer, all games of the mode
    /// are used instead, and then all games.
    pub least_games: u32,
}

impl SetRules {
    /// Returns the set of comparable games for a round with this mode and these mutators. Drops mutators that these
    /// rules do not list for the mode.
    pub(crate) fn set_of(&self, mode: Option<&ModeName>, mutators: &Mutators) -> GameSet {
        let own = mode.and_then(|mode| self.by_mode.get(mode));
        GameSet {
            mode: mode.cloned(),
            mutators: mutators.intersection(own.unwrap_or(&self.mutators)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::*;

    fn games(team_a: &Value, team_b: &Value) -> HashMap<u64, PastGame> {
        let parts = json!({
            "round_id": "1", "server": "s", "winner": "a", "round_seconds": 600, "mode": "ctf",
            "team_a": team_a, "team_b": team_b,
        });
        let parts: RoundParts = from_value(parts).unwrap();
        let entries = parts.team_a.iter().chain(&parts.team_b);
        let wanted = entries.map(|entry| entry.id).collect();
        let games = past_games(&parts, Timestamp::UNIX_EPOCH, &wanted);
        let number = |player: PlayerId| player.steam_id64() - 76_561_197_960_265_728;
        games
            .into_iter()
            .map(|(player, game)| (number(player), game))
            .collect()
    }

    #[test]
    fn equal_scores_share_the_mean_of_their_places() {
        let entry = |id: &str, score: i32| json!({"id": id, "stats": {"score": score}});
        let games = games(
            &json!([entry("[U:1:1]", 9), entry("[U:1:2]", 4), "[U:1:3]"]),
            &json!([entry("[U:1:4]", 4), entry("[U:1:5]", -1)]),
        );
        let place = |number: u64| games[&number].place.map(|place| (place.place, place.of));
        let places: Vec<_> = (1..=5).map(place).collect();
        let shared = Some((2.5, 4));
        assert_eq!(
            places,
            [Some((1.0, 4)), shared, None, shared, Some((4.0, 4))]
        );
    }

    #[test]
    fn each_player_has_the_result_of_the_team_and_the_time_that_is_known() {
        let games = games(
            &json!(["[U:1:1]", {"id": "[U:1:2]", "participated": false}]),
            &json!(["[U:1:3]", {"id": "[U:1:4]", "at_start": false, "seconds": 100},
                    {"id": "[U:1:5]", "at_start": false}]),
        );
        let known: Vec<_> = (1..=5)
            .map(|number| {
                let game = &games[&number];
                (game.result, game.seconds, game.is_rated)
            })
            .collect();
        let expected = [
            (Score::WIN, Some(600), true),
            (Score::WIN, None, false),
            (Score::LOSS, Some(600), true),
            (Score::LOSS, Some(100), true),
            (Score::LOSS, None, true),
        ];
        assert_eq!(known, expected);
    }

    #[test]
    fn who_changed_sides_has_one_game_with_the_team_joined_and_the_time_on_both() {
        for (first, both) in [(None, None), (Some(90), Some(150))] {
            let left = json!({"id": "[U:1:1]", "participated": false, "seconds": first, "stats": {"score": 7}});
            let joined = json!({"id": "[U:1:1]", "at_start": false, "seconds": 60});
            let games = games(&json!([left, "[U:1:2]"]), &json!(["[U:1:3]", joined]));
            let game = &games[&1];
            assert_eq!((game.result, game.seconds), (Score::LOSS, both));
            assert_eq!(game.place.map(|place| place.of), Some(1));
            assert!(game.is_rated && game.stats.is_some());
        }
    }

    fn rules() -> SetRules {
        let names = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect();
        SetRules {
            mutators: names(&["InstaGib", "low gravity"]),
            by_mode: [("ctf".parse().unwrap(), names(&["InstaGib"]))].into(),
            least_games: 2,
        }
    }

    fn mutators(names: &[&str]) -> Mutators {
        Mutators::new(names.iter().map(|name| name.parse().unwrap())).unwrap()
    }

    fn set(mode: &str, names: &[&str]) -> GameSet {
        rules().set_of(Some(&mode.parse().unwrap()), &mutators(names))
    }

    #[test]
    fn mutators_that_do_not_matter_are_left_out_by_mode() {
        let all = ["AntiCheat", "InstaGib", "low gravity"];
        assert_eq!(set("ctf", &all).mutators, mutators(&["InstaGib"]));
        assert_eq!(
            set("dm", &all).mutators,
            mutators(&["InstaGib", "low gravity"])
        );
        assert_eq!(set("dm", &["AntiCheat"]), set("dm", &[]));
        assert_ne!(set("dm", &[]), set("ctf", &[]));
    }
}
