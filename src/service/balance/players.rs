use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;

use super::Subject;
use crate::api::{LobbyPlayer, Whole};
use crate::balance::{Player, Policy, Power, Weigh};
use crate::domain::{FieldProblem, Handicap, PlayerId, Rating};
use crate::rating::Conditions;
use crate::service::players::now::read_current_players;
use crate::service::powers::choice::{PowerWish, for_match};
use crate::service::powers::weighed::Weighed;
use crate::service::splits::last::rated;
use crate::service::{Service, ServiceError};

#[derive(Debug)]
pub(crate) struct MatchPlayers {
    /// Powers (scoreboard values) of the players, which replace the request's weights if a power is asked for.
    pub(super) weighed: Option<Weighed>,
    /// Corrections of team a's lead for side, map, bots and team sizes, in rating points.
    pub(super) handicap: Handicap,
    ratings: HashMap<PlayerId, Rating>,
    powers: Option<HashMap<PlayerId, Power>>,
}

impl Service {
    /// Reads the ratings of the players of a match, and their powers if the policy or request asks for a power. Each
    /// list of players comes with the name of its JSON field, for error messages.
    pub(super) async fn match_players<Field: Display>(
        &self,
        subject: &Subject<'_>,
        wish: PowerWish<'_>,
        conditions: &Conditions<'_>,
        lists: &[(Field, &[LobbyPlayer])],
    ) -> Result<MatchPlayers, ServiceError> {
        let pool = subject.pool;
        let power = for_match(pool, wish.by, subject.policy)?;
        if power.is_none() {
            check_weights(subject, lists)?;
        }
        let all = lists.iter().flat_map(|(_, players)| players.iter());
        let ids: Vec<PlayerId> = all.map(|player| player.id).collect();
        let mut tx = self.store.begin_read().await?;
        let lobby = read_current_players(&mut tx, pool, &ids).await?;
        let rated_players = rated(&lobby.players);
        let weighed = match power {
            Some(power) => {
                let now = conditions.at;
                Some(Weighed::read(&mut tx, pool, power, wish, &rated_players, now).await?)
            }
            None => None,
        };
        let ratings = rated_players.into_iter();
        Ok(MatchPlayers {
            powers: weighed.as_ref().map(Weighed::powers),
            weighed,
            handicap: lobby.handicap(lobby.players.len(), conditions),
            ratings: ratings.map(|rated| (rated.player, rated.rating)).collect(),
        })
    }
}

impl MatchPlayers {
    pub(super) fn of(&self, sent: &[LobbyPlayer]) -> Vec<Player> {
        let players = sent.iter().filter_map(|player| {
            // `match_players` has read the rating of every listed player.
            let rating = *self.ratings.get(&player.id)?;
            let weight = match &self.powers {
                Some(powers) => powers.get(&player.id).copied(),
                None => player.weight.and_then(|weight| Power::new(weight.get())),
            };
            Some(Player {
                id: player.id,
                rating,
                weight,
                points: player.points,
                party: player.party.clone(),
                immune: player.immune.unwrap_or_default(),
                moved: player.moved.unwrap_or_default(),
                joined_seconds: player.joined_seconds.map(Whole::get),
            })
        });
        players.collect()
    }

    /// Returns the balance policy, adjusted to the power (scoreboard value) by which the match weighs players.
    pub(super) fn policy<'all>(&self, policy: &'all Policy) -> Cow<'all, Policy> {
        let weighed = self.weighed.as_ref();
        weighed.map_or(Cow::Borrowed(policy), |weighed| weighed.policy(policy))
    }
}

/// Returns an error that lists every player whom the request gives no weight, if the balance policy requires weights.
fn check_weights<Field: Display>(
    subject: &Subject,
    lists: &[(Field, &[LobbyPlayer])],
) -> Result<(), ServiceError> {
    if subject.policy.weigh != (Weigh::Weight { default: None }) {
        return Ok(());
    }
    let mut problems = Vec::new();
    for (field, players) in lists {
        let missing = (players.iter().enumerate()).filter(|(_, player)| player.weight.is_none());
        problems.extend(missing.map(|(index, player)| {
            let detail = format!(
                "is missing, but the policy \"{}\" needs it; send the weight of \
                 {}, or set default_weight for the policy",
                subject.policy_name, player.id
            );
            FieldProblem::new(format!("/{field}/{index}/weight"), detail)
        }));
    }
    ServiceError::check(problems)
}
