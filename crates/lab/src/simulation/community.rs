use super::dice::Dice;
use super::scenario::{Event, Scenario};

/// Number of rounds before any player is watched or switches to a new account.
pub(super) const SETTLED_AFTER: u32 = 4_000;
/// Number of rounds between two new accounts of [`Event::Smurfs`].
const ROUNDS_PER_SMURF: u32 = 100;
/// Rounds of a slump, and rounds watched after the slump.
pub(super) const SLUMP: u32 = 60;
pub(super) const AFTER_SLUMP: u32 = 240;
/// Number of rounds that a watched newcomer plays.
const VISIT: u32 = 400;
/// Rounds in two weeks, at 144 a day.
const AWAY: u32 = 14 * 144;
/// Fraction of present players who throw games, and fraction of their rounds that they throw.
const THROWN: f64 = 0.1;
/// Skill deficit of a thrown round, and offset of a watched player's skill from the mean, in standard deviations.
const THROWN_DEVIATIONS: f64 = 4.0;
const WATCHED_DEVIATIONS: f64 = 2.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Number of the current account.
    pub(super) account: u64,
    /// Skill in points above the mean of the population.
    pub(super) skill: f64,
    /// Rounds played with the account.
    pub(super) rounds: u32,
    /// `true` if the account joined after others had played.
    pub(super) is_new: bool,
    /// Temporary skill deficit in points.
    pub(super) lacking: f64,
    away_until: u32,
    throws: bool,
}

/// All members, and which of them is watched.
#[derive(Clone, Debug)]
pub(super) struct Community {
    scenario: Scenario,
    /// The regulars, followed by a watched newcomer if there is one.
    pub(super) members: Vec<Member>,
    /// Index of the member who plays every round, and the round at which watching began.
    pub(super) watched: Option<(usize, u32)>,
    accounts: u64,
    visits: u32,
}

impl Community {
    pub(super) fn new(scenario: Scenario, dice: &mut Dice) -> Self {
        let mut community = Self {
            scenario,
            members: Vec::new(),
            watched: None,
            accounts: 0,
            visits: 0,
        };
        for number in 0..scenario.members {
            let skill = scenario.spread * dice.normal();
            let mut member = community.newcomer(skill);
            member.is_new = false;
            member.throws = scenario.event == Event::Throwers && number % 10 == 0;
            community.members.push(member);
        }
        let mean = mean(community.regulars().iter().map(|member| member.skill));
        for member in &mut community.members {
            member.skill -= mean;
        }
        community
    }

    fn newcomer(&mut self, skill: f64) -> Member {
        self.accounts += 1;
        Member {
            account: self.accounts,
            skill,
            rounds: 0,
            is_new: true,
            lacking: 0.0,
            away_until: 0,
            throws: false,
        }
    }

    /// All members except a watched newcomer.
    pub(super) fn regulars(&self) -> &[Member] {
        &self.members[..self.scenario.members.min(self.members.len())]
    }

    /// Applies the scenario's events before the round of that number.
    pub(super) fn pass_time(&mut self, round: u32, dice: &mut Dice) {
        if dice.happens(self.scenario.arrivals) {
            let skill = self.scenario.spread * dice.normal();
            let leaves = dice.below(self.scenario.members);
            self.members[leaves] = self.newcomer(skill);
        }
        match self.scenario.event {
            Event::Newcomers => self.welcome(round),
            Event::Slumps => self.slump(round, dice),
            Event::Smurfs => self.hide_one(round, dice),
            // Absences of AWAY rounds begin at a rate that keeps a third of the members away.
            Event::Absences => {
                for member in &mut self.members {
                    let is_there = member.away_until <= round;
                    if is_there && dice.happens(0.5 / f64::from(AWAY)) {
                        member.away_until = round + AWAY;
                    }
                }
            }
            Event::None | Event::Throwers | Event::Parties => {}
        }
    }

    fn welcome(&mut self, round: u32) {
        if round < SETTLED_AFTER || !(round - SETTLED_AFTER).is_multiple_of(VISIT) {
            return;
        }
        self.members.truncate(self.scenario.members);
        self.visits += 1;
        let sign = if self.visits.is_multiple_of(2) {
            -1.0
        } else {
            1.0
        };
        let newcomer = self.newcomer(sign * WATCHED_DEVIATIONS * self.scenario.spread);
        self.members.push(newcomer);
        self.watched = Some((self.scenario.members, round));
    }

    /// Lets a member of the better half continue with a new account, if that is due.
    fn hide_one(&mut self, round: u32, dice: &mut Dice) {
        if round == 0 || !round.is_multiple_of(ROUNDS_PER_SMURF) {
            return;
        }
        let members = 0..self.scenario.members;
        let better: Vec<usize> = members
            .filter(|index| self.members[*index].skill > 0.0)
            .collect();
        if !better.is_empty() {
            let chosen = better[dice.below(better.len())];
            self.members[chosen] = self.newcomer(self.members[chosen].skill);
        }
    }

    fn slump(&mut self, round: u32, dice: &mut Dice) {
        let Some(passed) = round.checked_sub(SETTLED_AFTER) else {
            return;
        };
        match passed % (SLUMP + AFTER_SLUMP) {
            0 => {
                let chosen = dice.below(self.scenario.members);
                self.members[chosen].lacking = WATCHED_DEVIATIONS * self.scenario.spread;
                self.watched = Some((chosen, round));
            }
            SLUMP => {
                for member in &mut self.members {
                    member.lacking = 0.0;
                }
            }
            _ => {}
        }
    }

    /// Draws the players of the round with that number: `players` members, or all present ones if fewer.
    pub(super) fn draw(&self, round: u32, players: usize, dice: &mut Dice) -> Vec<usize> {
        let there =
            (0..self.members.len()).filter(|index| self.members[*index].away_until <= round);
        let mut drawn: Vec<usize> = there.collect();
        dice.shuffle(&mut drawn);
        if let Some((watched, _)) = self.watched {
            // A watched player is never absent.
            drawn.sort_by_key(|index| *index != watched);
        }
        drawn.truncate(players);
        dice.shuffle(&mut drawn);
        drawn
    }

    /// Performance of a member in one round, in points.
    pub(super) fn form(&self, member: usize, dice: &mut Dice) -> f64 {
        let member = &self.members[member];
        let thrown = if member.throws && dice.happens(THROWN) {
            THROWN_DEVIATIONS * self.scenario.spread
        } else {
            0.0
        };
        member.skill - member.lacking - thrown
    }

    /// Pairs of friends who want to be on one team.
    pub(super) fn parties(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let pairs = match self.scenario.event {
            Event::Parties => self.scenario.members / 4,
            _ => 0,
        };
        (0..pairs).map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Updates the players after a round.
    pub(super) fn learn(&mut self, players: &[usize], dice: &mut Dice) {
        let drift = self.scenario.drift;
        for player in players {
            let member = &mut self.members[*player];
            member.rounds += 1;
            if drift > 0.0 {
                // Discrete Ornstein-Uhlenbeck process, whose standard deviation stays equal to the spread.
                let noise = self.scenario.spread * (2.0 * drift - drift * drift).sqrt();
                member.skill = member.skill * (1.0 - drift) + noise * dice.normal();
            }
        }
    }
}

/// Arithmetic mean; 0 for an empty sequence.
pub(super) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| {
        (sum + number, count + 1.0)
    });
    if count > 0.0 { sum / count } else { 0.0 }
}
