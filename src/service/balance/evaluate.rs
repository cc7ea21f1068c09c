use std::collections::HashMap;

use super::answer::{Subject, describe_placement, describe_verdict};
use crate::api::{
    BalanceAnswer, BalanceRequest, BotsRequest, LobbyPlayer, MapPlayersRequest, Object,
    PlaceAnswer, PlaceRequest, Whole,
};
use crate::balance::{
    Bots, Handicap, Match, MissingWeight, Player, Policy, Power, Weigh, balance, place,
};
use crate::domain::{FieldProblem, MapName, PlayerId, Rating};
use crate::service::players::now::players_now;
use crate::service::{Pool, Service, ServiceError};

/// The lists of players of a request, by the names of their fields.
type Lists<'all, const COUNT: usize> = [(&'static str, &'all [LobbyPlayer]); COUNT];

impl Service {
    /// Whether the teams of a match are unbalanced by the ratings and policies of `pool`, and who
    /// should change teams. Where they are, that is recorded as an intervention.
    pub async fn balance_match(
        &self,
        pool: &Pool,
        request: &BalanceRequest,
    ) -> Result<BalanceAnswer, ServiceError> {
        let subject = Subject::new(pool, &request.server, request.policy.as_ref())?;
        let lists = [("team_a", &*request.team_a), ("team_b", &*request.team_b)];
        let ([team_a, team_b], handicap) = self
            .rated_players(&subject, lists, request.map.as_ref())
            .await?;
        let state = Match {
            team_a,
            team_b,
            modes: request.modes.clone(),
            seconds_left: request.seconds_left.map(Whole::get),
            bots: bots(request.bots, request.map_players),
            handicap,
        };
        let verdict = compute(&subject, move |policy, theta| {
            balance(&state, policy, theta)
        });
        let verdict = verdict.await?;
        self.record_verdict(&subject, &verdict).await;
        Ok(describe_verdict(&subject, &verdict))
    }

    /// Which teams those should go to who join a match, by the ratings and policies of `pool`.
    /// Writes nothing.
    pub async fn place_joining(
        &self,
        pool: &Pool,
        request: &PlaceRequest,
    ) -> Result<PlaceAnswer, ServiceError> {
        let subject = Subject::new(pool, &request.server, request.policy.as_ref())?;
        let lists = [
            ("team_a", &*request.team_a),
            ("team_b", &*request.team_b),
            ("joining", &*request.joining),
        ];
        let ([team_a, team_b, joining], handicap) = self
            .rated_players(&subject, lists, request.map.as_ref())
            .await?;
        let state = Match {
            team_a,
            team_b,
            bots: bots(request.bots, request.map_players),
            handicap,
            ..Match::default()
        };
        let placement = compute(&subject, move |policy, theta| {
            place(&state, &joining, policy, theta)
        });
        let placement = placement.await?;
        let placed = placement.placed.len();
        self.metrics
            .players_placed(&pool.name, subject.policy_name, placed);
        let order: Vec<PlayerId> = request.joining.iter().map(|player| player.id).collect();
        Ok(describe_placement(&subject, &order, &placement))
    }

    /// The players of each list with their ratings, and what counts besides those on a map, if it is known.
    async fn rated_players<const COUNT: usize>(
        &self,
        subject: &Subject<'_>,
        lists: Lists<'_, COUNT>,
        map: Option<&MapName>,
    ) -> Result<([Vec<Player>; COUNT], Handicap), ServiceError> {
        check_weights(subject, &lists)?;
        let all = lists.iter().flat_map(|(_, players)| players.iter());
        let ids: Vec<PlayerId> = all.map(|player| player.id).collect();
        let mut tx = self.store.begin_read().await?;
        let lobby = players_now(&mut tx, subject.pool, &ids).await?;
        let beyond = lobby.beyond_ratings(map, &subject.pool.settings.parameters);
        let handicap = Handicap {
            lean: beyond.lean,
            extra_player: beyond.extra_player,
        };
        let rated = lobby.players.iter().map(|player| &player.record);
        let ratings: HashMap<PlayerId, Rating> =
            rated.map(|rated| (rated.id, rated.rating)).collect();
        Ok((lists.map(|(_, sent)| players(sent, &ratings)), handicap))
    }
}

/// Computes off the threads that answer requests.
async fn compute<T: Send + 'static>(
    subject: &Subject<'_>,
    task: impl FnOnce(&Policy, f64) -> Result<T, MissingWeight> + Send + 'static,
) -> Result<T, ServiceError> {
    let (policy, theta) = (subject.policy.clone(), subject.theta());
    let done = tokio::task::spawn_blocking(move || task(&policy, theta)).await;
    // Weights have been checked before.
    done.map_err(ServiceError::internal)?
        .map_err(ServiceError::internal)
}

/// Names every player without a weight, where the policy needs one.
fn check_weights<const COUNT: usize>(
    subject: &Subject,
    lists: &Lists<'_, COUNT>,
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

fn players(sent: &[LobbyPlayer], ratings: &HashMap<PlayerId, Rating>) -> Vec<Player> {
    let players = sent.iter().filter_map(|player| {
        // Everybody has been looked up.
        let rating = *ratings.get(&player.id)?;
        Some(Player {
            id: player.id,
            rating,
            weight: player.weight.and_then(|weight| Power::new(weight.get())),
            points: player.points,
            party: player.party.clone(),
            immune: player.immune,
            moved: player.moved,
            joined_seconds: player.joined_seconds.map(Whole::get),
        })
    });
    players.collect()
}

fn bots(sent: Option<Object<BotsRequest>>, map: Option<Object<MapPlayersRequest>>) -> Bots {
    let bots = sent.map(|Object(bots)| bots).unwrap_or_default();
    Bots {
        a: bots.a.map_or(0, Whole::count),
        b: bots.b.map_or(0, Whole::count),
        weight: bots.weight.and_then(|weight| Power::new(weight.get())),
        map_players: map.map(|Object(map)| (map.least.count(), map.most.count())),
    }
}
