use super::*;
use crate::random::Dice;
use crate::rating::samples::watched;

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Simulated fault: one map raises team a's win probability by 20 percentage points.
    MapLeans,
    /// Simulated fault: one server raises team a's win probability by 15 percentage points.
    ServerLeans,
    /// Simulated fault: one server reports the loser as the winner on one map.
    Swapped,
    /// Simulated fault: one server reports the loser as the winner in three rounds of ten.
    PartlySwapped,
    /// Simulated fault: one map raises team a's win probability by 16 percentage points, but team b's on one server.
    Opposed,
}

#[derive(Clone, Copy)]
struct Pool {
    /// Standard deviation of the predicted log-odds; 0 if splits make all odds even.
    spread: f64,
    /// Standard deviation of the part of the true log-odds that predictions do not contain.
    unknown: f64,
    /// Number n of which one in n rounds is on the map or server that the simulated fault affects. Other rounds have
    /// random maps and servers.
    one_in: u32,
    /// Share of winners who lead the scoreboard; `None` without scoreboards.
    ahead: Option<f64>,
    fault: Fault,
}

const EVEN: Pool = Pool {
    spread: 0.0,
    unknown: 0.25,
    one_in: 5,
    ahead: None,
    fault: Fault::None,
};

const WIDE: Pool = Pool {
    spread: 0.6,
    unknown: 0.0,
    ..EVEN
};

const WITH_SCOREBOARDS: Pool = Pool {
    ahead: Some(0.75),
    ..EVEN
};

/// Simulated pool with uneven odds, most of whose winners lead the scoreboard.
const TELLING: Pool = Pool {
    ahead: Some(0.93),
    ..WIDE
};

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

impl Pool {
    /// Returns a simulated round, and `true` if the simulated fault, such as swapped winners, affected this round.
    fn round(self, dice: &mut Dice) -> (WatchedRound, bool) {
        let at_fault = dice.below(self.one_in) == 0;
        let (map, server) = if at_fault {
            (0, 0)
        } else {
            (1 + dice.below(8), 1 + dice.below(4))
        };
        // Rounds without the fault also have the fault's map, or its server.
        let (map, server) = match self.fault {
            Fault::MapLeans if at_fault => (0, dice.below(5)),
            Fault::ServerLeans | Fault::PartlySwapped if at_fault => (dice.below(9), 0),
            Fault::Opposed if at_fault => (0, dice.below(3)),
            Fault::Swapped if !at_fault && dice.below(8) == 0 => (0, server),
            Fault::Swapped if !at_fault && dice.below(4) == 0 => (map, 0),
            _ => (map, server),
        };
        let odds = self.spread * dice.normal();
        let lean = match self.fault {
            Fault::MapLeans if at_fault => 0.2,
            Fault::ServerLeans if at_fault => 0.15,
            Fault::Opposed if at_fault && server == 0 => -0.16,
            Fault::Opposed if at_fault => 0.16,
            _ => 0.0,
        };
        let won = dice.roll() < logistic(odds + self.unknown * dice.normal()) + lean;
        let score_of = |won| if won { Score::WIN } else { Score::LOSS };
        let ahead = self.ahead.map(|share| won == (dice.roll() < share));
        let swaps = at_fault
            && match self.fault {
                Fault::Swapped => true,
                Fault::PartlySwapped => dice.below(10) < 3,
                _ => false,
            };
        let score = if dice.below(25) == 0 {
            Score::DRAW
        } else {
            score_of(won != swaps)
        };
        let round = WatchedRound {
            map: Some(format!("map-{map}").parse().unwrap()),
            server: format!("server-{server}").parse().unwrap(),
            scoreboard: ahead.map(score_of),
            ..watched(Probability::new(logistic(odds)).unwrap(), score)
        };
        (round, at_fault && self.fault != Fault::None)
    }

    fn rounds(self, number: usize, dice: &mut Dice) -> Vec<WatchedRound> {
        (0..number).map(|_| self.round(dice).0).collect()
    }

    /// Returns `clean` simulated rounds without a fault, then rounds with the simulated fault until it has affected
    /// `faulty` rounds.
    fn broken(self, clean: usize, faulty: u32, dice: &mut Dice) -> Vec<WatchedRound> {
        let whole = Self {
            fault: Fault::None,
            ..self
        };
        let mut rounds = whole.rounds(clean, dice);
        let mut at_work = 0;
        while at_work < faulty {
            let (round, is_at_fault) = self.round(dice);
            rounds.push(round);
            at_work += u32::from(is_at_fault);
        }
        rounds
    }
}

/// Returns the number of simulated pools, of `pools`, for which unexpected results are reported at any time in 2,000
/// rounds.
fn named_in(pools: u64, kinds: &[Pool], first_seed: u64) -> usize {
    let named = (0..pools).filter(|pool| {
        let mut dice = Dice(first_seed + pool);
        let kind = kinds[usize::try_from(*pool).unwrap() % kinds.len()];
        let mut watch = Watch::default();
        (0..2000).any(|_| {
            let round = kind.round(&mut dice).0;
            watch.add(&round);
            scopes_of(&round).any(|place| {
                let sums = &watch.places[watch.indices[&place]];
                sums.evidence.iter().any(|one| one.is_named)
            }) || watch.opposed.values().any(|one| one.named().is_some())
        })
    });
    named.count()
}

#[test]
fn two_hundred_pools_without_a_fault_raise_two_warnings_at_most() {
    let named = named_in(200, &[EVEN, WIDE, WITH_SCOREBOARDS, TELLING], 1000);
    assert!(named <= 2, "{named} of 200");
}

#[test]
fn a_fault_is_named_within_three_hundred_rounds_of_it_whenever_it_began() {
    use DepartureKind::{Favourites, Scoreboards, Side};
    use Fault::{MapLeans, PartlySwapped, ServerLeans, Swapped};
    let on_map = || Scope::Map("map-0".parse().unwrap());
    let on_server = || Scope::Server("server-0".parse().unwrap());
    let on_both = || Scope::MapOnServer("map-0".parse().unwrap(), "server-0".parse().unwrap());
    let faulty = |fault, pool| Pool { fault, ..pool };
    for (pool, rounds, least, place, kind) in [
        (faulty(MapLeans, EVEN), 300, 20, on_map(), Side),
        // A lean of 15 points reaches 5.2 standard errors in 300 rounds on average, and sometimes fewer.
        (faulty(ServerLeans, EVEN), 300, 14, on_server(), Side),
        (faulty(ServerLeans, EVEN), 500, 18, on_server(), Side),
        (faulty(Swapped, WIDE), 300, 20, on_both(), Favourites),
        (
            faulty(Swapped, WITH_SCOREBOARDS),
            100,
            20,
            on_both(),
            Scoreboards,
        ),
        (
            faulty(PartlySwapped, TELLING),
            200,
            20,
            on_server(),
            Scoreboards,
        ),
    ] {
        let (mut named, mut others) = (0, 0);
        for seed in 0..20 {
            let clean = if seed % 2 == 0 { 0 } else { 300 };
            let rounds = pool.broken(clean, rounds, &mut Dice(77_000 + seed));
            let found = departures(&rounds);
            let is_right = |one: &&Departure| one.place == place && one.kind == kind;
            named += found.iter().filter(is_right).count();
            others += found.iter().filter(|one| one.place != place).count();
        }
        assert!(named >= least, "{place:?} {kind:?}: {named} of 20");
        assert!(others <= 1, "{place:?} {kind:?}: {others} others");
    }
}

#[test]
fn opposite_leans_on_one_map_do_not_cancel_out() {
    let pool = Pool {
        fault: Fault::Opposed,
        ..EVEN
    };
    let (mut named, mut others) = (0, 0);
    for seed in 0..20 {
        let found = departures(&pool.broken(300, 400, &mut Dice(78_000 + seed)));
        let is_right = |one: &&Departure| matches!(&one.place, Scope::MapOnServer(map, _) if map.as_str() == "map-0");
        let right: Vec<&Departure> = found.iter().filter(is_right).collect();
        let leans = |sign: f64| {
            right
                .iter()
                .any(|one| sign * (one.observed - one.expected) > 0.05)
        };
        named += usize::from(leans(-1.0) || leans(1.0));
        others += found
            .iter()
            .filter(|one| one.place == Scope::Everywhere)
            .count();
    }
    assert!(named >= 17 && others == 0, "{named} of 20, {others} others");
}

#[test]
fn what_is_said_of_a_fault_is_how_large_it_is() {
    let pool = Pool {
        fault: Fault::MapLeans,
        ..EVEN
    };
    let found = departures(&pool.broken(2500, 600, &mut Dice(3)));
    assert_eq!(found.len(), 1, "{found:?}");
    let lean = found[0].observed - found[0].expected;
    assert!((0.14..0.26).contains(&lean), "{found:?}");
    assert!((500..=750).contains(&found[0].rounds), "{found:?}");
    let error = found[0].standard_error.unwrap();
    assert!((0.016..0.022).contains(&error), "{found:?}");
}

#[test]
fn a_fault_that_is_mended_is_forgotten() {
    let broken = Pool {
        fault: Fault::MapLeans,
        ..EVEN
    };
    let mut dice = Dice(4);
    let mut rounds = broken.broken(0, 300, &mut dice);
    assert_eq!(departures(&rounds).len(), 1);
    rounds.extend(EVEN.rounds(15_000, &mut dice));
    assert_eq!(departures(&rounds), []);
}

#[test]
fn a_lean_of_the_whole_pool_is_named_once() {
    let mut dice = Dice(5);
    let rounds: Vec<WatchedRound> = EVEN
        .rounds(1500, &mut dice)
        .into_iter()
        .map(|round| {
            let is_lost = round.score == Score::LOSS && dice.below(4) == 0;
            let score = if is_lost { Score::WIN } else { round.score };
            WatchedRound { score, ..round }
        })
        .collect();
    let found = departures(&rounds);
    let places: Vec<&Scope> = found.iter().map(|one| &one.place).collect();
    assert_eq!(places, [&Scope::Everywhere]);
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(departures(&[]), []);
    assert_eq!(departures(&EVEN.rounds(19, &mut Dice(6))), []);
}
