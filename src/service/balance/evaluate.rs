use std::collections::HashMap;
use std::fmt::Display;

use super::answer::{Subject, describe_placement, describe_verdict, in_order};
use super::reason::broken_rule;
use super::ticket::Finding;
use crate::api::{
    BalanceBody, BalanceRequest, BotsRequest, LobbyPlayer, MapPlayersRequest, Object, PickRequest,
    PlaceBody, PlaceRequest, TeamLists, Weight, Whole,
};
use crate::balance::{
    Bots, Match, MissingWeight, Pick, Placed, Player, Policy, Power, Verdict, Weigh, balance, place,
};
use crate::domain::{FieldProblem, PlayerId, Rating, Side, TeamLetter};
use crate::service::splits::last::ratings_now;
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
    ) -> Result<BalanceBody, ServiceError> {
        let subject = Subject::new(pool, &request.server, request.policy.as_ref())?;
        let (team_a, team_b) = match request.lists() {
            TeamLists::Two(team_a, team_b) => (team_a, team_b),
            TeamLists::Teams(teams) => {
                let answer = self.balance_several(&subject, request, teams).await?;
                return Ok(BalanceBody::Teams(Box::new(answer)));
            }
        };
        let lists = [
            ("team_a", team_a),
            ("team_b", team_b),
            ("joining", &*request.joining),
        ];
        let [team_a, team_b, joining] = self.rated_players(&subject, lists).await?;
        let state = Match {
            team_a,
            team_b,
            modes: request.modes.clone(),
            seconds_left: request.seconds_left.map(Whole::get),
            bots: bots(request.bots.as_ref(), request.map_players),
            pick: request.pick.map(drawn),
        };
        let judging = compute(&subject, move |policy, theta| {
            judge_joined(state, joining, policy, theta)
        });
        let (placed, verdict) = judging.await?;
        self.record_verdict(&subject, &verdict).await;
        let finding = Finding {
            rules: (verdict.reasons.iter())
                .map(|reason| broken_rule(reason).rule)
                .collect(),
            moves: (verdict.moves.iter())
                .map(|one| (one.id, letter(one.from.other())))
                .collect(),
        };
        let now = self.clock.now();
        let wait_seconds = subject.policy.wait_seconds;
        let recheck = finding.since(request.ticket.as_ref(), wait_seconds, now);
        let order: Vec<PlayerId> = request.joining.iter().map(|player| player.id).collect();
        let placed = in_order(&order, &placed);
        let answer = describe_verdict(&subject, &verdict, &placed, recheck);
        Ok(BalanceBody::Two(Box::new(answer)))
    }

    /// Which teams those should go to who join a match, by the ratings and policies of `pool`.
    /// Writes nothing.
    pub async fn place_joining(
        &self,
        pool: &Pool,
        request: &PlaceRequest,
    ) -> Result<PlaceBody, ServiceError> {
        let subject = Subject::new(pool, &request.server, request.policy.as_ref())?;
        let (team_a, team_b) = match request.lists() {
            TeamLists::Two(team_a, team_b) => (team_a, team_b),
            TeamLists::Teams(teams) => {
                let answer = self.place_several(&subject, request, teams).await?;
                return Ok(PlaceBody::Teams(Box::new(answer)));
            }
        };
        let lists = [
            ("team_a", team_a),
            ("team_b", team_b),
            ("joining", &*request.joining),
        ];
        let [team_a, team_b, joining] = self.rated_players(&subject, lists).await?;
        let state = Match {
            team_a,
            team_b,
            bots: bots(request.bots.as_ref(), request.map_players),
            pick: request.pick.map(drawn),
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
        let answer = describe_placement(&subject, &order, &placement);
        Ok(PlaceBody::Two(Box::new(answer)))
    }

    /// The players of each list with their ratings.
    async fn rated_players<const COUNT: usize>(
        &self,
        subject: &Subject<'_>,
        lists: Lists<'_, COUNT>,
    ) -> Result<[Vec<Player>; COUNT], ServiceError> {
        check_weights(subject, &lists)?;
        let all = lists.iter().flat_map(|(_, players)| players.iter());
        let ids: Vec<PlayerId> = all.map(|player| player.id).collect();
        let mut tx = self.store.begin_read().await?;
        let rated = ratings_now(&mut tx, subject.pool, &ids).await?.into_iter();
        let ratings: HashMap<PlayerId, Rating> =
            rated.map(|rated| (rated.player, rated.rating)).collect();
        Ok(lists.map(|(_, sent)| players(sent, &ratings)))
    }
}

/// The verdict on a match after those who have no team have been placed, and where.
fn judge_joined(
    mut state: Match,
    joining: Vec<Player>,
    policy: &Policy,
    theta: f64,
) -> Result<(Vec<Placed>, Verdict), MissingWeight> {
    let mut placed = Vec::new();
    if !joining.is_empty() {
        // The draw, if there is one, is among the moves.
        let pick = state.pick.take();
        placed = place(&state, &joining, policy, theta)?.placed;
        state.pick = pick;
        for player in joining {
            let seat = placed.iter().find(|placed| placed.id == player.id);
            match seat.map(|placed| placed.team) {
                Some(Side::A) => state.team_a.push(player),
                Some(Side::B) => state.team_b.push(player),
                None => {}
            }
        }
    }
    let verdict = balance(&state, policy, theta)?;
    Ok((placed, verdict))
}

/// Computes off the threads that answer requests.
pub(super) async fn compute<T: Send + 'static>(
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
pub(super) fn check_weights<Field: Display>(
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

pub(super) fn players(sent: &[LobbyPlayer], ratings: &HashMap<PlayerId, Rating>) -> Vec<Player> {
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

fn bots(sent: Option<&Object<BotsRequest>>, map: Option<Object<MapPlayersRequest>>) -> Bots {
    let map_players = map.map(|Object(map)| (map.least.count(), map.most.count()));
    let Some(Object(bots)) = sent else {
        return Bots {
            map_players,
            ..Bots::default()
        };
    };
    let powers = |weights: Option<&Vec<Weight>>| -> Option<Vec<Power>> {
        let powers = weights?.iter();
        let powers = powers.filter_map(|weight| Power::new(weight.get()));
        Some(powers.collect())
    };
    let on = |count: Option<Whole<0, 64>>, weights: Option<&Vec<Weight>>| {
        let each = powers(weights);
        let counted = count.map_or(0, Whole::count);
        (
            each.as_ref().map_or(counted, Vec::len),
            each.map(|each| each.into_iter().sum()),
        )
    };
    let (a, sum_a) = on(bots.a, bots.weights_a.as_ref());
    let (b, sum_b) = on(bots.b, bots.weights_b.as_ref());
    Bots {
        a,
        b,
        sum_a,
        sum_b,
        weight: bots.weight.and_then(|weight| Power::new(weight.get())),
        map_players,
    }
}

/// A draw as it was sent.
pub(super) fn drawn(Object(pick): Object<PickRequest>) -> Pick {
    Pick {
        of: pick.of.count(),
        seed: u64::from(pick.seed.get()),
    }
}

fn letter(side: Side) -> TeamLetter {
    TeamLetter::at(match side {
        Side::A => 0,
        Side::B => 1,
    })
}
