use super::super::dice::Dice;
use super::super::play::ImpossibleScenario;
use super::crowd::{Crowd, seconds};
use super::figures::{Figures, Queued};
use super::matcher::{Game, Making, Matcher, Waiting};
use super::scenario::{GIVE_UP_SECONDS, QueueScenario};

/// Interval at which matches are made, in seconds.
const STEP: u32 = 5;
const DAY: u32 = 86_400;

/// Plays the days of a community with this way of matchmaking, and measures the results.
///
/// A scenario, matcher and seed always give the same figures. Two matchers meet the same players, who want to play at
/// the same times as far as their matches allow.
///
/// # Errors
/// Returns an error if the scenario cannot be played.
///
/// ```
/// use rbs::simulation::{Matcher, QueueScenario, simulate_queue};
/// let scenario = QueueScenario::of(50).unwrap().with_days(1);
/// let matcher = Matcher::FirstCome { waiting: 8 };
/// let once = simulate_queue(&scenario, &matcher, 7).unwrap();
/// assert_eq!(once, simulate_queue(&scenario, &matcher, 7).unwrap());
/// assert_eq!(once.parties_kept, 1.0);
/// ```
pub(crate) fn simulate_queue(
    scenario: &QueueScenario,
    matcher: &Matcher,
    seed: u64,
) -> Result<Queued, ImpossibleScenario> {
    let mut dice = Dice::new(seed);
    let crowd = Crowd::new(scenario, &mut dice)?;
    let mut running = Running {
        scenario: *scenario,
        crowd,
        waiting: Vec::new(),
        games: Vec::new(),
        figures: Figures::default(),
        dice,
    };
    for now in (0..scenario.days.saturating_mul(DAY)).step_by(STEP as usize) {
        running.step(now, matcher)?;
    }
    running.figures.queued().ok_or(ImpossibleScenario::NoMatch)
}

struct Running {
    scenario: QueueScenario,
    crowd: Crowd,
    /// Tickets, the longest waiting first.
    waiting: Vec<Waiting>,
    /// End time of each running match, and its players.
    games: Vec<(u32, Vec<usize>)>,
    figures: Figures,
    dice: Dice,
}

impl Running {
    fn step(&mut self, now: u32, matcher: &Matcher) -> Result<(), ImpossibleScenario> {
        self.end_games(now);
        self.give_up(now);
        self.join(now);
        let making = Making {
            scenario: &self.scenario,
            crowd: &self.crowd,
            waiting: &self.waiting,
            servers: self.scenario.servers.saturating_sub(self.games.len()),
            now,
        };
        for game in making.games(matcher)? {
            self.begin(now, &game);
        }
        Ok(())
    }

    fn end_games(&mut self, now: u32) {
        let (ended, on) = std::mem::take(&mut self.games)
            .into_iter()
            .partition(|(until, _)| *until <= now);
        self.games = on;
        let ended: Vec<(u32, Vec<usize>)> = ended;
        for player in ended.into_iter().flat_map(|(_, players)| players) {
            let index = self.crowd.players[player].group;
            let waits = self.waiting.iter().any(|one| one.group == index);
            let group = &mut self.crowd.groups[index];
            group.playing -= 1;
            if group.playing == 0 && !waits {
                group.go_on(now);
            }
        }
    }

    fn give_up(&mut self, now: u32) {
        let (left, waiting): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|one| now - one.since >= GIVE_UP_SECONDS);
        self.waiting = waiting;
        for one in left {
            self.figures.left(one.players.len());
            let group = &mut self.crowd.groups[one.group];
            if group.playing == 0 {
                group.leave(now);
            }
        }
    }

    fn join(&mut self, now: u32) {
        for (index, group) in self.crowd.groups.iter_mut().enumerate() {
            if group.ready_at.is_some_and(|at| at <= now) {
                group.ready_at = None;
                self.waiting.push(Waiting {
                    group: index,
                    players: group.players.clone(),
                    since: now,
                });
            }
        }
    }

    fn begin(&mut self, now: u32, game: &Game) {
        for one in &mut self.waiting {
            let on = game.each_ref().map(|team| {
                let players = one.players.iter();
                players.filter(|player| team.contains(player)).count()
            });
            let played = on[0] + on[1];
            if played == 0 {
                continue;
            }
            let party = self.crowd.groups[one.group].players.len();
            self.figures.waited(now - one.since, played);
            if party > 1 {
                self.figures.party(played, on.contains(&party));
            }
            self.crowd.groups[one.group].playing += played;
            one.players
                .retain(|player| !game.iter().any(|team| team.contains(player)));
        }
        self.waiting.retain(|one| !one.players.is_empty());
        self.figures.game(&self.scenario, &self.crowd, game);
        let until = now + seconds(480.0 + 480.0 * self.dice.unit());
        self.games
            .push((until, game.iter().flatten().copied().collect()));
    }
}
