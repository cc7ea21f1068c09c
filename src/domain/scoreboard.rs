use std::borrow::Cow;

use super::{ModeName, Mutators, PlayerEntry, RoundParts, Stats};

/// What a report has that no rating hangs on: how was played, and what the scoreboard said.
///
/// It is stored apart from the report, which a version that does not know it can go on reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoreboard {
    /// The way of playing, if given.
    pub mode: Option<ModeName>,
    /// What changed the rules.
    pub mutators: Mutators,
    /// For every entry, team a's and then team b's, each in the order sent, its numbers; those at the end that
    /// have none may be missing.
    pub stats: Vec<Option<Box<Stats>>>,
}

impl RoundParts {
    /// Every entry: team a's, then team b's.
    fn entries_mut(&mut self) -> impl Iterator<Item = &mut PlayerEntry> {
        self.team_a.iter_mut().chain(&mut self.team_b)
    }

    /// The same without a scoreboard, and the scoreboard, where there is anything of one.
    #[must_use]
    pub fn without_scoreboard(&self) -> (Cow<'_, Self>, Option<Scoreboard>) {
        let mut entries = self.team_a.iter().chain(&self.team_b);
        let has_any = self.mode.is_some()
            || !self.mutators.is_empty()
            || entries.any(|entry| entry.stats.is_some());
        if !has_any {
            return (Cow::Borrowed(self), None);
        }
        let mut parts = self.clone();
        let mut stats: Vec<_> = parts
            .entries_mut()
            .map(|entry| entry.stats.take())
            .collect();
        let last = stats.iter().rposition(Option::is_some);
        stats.truncate(last.map_or(0, |last| last + 1));
        let scoreboard = Scoreboard {
            mode: parts.mode.take(),
            mutators: std::mem::take(&mut parts.mutators),
            stats,
        };
        (Cow::Owned(parts), Some(scoreboard))
    }

    /// Puts back what [`Self::without_scoreboard`] took; `None` where it is that of a smaller round.
    #[must_use]
    pub fn with_scoreboard(mut self, scoreboard: Scoreboard) -> Option<Self> {
        if scoreboard.stats.len() > self.team_a.len() + self.team_b.len() {
            return None;
        }
        for (entry, stats) in self.entries_mut().zip(scoreboard.stats) {
            entry.stats = stats;
        }
        self.mode = scoreboard.mode;
        self.mutators = scoreboard.mutators;
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn round() -> RoundParts {
        let parts = json!({
            "round_id": "1", "server": "s", "winner": "a", "mode": "ctf", "mutators": ["low gravity"],
            "team_a": ["[U:1:1]", {"id": "[U:1:2]", "stats": {"score": 3}}],
            "team_b": ["[U:1:3]"],
        });
        from_value(parts).unwrap()
    }

    #[test]
    fn what_is_taken_apart_goes_together_again() {
        let parts = round();
        let (plain, scoreboard) = parts.without_scoreboard();
        let plain = plain.into_owned();
        let scoreboard = scoreboard.unwrap();
        assert_eq!(scoreboard.stats.len(), 2);
        assert_eq!(plain.without_scoreboard(), (Cow::Borrowed(&plain), None));
        assert_eq!(plain.with_scoreboard(scoreboard), Some(parts));
    }

    #[test]
    fn a_scoreboard_of_more_players_is_none_of_the_round() {
        let scoreboard = Scoreboard {
            stats: vec![None; 4],
            ..Scoreboard::default()
        };
        assert_eq!(round().with_scoreboard(scoreboard), None);
    }
}
