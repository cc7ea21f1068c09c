use super::community::Community;
use super::dice::Dice;
use super::measures::{Measures, Simulated};
use super::scenario::Scenario;
use super::teams::{Teams, halves, split};
use rbs::domain::{
    InvalidName, InvalidPlayerId, InvalidTimestamp, Mutators, PlayerEntry, PlayerId, PoolName,
    Report, Round, RoundParts, Side, TeamBots, Timestamp, Winner,
};
use rbs::matchmaking::InvalidQueue;
use rbs::partition::DuplicateCandidate;
use rbs::rating::{EngineError, InMemoryPool, ModelName, Parameters, theta_for_team_size};

/// SteamID64 of the account with number 0.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_728;
/// End of the first round in unix seconds. Each later round ends ten minutes after the one before.
const BEGINNING: i64 = 1_763_640_000;
const SECONDS_PER_ROUND: i64 = 600;

/// Reason why a scenario cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ImpossibleScenario {
    /// Teams are smaller than two, or the community has fewer members than a round has seats.
    #[error(
        "has too few players for two teams of two or more; give it more members or larger teams"
    )]
    TooFew,
    /// Teams are larger than the maximum of a round.
    #[error("has teams that are larger than a round may have; give it 64 players a team at most")]
    TooMany,
    /// The account numbers exceed the valid ids.
    #[error("has more players than there are ids: {0}")]
    Players(#[from] InvalidPlayerId),
    /// A player was drawn twice.
    #[error("has one player twice: {0}")]
    Twice(#[from] DuplicateCandidate),
    /// The simulation extends past the year 9999.
    #[error("takes too long; give it fewer rounds: {0}")]
    Time(#[from] InvalidTimestamp),
    /// The queue never made a match.
    #[error("had no match at all; give it more members or days")]
    NoMatch,
    /// The parameters of the queue are invalid.
    #[error("has a queue that cannot be one: {0}")]
    Queue(#[from] InvalidQueue),
    /// A model cannot read its own state.
    #[error("has a model that cannot read its own state: {0}")]
    Model(#[from] EngineError),
    #[error("has a name that none may have: {0}")]
    Name(#[from] InvalidName),
}

/// Plays a scenario once, with teams split by the ratings of this model, and measures the results. Uses all
/// `parameters` except Θ, which follows from the team size.
///
/// Formula F1 gives the true win probability of a round from the hidden skills, with the Θ of the largest teams. A
/// scenario, model and seed always give the same figures. Two models meet the same players at the same seed.
///
/// # Errors
/// Returns an error if the scenario cannot be played.
///
/// ```
/// use rbs::rating::{ModelName, Parameters};
/// use rbs::simulation::{Scenario, simulate};
/// let short = Scenario::ALL[0].with_rounds(200);
/// let usual = Parameters::default();
/// let once = simulate(&short, ModelName::Elo, &usual, 7).unwrap();
/// assert_eq!(once, simulate(&short, ModelName::Elo, &usual, 7).unwrap());
/// assert_ne!(once, simulate(&short, ModelName::Elo, &usual, 8).unwrap());
/// ```
pub(crate) fn simulate(
    scenario: &Scenario,
    model: ModelName,
    parameters: &Parameters,
    seed: u64,
) -> Result<Simulated, ImpossibleScenario> {
    let (smallest, largest) = scenario.team_sizes;
    if smallest < 2 || largest < smallest || scenario.members < 2 * largest {
        return Err(ImpossibleScenario::TooFew);
    }
    let team = u32::try_from(largest).map_err(|_| ImpossibleScenario::TooMany)?;
    let theta = theta_for_team_size(team);
    let parameters = Parameters {
        theta,
        ..parameters.clone()
    };
    let mut pool = InMemoryPool::new(model, &parameters);
    let mut dice = Dice::new(seed);
    let mut community = Community::new(*scenario, &mut dice);
    let mut measures = Measures::new(scenario.rounds);
    for number in 0..scenario.rounds {
        community.pass_time(number, &mut dice);
        let size = smallest + dice.below(largest - smallest + 1);
        let mut players = community.draw(number, 2 * size, &mut dice);
        // If many members are absent, the teams are as large as possible.
        players.truncate(players.len() / 2 * 2);
        let teams = if number.is_multiple_of(scenario.split_every) {
            split(&community, &players, &pool, &mut dice)?
        } else {
            halves(&players)
        };
        let mut sum = |team: &[usize]| -> f64 {
            let team = team.iter();
            team.map(|member| community.form(*member, &mut dice)).sum()
        };
        let lead = sum(&teams[0]) - sum(&teams[1]);
        let for_a = 1.0 / (1.0 + libm::exp(-lead / theta));
        let winner = if dice.happens(for_a) {
            Winner::A
        } else {
            Winner::B
        };
        measures.take_round(number, (for_a - 0.5).abs());
        pool.rate(&round(number, &community, &teams, winner)?)?;
        community.learn(&players, &mut dice);
        measures.look(number, &community, &players, &pool)?;
    }
    Ok(measures.simulated())
}

pub(super) fn player_id(account: u64) -> Result<PlayerId, InvalidPlayerId> {
    PlayerId::from_steam_id64(FIRST_ACCOUNT + account)
}

/// Report of a round as a game server would send it.
pub(super) fn round(
    number: u32,
    community: &Community,
    teams: &Teams,
    winner: Winner,
) -> Result<Round, ImpossibleScenario> {
    let entries = |side: Side| -> Result<Vec<PlayerEntry>, ImpossibleScenario> {
        let team = &teams[usize::from(side == Side::B)];
        let mut entries = Vec::with_capacity(team.len());
        for member in team {
            entries.push(PlayerEntry::present(player_id(
                community.members[*member].account,
            )?));
        }
        Ok(entries)
    };
    let seconds = BEGINNING + SECONDS_PER_ROUND * i64::from(number);
    let ended_at = Timestamp::from_unix_seconds(seconds)?;
    let parts = RoundParts {
        round_id: number.to_string().parse()?,
        server: "simulated".parse()?,
        map: None,
        mode: None,
        mutators: Mutators::default(),
        bots: TeamBots::default(),
        ended_at: Some(ended_at),
        pool: None,
        round_seconds: None,
        winner,
        team_a: entries(Side::A)?,
        team_b: entries(Side::B)?,
    };
    let report = Report::try_from(parts).map_err(|_| ImpossibleScenario::TooMany)?;
    Ok(report.settled(ended_at, PoolName::default()))
}
