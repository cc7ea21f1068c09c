use super::dice::Dice;
use super::scenario::{Event, Scenario};

/// Rounds before somebody is watched, or hides behind a new account.
pub(super) const SETTLED_AFTER: u32 = 4_000;
/// Rounds between two new accounts of [`Event::Smurfs`].
const ROUNDS_PER_SMURF: u32 = 100;
/// Rounds of a slump, and of what is watched after it.
pub(super) const SLUMP: u32 = 60;
pub(super) const AFTER_SLUMP: u32 = 240;
/// Rounds that a watched newcomer plays.
const VISIT: u32 = 400;
/// Rounds of two weeks, at 144 a day.
const AWAY: u32 = 14 * 144;
/// The share of those present who throw games, and of their rounds that are thrown.
const THROWN: f64 = 0.1;
/// Standard deviations that a thrower plays worse, and that somebody watched is off the mean.
const THROWN_DEVIATIONS: f64 = 4.0;
const WATCHED_DEVIATIONS: f64 = 2.0;

/// Somebody with a hidden skill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The number of the account that is played with.
    pub(super) account: u64,
    /// Points above the mean of whom the community is drawn from.
    pub(super) skill: f64,
    /// Rounds played with the account.
    pub(super) rounds: u32,
    /// Whether the account came when others were there already.
    pub(super) is_new: bool,
    /// Points that are lacking at present.
    pub(super) lacking: f64,
    away_until: u32,
    throws: bool,
}

/// Everybody, and who of them is watched.
#[derive(Clone, Debug)]
pub(super) struct Community {
    scenario: Scenario,
    /// The regulars, and behind them a newcomer who is watched.
    pub(super) members: Vec<Member>,
    /// Who of the members plays every round, and since which.
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

    /// Those who are no watched newcomer.
    pub(super) fn regulars(&self) -> &[Member] {
        &self.members[..self.scenario.members.min(self.members.len())]
    }

    /// What happens before the round of that number.
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
            // Who stays away for AWAY rounds, one of so many, is a third of all.
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

    /// One of the better half plays on with a new account, where it is time for that.
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

    /// Who plays the round of that number: as many as that, or everybody who is there.
    pub(super) fn draw(&self, round: u32, players: usize, dice: &mut Dice) -> Vec<usize> {
        let there =
            (0..self.members.len()).filter(|index| self.members[*index].away_until <= round);
        let mut drawn: Vec<usize> = there.collect();
        dice.shuffle(&mut drawn);
        if let Some((watched, _)) = self.watched {
            // Somebody who is watched is never away.
            drawn.sort_by_key(|index| *index != watched);
        }
        drawn.truncate(players);
        dice.shuffle(&mut drawn);
        drawn
    }

    /// How well a member plays in a round, in points.
    pub(super) fn form(&self, member: usize, dice: &mut Dice) -> f64 {
        let member = &self.members[member];
        let thrown = if member.throws && dice.happens(THROWN) {
            THROWN_DEVIATIONS * self.scenario.spread
        } else {
            0.0
        };
        member.skill - member.lacking - thrown
    }

    /// The friends in pairs, of those who want to be on one team.
    pub(super) fn parties(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let pairs = match self.scenario.event {
            Event::Parties => self.scenario.members / 4,
            _ => 0,
        };
        (0..pairs).map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// What a round leaves behind in those who played it.
    pub(super) fn learn(&mut self, players: &[usize], dice: &mut Dice) {
        let drift = self.scenario.drift;
        for player in players {
            let member = &mut self.members[*player];
            member.rounds += 1;
            if drift > 0.0 {
                // An Ornstein-Uhlenbeck process in steps, whose standard deviation stays the spread.
                let noise = self.scenario.spread * (2.0 * drift - drift * drift).sqrt();
                member.skill = member.skill * (1.0 - drift) + noise * dice.normal();
            }
        }
    }
}

/// The mean of numbers, 0 of none.
pub(super) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| {
        (sum + number, count + 1.0)
    });
    if count > 0.0 { sum / count } else { 0.0 }
}
