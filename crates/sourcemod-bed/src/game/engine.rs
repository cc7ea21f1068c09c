//! The games that the bed can be: each has its engine version, folder and events.

/// A game, as a plugin recognizes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    TeamFortress,
    /// Team Fortress 2 Classic, without the extension "TF2 Tools".
    Classic,
    CounterStrike,
    DayOfDefeat,
}

/// Events that not every game has, by the start of their names. Assumption: the lists of SourceMod's documentation.
const ONLY_IN: &[(&str, &[Engine])] = &[
    ("teamplay_", &[Engine::TeamFortress, Engine::Classic]),
    ("arena_", &[Engine::TeamFortress]),
    ("player_healed", &[Engine::TeamFortress]),
    ("round_freeze_end", &[Engine::CounterStrike]),
    ("dod_", &[Engine::DayOfDefeat]),
];

impl Engine {
    /// Value of `EngineVersion` in SourceMod's `halflife.inc`.
    pub fn version(self) -> i32 {
        match self {
            Self::CounterStrike => 13,
            Self::DayOfDefeat => 16,
            Self::TeamFortress => 17,
            Self::Classic => 19,
        }
    }

    pub fn folder(self) -> &'static str {
        match self {
            Self::TeamFortress => "tf",
            Self::Classic => "tf2classic",
            Self::CounterStrike => "cstrike",
            Self::DayOfDefeat => "dod",
        }
    }

    pub fn has_event(self, name: &str) -> bool {
        let mut rules = ONLY_IN.iter().filter(|(start, _)| name.starts_with(start));
        rules.all(|(_, engines)| engines.contains(&self))
    }
}
