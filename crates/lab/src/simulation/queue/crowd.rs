//! The members, and when they join and leave the queue.

use super::super::dice::Dice;
use super::super::play::{ImpossibleScenario, player_id};
use super::scenario::QueueScenario;
use rbs::domain::{PlayerId, Rating};

/// Mean of the skills, far enough above the minimum rating.
const MEAN: f64 = 2_000.0;
const DAY: f64 = 86_400.0;
/// Peak hour of arrivals, and its concentration: the κ of a von Mises density.
const PEAK_HOUR: f64 = 20.0;
const CONCENTRATION: f64 = 6.0;
/// Ratio of the density at its peak to its mean: e^κ over the modified Bessel function I0(κ).
const PEAK: f64 = 6.000_3;
/// Probability of another match after a match.
const PLAY_ON: f64 = 0.9;
/// Fraction of the variance of a member's skill that the party shares.
const ALIKE: f64 = 0.5;
/// Sizes of the groups, repeated.
const SIZES: [usize; 5] = [1, 2, 1, 3, 2];

#[derive(Clone, Copy, Debug)]
pub(super) struct Player {
    pub(super) id: PlayerId,
    pub(super) skill: f64,
    pub(super) rating: Rating,
    pub(super) group: usize,
}

/// Members who always play together.
///
/// # Design
/// Each group has its own random numbers, so it behaves the same whichever matches are made. Two ways of matchmaking
/// are therefore compared on the same players at the same times.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) players: Vec<usize>,
    /// Time at which the group next wants to play; `None` while it waits or plays.
    pub(super) ready_at: Option<u32>,
    /// Number of members in a match.
    pub(super) playing: usize,
    dice: Dice,
}

#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub(super) players: Vec<Player>,
    pub(super) groups: Vec<Group>,
}

impl Crowd {
    pub(super) fn new(
        scenario: &QueueScenario,
        dice: &mut Dice,
    ) -> Result<Self, ImpossibleScenario> {
        let mut crowd = Self {
            players: Vec::with_capacity(scenario.members),
            groups: Vec::new(),
        };
        while crowd.players.len() < scenario.members {
            let group = crowd.groups.len();
            let left = scenario.members - crowd.players.len();
            let size = SIZES[group % SIZES.len()].min(left).min(scenario.team_size);
            let first = crowd.players.len();
            let common = dice.normal();
            for player in first..first + size {
                let own = dice.normal();
                let skill = scenario.spread * (ALIKE.sqrt() * common + (1.0 - ALIKE).sqrt() * own);
                let rating = MEAN + skill + scenario.error * dice.normal();
                crowd.players.push(Player {
                    id: player_id(player as u64 + 1)?,
                    skill,
                    rating: Rating::from_rounded(rating),
                    group,
                });
            }
            let mut group = Group {
                players: (first..first + size).collect(),
                ready_at: None,
                playing: 0,
                dice: Dice::new(dice.tie()),
            };
            group.leave(0);
            crowd.groups.push(group);
        }
        Ok(crowd)
    }
}

impl Group {
    /// Schedules the next visit.
    pub(super) fn leave(&mut self, now: u32) {
        let mut at = f64::from(now);
        // A Poisson process with the day's density as its rate, by thinning (P. Lewis and G. Shedler, 1979).
        loop {
            at -= DAY / PEAK * libm::log(1.0 - self.dice.unit());
            let angle = std::f64::consts::TAU * (at / DAY - PEAK_HOUR / 24.0);
            if self
                .dice
                .happens(libm::exp(CONCENTRATION * (libm::cos(angle) - 1.0)))
            {
                break;
            }
        }
        self.ready_at = Some(seconds(at));
    }

    /// Plays another match after a pause, or leaves.
    pub(super) fn go_on(&mut self, now: u32) {
        if self.dice.happens(PLAY_ON) {
            self.ready_at = Some(now + 30 + seconds(90.0 * self.dice.unit()));
        } else {
            self.leave(now);
        }
    }
}

/// Whole seconds of a non-negative time.
pub(super) fn seconds(time: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast to u32 saturates, and times are at most some days"
    )]
    let seconds = time as u32;
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_come_in_the_evening_and_everybody_once_a_day() {
        let scenario = QueueScenario::of(500).unwrap();
        let mut crowd = Crowd::new(&scenario, &mut Dice::new(1)).unwrap();
        let (mut comings, mut in_the_evening) = (0.0, 0.0);
        for group in &mut crowd.groups {
            while let Some(at) = group.ready_at.filter(|at| *at < 20 * 86_400) {
                comings += 1.0;
                in_the_evening += f64::from(u8::from((17..23).contains(&(at / 3_600 % 24))));
                group.leave(at);
            }
        }
        let groups = f64::from(u32::try_from(crowd.groups.len()).unwrap());
        let a_day = comings / groups / 20.0;
        assert!((0.95..1.05).contains(&a_day), "{a_day}");
        let share = in_the_evening / comings;
        // These six hours hold 93.2 % of the density.
        assert!((0.92..0.945).contains(&share), "{share}");
    }

    #[test]
    fn everybody_is_in_one_group_whose_players_are_alike() {
        let scenario = QueueScenario::of(2_000).unwrap();
        let crowd = Crowd::new(&scenario, &mut Dice::new(2)).unwrap();
        assert_eq!(crowd.players.len(), 2_000);
        let all = crowd.groups.iter().flat_map(|group| &group.players);
        assert!(all.copied().eq(0..2_000));
        let pairs = crowd.groups.iter().filter(|group| group.players.len() > 1);
        let products = pairs.map(|group| {
            let skill = |place: usize| crowd.players[group.players[place]].skill / scenario.spread;
            skill(0) * skill(1)
        });
        let correlation = super::super::super::community::mean(products);
        assert!((0.4..0.6).contains(&correlation), "{correlation}");
    }
}
