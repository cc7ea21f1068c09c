use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;

use super::answer::Subject;
use crate::api::{LobbyPlayer, Whole};
use crate::balance::{Handicap, Player, Policy, Power, Weigh};
use crate::domain::{FieldProblem, MapName, PlayerId, Rating, TeamBots};
use crate::rating::Conditions;
use crate::service::players::now::players_now;
use crate::service::powers::choice::{PowerWish, for_match};
use crate::service::powers::weighed::Weighed;
use crate::service::splits::last::rated;
use crate::service::{Service, ServiceError};

/// What is known of the players of a match.
#[derive(Debug)]
pub(crate) struct MatchPlayers {
    /// What they count where the match goes by a power, in the place of any weight sent.
    pub(super) weighed: Option<Weighed>,
    /// What counts besides their ratings.
    pub(super) handicap: Handicap,
    ratings: HashMap<PlayerId, Rating>,
    powers: Option<HashMap<PlayerId, Power>>,
}

/// What a match is played with besides the players.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'all> {
    /// The map, if it is known.
    pub(super) map: Option<&'all MapName>,
    /// The bots that stay where they are.
    pub(super) bots: &'all TeamBots,
}

impl Service {
    /// What is known of those in the lists, each by the name of its field, for a match with those surroundings that
    /// goes by the power wished for.
    pub(super) async fn match_players<Field: Display>(
        &self,
        subject: &Subject<'_>,
        wish: PowerWish<'_>,
        surroundings: Surroundings<'_>,
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
        let lobby = players_now(&mut tx, pool, &ids).await?;
        let now = self.clock.now();
        let handicap = lobby.handicap(&Conditions {
            map: surroundings.map,
            bots: surroundings.bots,
            at: now,
            parameters: &pool.settings.parameters,
        });
        let rated_players = rated(&lobby.players);
        let weighed = match power {
            Some(power) => {
                Some(Weighed::read(&mut tx, pool, power, wish, &rated_players, now).await?)
            }
            None => None,
        };
        let ratings = rated_players.into_iter();
        Ok(MatchPlayers {
            powers: weighed.as_ref().map(Weighed::powers),
            weighed,
            handicap: Handicap {
                lean: handicap.lean,
                extra_player: handicap.extra_player,
            },
            ratings: ratings.map(|rated| (rated.player, rated.rating)).collect(),
        })
    }
}

impl MatchPlayers {
    /// The players of a list.
    pub(super) fn of(&self, sent: &[LobbyPlayer]) -> Vec<Player> {
        let players = sent.iter().filter_map(|player| {
            // Everybody has been looked up.
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
                immune: player.immune,
                moved: player.moved,
                joined_seconds: player.joined_seconds.map(Whole::get),
            })
        });
        players.collect()
    }

    /// The policy of the match, by the power that it goes by.
    pub(super) fn policy<'all>(&self, policy: &'all Policy) -> Cow<'all, Policy> {
        let weighed = self.weighed.as_ref();
        weighed.map_or(Cow::Borrowed(policy), |weighed| weighed.policy(policy))
    }
}

/// Names every player without a weight, where the policy needs one.
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
                "is missing, and the policy \"{}\" goes by it; send what {} weighs, or set \
                 default_weight for the policy",
                subject.policy_name, player.id
            );
            FieldProblem::new(format!("/{field}/{index}/weight"), detail)
        }));
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ServiceError::Invalid(problems))
    }
}
