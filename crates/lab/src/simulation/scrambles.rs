use std::collections::VecDeque;

use serde::Serialize;

use super::community::Community;
use super::dice::Dice;
use super::play::{ImpossibleScenario, player_id, round};
use super::scenario::Scenario;
use super::teams::{Teams, split};
use rbs::domain::Winner;
use rbs::rating::{
    EngineError, InMemoryPool, ModelName, Parameters, theta_for_team_size, win_probability,
};

/// Probability per round and player to leave. Somebody else takes the place on the same team.
const LEAVES: f64 = 0.08;
/// Rounds after which the ratings are settled, and rounds are measured.
const SETTLED: u32 = 2_000;
/// True win probability of the favourite above which a round is one-sided.
const ONE_SIDED: f64 = 0.7;

/// Rule of a server for new teams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ScrambleRule {
    Never,
    /// After this number of wins in a row.
    Streak(usize),
    /// If the predicted probability of the favourite exceeds this limit after a round.
    Odds(f64),
    Always,
}

/// Figures of a server with one rule, after the ratings settled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Scrambled {
    /// Share of the rounds that began with new teams.
    pub(crate) new_teams: f64,
    /// Mean true win probability of the favourite.
    pub(crate) favourite: f64,
    /// Share of the rounds that were one-sided.
    pub(crate) one_sided: f64,
}

/// Plays rounds on one server whose players stay, leave and are replaced, with teams that change by the rule alone.
///
/// # Errors
/// Returns an error if the scenario cannot be played.
pub(crate) fn simulate_scrambles(
    scenario: &Scenario,
    rule: ScrambleRule,
    seed: u64,
) -> Result<Scrambled, ImpossibleScenario> {
    let size = scenario.team_sizes.1;
    let team = u32::try_from(size).map_err(|_| ImpossibleScenario::TooMany)?;
    let theta = theta_for_team_size(team);
    let parameters = Parameters {
        theta,
        ..Parameters::default()
    };
    let mut pool = InMemoryPool::new(ModelName::SynElo, &parameters);
    let mut dice = Dice::new(seed);
    let community = Community::new(*scenario, &mut dice);
    let mut teams = super::teams::halves(&community.draw(0, 2 * size, &mut dice));
    let mut winners: VecDeque<Winner> = VecDeque::new();
    let (mut new_teams, mut favourite, mut one_sided) = (0.0, 0.0, 0.0);
    for number in 0..scenario.rounds {
        let is_measured = number >= SETTLED;
        if is_due(rule, &community, &teams, &winners, &pool, theta)? {
            let players = teams.concat();
            teams = split(&community, &players, &pool, &mut dice)?;
            winners.clear();
            new_teams += f64::from(u8::from(is_measured));
        }
        let sum = |team: &[usize]| -> f64 {
            let skills = team.iter().map(|member| community.members[*member].skill);
            skills.sum()
        };
        let for_a = 1.0 / (1.0 + libm::exp((sum(&teams[1]) - sum(&teams[0])) / theta));
        if is_measured {
            favourite += for_a.max(1.0 - for_a);
            one_sided += f64::from(u8::from(for_a.max(1.0 - for_a) > ONE_SIDED));
        }
        let winner = if dice.happens(for_a) {
            Winner::A
        } else {
            Winner::B
        };
        winners.push_back(winner);
        pool.rate(&round(number, &community, &teams, winner)?)?;
        replace_leavers(&community, &mut teams, &mut dice);
    }
    let rounds = f64::from(scenario.rounds.saturating_sub(SETTLED).max(1));
    Ok(Scrambled {
        new_teams: new_teams / rounds,
        favourite: favourite / rounds,
        one_sided: one_sided / rounds,
    })
}

fn is_due(
    rule: ScrambleRule,
    community: &Community,
    teams: &Teams,
    winners: &VecDeque<Winner>,
    pool: &InMemoryPool,
    theta: f64,
) -> Result<bool, ImpossibleScenario> {
    Ok(match rule {
        ScrambleRule::Never => false,
        ScrambleRule::Always => true,
        ScrambleRule::Streak(wins) => {
            let last = winners.back();
            let in_a_row = winners.iter().rev().take_while(|won| Some(*won) == last);
            in_a_row.count() >= wins
        }
        ScrambleRule::Odds(limit) => {
            let mut sums = [0_i64; 2];
            for (sum, team) in sums.iter_mut().zip(teams) {
                for member in team {
                    let id = player_id(community.members[*member].account)?;
                    let rating = pool.rating(id).map_err(EngineError::from)?;
                    *sum += i64::from(rating.points());
                }
            }
            let for_a = win_probability(sums[0], sums[1], theta).get();
            for_a.max(1.0 - for_a) > limit
        }
    })
}

/// Gives the place of each player who leaves to a member who does not play.
fn replace_leavers(community: &Community, teams: &mut Teams, dice: &mut Dice) {
    for side in 0..teams.len() {
        for place in 0..teams[side].len() {
            if !dice.happens(LEAVES) {
                continue;
            }
            let playing = teams.concat();
            let waiting: Vec<usize> = (0..community.members.len())
                .filter(|member| !playing.contains(member))
                .collect();
            if !waiting.is_empty() {
                teams[side][place] = waiting[dice.below(waiting.len())];
            }
        }
    }
}
