use std::str::FromStr;

/// A simulated community, and the way it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scenario {
    /// Name on the command line.
    pub(crate) name: &'static str,
    /// Number of regulars, at least the players of a round.
    pub(crate) members: usize,
    /// Minimum and maximum players per team. Each round draws its size from this range.
    pub(crate) team_sizes: (usize, usize),
    /// Standard deviation of the hidden skills, in rating points.
    pub(crate) spread: f64,
    pub(crate) rounds: u32,
    /// Probability per round that a newcomer replaces a regular.
    pub(crate) arrivals: f64,
    /// Fraction by which a skill returns to the mean with each round of its owner. Noise keeps the spread constant.
    pub(crate) drift: f64,
    /// Ratings split the teams of one round in this many; the other teams are random.
    pub(crate) split_every: u32,
    pub(crate) event: Event,
}

/// Special event in a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    None,
    /// After 4,000 rounds, one newcomer after another plays 400 rounds in a row. Skills alternate between two standard
    /// deviations above and below the mean.
    Newcomers,
    /// After 4,000 rounds, one regular after another plays 60 rounds two standard deviations below their skill, then
    /// 240 at their skill.
    Slumps,
    /// Every hundred rounds, a member of the better half switches to a new account.
    Smurfs,
    /// Each player of a tenth of the community throws a tenth of their rounds, playing four standard deviations worse.
    Throwers,
    /// Half of the community are pairs of friends who want to be on one team.
    Parties,
    /// A third of the community is absent at any time, for two weeks each.
    Absences,
}

impl Scenario {
    /// Every scenario, grouped by team size.
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

    /// Scenarios that are played by default: each plain team size and spread once.
    pub(crate) const USUAL: [&str; 5] = [
        "12v12-200",
        "12v12-400",
        "4v4-200",
        "12v12-200-arrivals",
        "12v12-200-drift",
    ];

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

/// Error of an unknown scenario name.
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
            // A watched player has a seat besides the regulars, and a third of the members may be absent.
            assert!(3 * 2 * to <= 2 * scenario.members, "{scenario:?}");
        }
        for name in Scenario::USUAL {
            assert!(name.parse::<Scenario>().is_ok(), "{name}");
        }
        let error = "5v5".parse::<Scenario>().unwrap_err().to_string();
        assert!(error.ends_with("4-to-12-200"), "{error}");
    }
}
