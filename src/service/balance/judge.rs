use std::collections::HashMap;

use super::answer::{Subject, describe_placement, describe_verdict};
use crate::api::{
    BalanceAnswer, BalanceRequest, BotsRequest, MapPlayersRequest, MatchPlayer, Object,
    PlaceAnswer, PlaceRequest, Whole,
};
use crate::balance::{Bots, Match, MissingWeight, Player, Policy, Power, Weigh, balance, place};
use crate::domain::{FieldProblem, PlayerId, PolicyName, Rating};
use crate::service::splits::last::ratings_now;
use crate::service::{Pool, Service, ServiceError};

/// The lists of players of a request, by the names of their fields.
type Lists<'all> = [(&'static str, &'all [MatchPlayer])];

impl Service {
    /// Whether the teams of a match are unbalanced by the ratings and policies of `pool`, and who
    /// should change teams. Where they are, that is noted for the operators.
    ///
    /// # Errors
    /// The database's; an unknown policy; players without a weight, where the policy needs one.
    pub async fn balance_match(
        &self,
        pool: &Pool,
        request: &BalanceRequest,
    ) -> Result<BalanceAnswer, ServiceError> {
        let (name, policy) = policy_of(pool, request.policy.as_ref())?;
        let lists: &Lists = &[("team_a", &request.team_a), ("team_b", &request.team_b)];
        check_weights(name, policy, lists)?;
        let ratings = self.ratings_of(pool, lists).await?;
        let state = Match {
            team_a: players(&request.team_a, &ratings),
            team_b: players(&request.team_b, &ratings),
            modes: request.modes.clone(),
            seconds_left: request.seconds_left.map(Whole::get),
            bots: bots(request.bots, request.map_players),
        };
        let theta = pool.settings.parameters.theta;
        let rules = policy.clone();
        let verdict = computed(move || balance(&state, &rules, theta)).await?;
        let subject = Subject {
            server: &request.server,
            pool: &pool.name,
            policy: name,
            theta,
        };
        let answer = describe_verdict(&subject, policy, &verdict);
        self.note_balance(pool, &answer).await;
        Ok(answer)
    }

    /// Which teams those should go to who join a match, by the ratings and policies of `pool`.
    /// Writes nothing.
    ///
    /// # Errors
    /// The database's; an unknown policy; players without a weight, where the policy needs one.
    pub async fn place_joining(
        &self,
        pool: &Pool,
        request: &PlaceRequest,
    ) -> Result<PlaceAnswer, ServiceError> {
        let (name, policy) = policy_of(pool, request.policy.as_ref())?;
        let lists: &Lists = &[
            ("team_a", &request.team_a),
            ("team_b", &request.team_b),
            ("joining", &request.joining),
        ];
        check_weights(name, policy, lists)?;
        let ratings = self.ratings_of(pool, lists).await?;
        let state = Match {
            team_a: players(&request.team_a, &ratings),
            team_b: players(&request.team_b, &ratings),
            bots: bots(request.bots, request.map_players),
            ..Match::default()
        };
        let joining = players(&request.joining, &ratings);
        let theta = pool.settings.parameters.theta;
        let rules = policy.clone();
        let placement = computed(move || place(&state, &joining, &rules, theta)).await?;
        let subject = Subject {
            server: &request.server,
            pool: &pool.name,
            policy: name,
            theta,
        };
        let order: Vec<PlayerId> = request.joining.iter().map(|player| player.id).collect();
        let answer = describe_placement(&subject, policy, &order, &placement);
        self.count_placed(pool, &answer);
        Ok(answer)
    }

    async fn ratings_of(
        &self,
        pool: &Pool,
        lists: &Lists<'_>,
    ) -> Result<HashMap<PlayerId, Rating>, ServiceError> {
        let all = lists.iter().flat_map(|(_, players)| players.iter());
        let ids: Vec<PlayerId> = all.map(|player| player.id).collect();
        let mut tx = self.store.begin_read().await?;
        let rated = ratings_now(&mut tx, pool, &ids).await?;
        Ok(rated
            .into_iter()
            .map(|rated| (rated.player, rated.rating))
            .collect())
    }
}

/// Computes off the threads that answer requests.
async fn computed<T: Send + 'static>(
    task: impl FnOnce() -> Result<T, MissingWeight> + Send + 'static,
) -> Result<T, ServiceError> {
    let done = tokio::task::spawn_blocking(task).await;
    // Weights have been looked for before.
    done.map_err(ServiceError::internal)?
        .map_err(ServiceError::internal)
}

/// The policy that is named, else the pool's, with its name.
fn policy_of<'all>(
    pool: &'all Pool,
    named: Option<&'all PolicyName>,
) -> Result<(&'all PolicyName, &'all Policy), ServiceError> {
    let settings = &pool.settings.balance;
    let name = named.unwrap_or(&settings.policy);
    let policy = settings.policies.named(name).map_err(|error| {
        let detail = format!("{error}, or leave it out for the pool's");
        ServiceError::Invalid(vec![FieldProblem::new("/policy", detail)])
    })?;
    Ok((name, policy))
}

/// Names every player without a weight, where the policy needs one.
fn check_weights(name: &PolicyName, policy: &Policy, lists: &Lists) -> Result<(), ServiceError> {
    if policy.weigh != (Weigh::Weight { default: None }) {
        return Ok(());
    }
    let mut problems = Vec::new();
    for (field, players) in lists {
        for (index, player) in players.iter().enumerate() {
            if player.weight.is_none() {
                problems.push(FieldProblem::new(
                    format!("/{field}/{index}/weight"),
                    format!(
                        "is missing, and the policy \"{}\" goes by it; send what {} weighs, or set \
                         default_weight for the policy",
                        name, player.id
                    ),
                ));
            }
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ServiceError::Invalid(problems))
    }
}

fn players(sent: &[MatchPlayer], ratings: &HashMap<PlayerId, Rating>) -> Vec<Player> {
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
