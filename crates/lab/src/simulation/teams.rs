use super::community::Community;
use super::dice::Dice;
use super::play::{ImpossibleScenario, player_id};
use rbs::domain::PlayerId;
use rbs::partition::{Candidate, Limits, Pool, Wishes, solve};
use rbs::rating::{EngineError, InMemoryPool};

/// Member indices of the two teams of a round.
pub(super) type Teams = [Vec<usize>; 2];

/// Splits the players into teams as evenly as possible by the model's ratings.
pub(super) fn split(
    community: &Community,
    players: &[usize],
    pool: &InMemoryPool,
    dice: &mut Dice,
) -> Result<Teams, ImpossibleScenario> {
    let id = |member: usize| player_id(community.members[member].account);
    let mut candidates = Vec::with_capacity(players.len());
    for player in players {
        let id = id(*player)?;
        let rating = pool.rating(id).map_err(EngineError::from)?;
        candidates.push(Candidate { id, rating });
    }
    let mut parties = Vec::new();
    for [one, other] in community.parties() {
        if players.contains(&one) && players.contains(&other) {
            parties.push(vec![id(one)?, id(other)?]);
        }
    }
    let wishes = Wishes {
        parties,
        sizes: Some(vec![players.len() / 2]),
        ..Wishes::default()
    };
    let salt = dice.tie() | 1;
    let waiting = Pool::with_ties(candidates, |id| id.steam_id64().wrapping_mul(salt))?;
    let table = solve(&waiting, &wishes, &Limits::default());
    let split = table.splits.first().ok_or(ImpossibleScenario::TooFew)?;
    let members = |team: &[Candidate]| -> Result<Vec<usize>, ImpossibleScenario> {
        let ids: Vec<PlayerId> = team.iter().map(|candidate| candidate.id).collect();
        let mut members = Vec::with_capacity(team.len());
        for player in players {
            if ids.contains(&id(*player)?) {
                members.push(*player);
            }
        }
        Ok(members)
    };
    let mut teams = [members(&split.a)?, members(&split.b)?];
    // The first team of a split always has the best player.
    dice.shuffle(&mut teams);
    Ok(teams)
}

/// Splits players who are in random order already.
pub(super) fn halves(players: &[usize]) -> Teams {
    let (a, b) = players.split_at(players.len() / 2);
    [a.to_vec(), b.to_vec()]
}
