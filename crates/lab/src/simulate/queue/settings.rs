use anyhow::Context as _;

use crate::simulation::Matcher;
use rbs::matchmaking::{Limits, MatchPolicies, MatchPolicy};

/// A way of matchmaking with one setting.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) way: Way,
    pub(super) name: String,
    pub(super) matcher: Matcher,
}

/// A way of matchmaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Service,
    FirstCome,
    Windows,
    Sorted,
    SortedPlayers,
}

impl Way {
    pub(super) const ALL: [Self; 5] = [
        Self::Service,
        Self::FirstCome,
        Self::Windows,
        Self::Sorted,
        Self::SortedPlayers,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::FirstCome => "first come",
            Self::Windows => "windows",
            Self::Sorted => "sort and cut",
            Self::SortedPlayers => "sort and cut parties",
        }
    }
}

impl Setting {
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.way.name(), self.name)
    }
}

/// Factors by which limits take longer to widen and tickets longer to fall due.
const STRETCHED: [u32; 2] = [2, 4];
/// Numbers of waiting players at which first come, first served makes a match.
const WAITING: [usize; 4] = [8, 12, 16, 24];
/// Initial windows in points, and their growth in points per minute.
const WINDOWS: [(u16, u16); 8] = [
    (50, 25),
    (50, 50),
    (50, 100),
    (100, 100),
    (100, 200),
    (100, 400),
    (200, 800),
    (400, 1600),
];
const EVERY_SECONDS: [u32; 6] = [5, 30, 60, 120, 240, 480];

/// All settings: the built-in policies, `standard` also stretched and without limits, and enough settings of each
/// common alternative to show its trade-off between wait and evenness.
pub(super) fn all() -> anyhow::Result<Vec<Setting>> {
    let policies = MatchPolicies::built_in().context("the built-in policies of matches")?;
    let mut settings = Vec::new();
    let mut add = |way: Way, name: String, matcher: Matcher| {
        settings.push(Setting { way, name, matcher });
    };
    for (name, policy) in policies.iter() {
        add(Way::Service, name.to_string(), Matcher::Service(*policy));
    }
    let standard = *policies.named(&"standard".parse()?)?;
    for times in STRETCHED {
        let policy = MatchPolicy {
            widen_seconds: standard.widen_seconds * times,
            due_seconds: standard.due_seconds * times,
            ..standard
        };
        let name = format!("standard, {times} times as slow");
        add(Way::Service, name, Matcher::Service(policy));
    }
    let nothing = Limits {
        uneven: 0.5,
        spread: f64::INFINITY,
        ping: f64::INFINITY,
    };
    let unlimited = MatchPolicy {
        at_once: nothing,
        widened: nothing,
        ..standard
    };
    add(
        Way::Service,
        "standard, no limits".to_owned(),
        Matcher::Service(unlimited),
    );
    for waiting in WAITING {
        let name = format!("{waiting} waiting");
        add(Way::FirstCome, name, Matcher::FirstCome { waiting });
    }
    for (points, a_minute) in WINDOWS {
        let matcher = Matcher::Windows {
            points: f64::from(points),
            points_a_minute: f64::from(a_minute),
        };
        add(
            Way::Windows,
            format!("{points} + {a_minute} a minute"),
            matcher,
        );
    }
    for (way, cuts_parties) in [(Way::Sorted, false), (Way::SortedPlayers, true)] {
        for every_seconds in EVERY_SECONDS {
            let matcher = Matcher::Sorted {
                every_seconds,
                cuts_parties,
            };
            add(way, format!("every {every_seconds} s"), matcher);
        }
    }
    Ok(settings)
}
