use std::str::FromStr;

/// A community to play, and how it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scenario {
    /// What it is called on the command line.
    pub(crate) name: &'static str,
    /// The regulars who come and go; at least as many as play in a round.
    pub(crate) members: usize,
    /// The players of a team, from and to: the size of each round is drawn from these.
    pub(crate) team_sizes: (usize, usize),
    /// The standard deviation of the hidden skills, in rating points.
    pub(crate) spread: f64,
    /// How many rounds are played.
    pub(crate) rounds: u32,
    /// The chance, with each round, that a regular leaves for good and a newcomer comes.
    pub(crate) arrivals: f64,
    /// By which share a skill returns to the mean with each round that its owner plays; noise keeps the spread.
    pub(crate) drift: f64,
    /// Teams are split by ratings in every so manyth round, and drawn at random in the others.
    pub(crate) split_every: u32,
    /// What else happens.
    pub(crate) event: Event,
}

/// What happens in a community besides play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Nothing.
    None,
    /// After 4,000 rounds one newcomer after another plays 400 rounds in a row, two standard deviations above the
    /// mean and below in turns.
    Newcomers,
    /// After 4,000 rounds one regular after another plays 60 rounds two standard deviations below their skill, then
    /// 240 as before.
    Slumps,
    /// Every hundred rounds one of the better half plays on with a new account.
    Smurfs,
    /// Everybody in a tenth of the community throws a tenth of their rounds: plays four standard deviations worse.
    Throwers,
    /// Half of the community are pairs of friends who want to be on one team.
    Parties,
    /// A third of the community is away at any time, for two weeks each.
    Absences,
}

impl Scenario {
    /// Every scenario, those of one team size one after another.
    pub(crate) const ALL: [Self; 23] = [
        BASE,
        Self {
            name: "12v12-200-long",
            rounds: 30_000,
            ..BASE
        },
        Self {
            name: "12v12-400",
            spread: 400.0,
            ..BASE
        },
        Self {
            name: "4v4-200",
            ..SMALL
        },
        Self {
            name: "12v12-400-arrivals",
            spread: 400.0,
            arrivals: 0.02,
            ..BASE
        },
        Self {
            name: "12v12-400-drift",
            spread: 400.0,
            drift: 0.0005,
            ..BASE
        },
        Self {
            name: "12v12-200-drift",
            drift: 0.0005,
            ..BASE
        },
        Self {
            name: "12v12-200-rarely-split",
            split_every: 4,
            ..BASE
        },
        Self {
            name: "12v12-200-arrivals",
            arrivals: 0.02,
            ..BASE
        },
        Self {
            name: "9v9-250",
            members: 40,
            team_sizes: (9, 9),
            spread: 250.0,
            ..BASE
        },
        Self {
            name: "6v6-300",
            members: 30,
            team_sizes: (6, 6),
            spread: 300.0,
            ..BASE
        },
        Self {
            name: "12v12-100",
            spread: 100.0,
            ..BASE
        },
        Self {
            name: "12v12-800",
            spread: 800.0,
            ..BASE
        },
        Self {
            name: "12v12-200-newcomers",
            rounds: 8_000,
            event: Event::Newcomers,
            ..BASE
        },
        Self {
            name: "12v12-400-newcomers",
            spread: 400.0,
            rounds: 8_000,
            event: Event::Newcomers,
            ..BASE
        },
        Self {
            name: "4v4-200-newcomers",
            rounds: 8_000,
            event: Event::Newcomers,
            ..SMALL
        },
        Self {
            name: "12v12-200-slumps",
            event: Event::Slumps,
            ..BASE
        },
        Self {
            name: "4v4-200-slumps",
            event: Event::Slumps,
            ..SMALL
        },
        Self {
            name: "12v12-200-smurfs",
            event: Event::Smurfs,
            ..BASE
        },
        Self {
            name: "12v12-200-throwers",
            event: Event::Throwers,
            ..BASE
        },
        Self {
            name: "12v12-200-parties",
            event: Event::Parties,
            ..BASE
        },
        Self {
            name: "12v12-200-absences",
            event: Event::Absences,
            ..BASE
        },
        Self {
            name: "4-to-12-200",
            team_sizes: (4, 12),
            ..BASE
        },
    ];

    /// The scenarios that are played where none is named: each plain team size and spread once.
    pub(crate) const USUAL: [&str; 5] = [
        "12v12-200",
        "12v12-400",
        "4v4-200",
        "12v12-200-arrivals",
        "12v12-200-drift",
    ];

    /// The same with another number of rounds.
    #[must_use]
    pub(crate) fn with_rounds(self, rounds: u32) -> Self {
        Self { rounds, ..self }
    }
}

const BASE: Scenario = Scenario {
    name: "12v12-200",
    members: 60,
    team_sizes: (12, 12),
    spread: 200.0,
    rounds: 10_000,
    arrivals: 0.0,
    drift: 0.0,
    split_every: 1,
    event: Event::None,
};

const SMALL: Scenario = Scenario {
    members: 40,
    team_sizes: (4, 4),
    ..BASE
};

/// No scenario has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no scenario has that name; there are {}", names())]
pub(crate) struct UnknownScenario;

fn names() -> String {
    Scenario::ALL.map(|scenario| scenario.name).join(", ")
}

impl FromStr for Scenario {
    type Err = UnknownScenario;

    fn from_str(name: &str) -> Result<Self, UnknownScenario> {
        let mut all = Self::ALL.into_iter();
        all.find(|scenario| scenario.name == name)
            .ok_or(UnknownScenario)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_has_a_name_of_its_own_and_members_enough() {
        for scenario in Scenario::ALL {
            assert_eq!(scenario.name.parse(), Ok(scenario));
            let (from, to) = scenario.team_sizes;
            assert!(2 <= from && from <= to, "{scenario:?}");
            // Whoever is watched has a seat besides the regulars, and a third may be away.
            assert!(3 * 2 * to <= 2 * scenario.members, "{scenario:?}");
        }
        for name in Scenario::USUAL {
            assert!(name.parse::<Scenario>().is_ok(), "{name}");
        }
        let error = "5v5".parse::<Scenario>().unwrap_err().to_string();
        assert!(error.ends_with("4-to-12-200"), "{error}");
    }
}
