use super::answer::{Subject, describe_placement, describe_verdict, in_order};
use super::bot_levels::BotLevels;
use super::players::Surroundings;
use super::reason::broken_rule;
use super::ticket::Finding;
use crate::api::{
    BalanceBody, BalanceRequest, BotsRequest, MapPlayersRequest, Object, PickRequest, PlaceBody,
    PlaceRequest, TeamLists, Weight, Whole,
};
use crate::balance::{
    Bots, Match, MissingWeight, Pick, Placed, Player, Policy, Power, Verdict, balance, place,
};
use crate::domain::{Fingerprint, PlayerId, Side, TeamLetter};
use crate::service::powers::choice::PowerWish;
use crate::service::{Pool, Service, ServiceError};
use crate::turns::Asker;

impl Service {
    /// Whether the teams of a match are unbalanced by the ratings and policies of `pool`, and who
    /// should change teams. Where they are, that is recorded as an intervention. Computations take turns by the
    /// `client`, and by the server within it.
    pub async fn balance_match(
        &self,
        pool: &Pool,
        request: &BalanceRequest,
        client: Fingerprint,
    ) -> Result<BalanceBody, ServiceError> {
        let asked = (&request.server, client);
        let subject = Subject::new(pool, asked, request.policy.as_ref())?;
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
        let wish = PowerWish::from(request);
        let levels = BotLevels::of(&subject, request.bots.as_ref())?;
        let surroundings = Surroundings {
            map: request.map.as_ref(),
            bots: &levels.fixed,
        };
        let known = self
            .match_players(&subject, wish, surroundings, &lists)
            .await?;
        let (team_a, team_b) = (known.of(team_a), known.of(team_b));
        let joining = known.of(&request.joining);
        let policy = known.policy(subject.policy);
        let subject = Subject {
            policy: &policy,
            ..subject
        };
        levels.check_policy(&subject)?;
        let state = Match {
            team_a,
            team_b,
            modes: request.modes.clone(),
            seconds_left: request.seconds_left.map(Whole::get),
            bots: levels.over(bots(request.bots.as_ref(), request.map_players)),
            pick: request.pick.map(drawn),
            handicap: known.handicap,
        };
        let judging = self.judge(&subject, move |policy, theta| {
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
        let answer = describe_verdict(&subject, known.weighed.as_ref(), &verdict, &placed, recheck);
        Ok(BalanceBody::Two(Box::new(answer)))
    }

    /// Which teams those should go to who join a match, by the ratings and policies of `pool`.
    /// Writes nothing. Computations take turns by the `client`, and by the server within it.
    pub async fn place_joining(
        &self,
        pool: &Pool,
        request: &PlaceRequest,
        client: Fingerprint,
    ) -> Result<PlaceBody, ServiceError> {
        let asked = (&request.server, client);
        let subject = Subject::new(pool, asked, request.policy.as_ref())?;
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
        let wish = PowerWish::from(request);
        let levels = BotLevels::of(&subject, request.bots.as_ref())?;
        let surroundings = Surroundings {
            map: request.map.as_ref(),
            bots: &levels.fixed,
        };
        let known = self
            .match_players(&subject, wish, surroundings, &lists)
            .await?;
        let (team_a, team_b) = (known.of(team_a), known.of(team_b));
        let joining = known.of(&request.joining);
        let policy = known.policy(subject.policy);
        let subject = Subject {
            policy: &policy,
            ..subject
        };
        levels.check_policy(&subject)?;
        let state = Match {
            team_a,
            team_b,
            bots: levels.over(bots(request.bots.as_ref(), request.map_players)),
            pick: request.pick.map(drawn),
            handicap: known.handicap,
            ..Match::default()
        };
        let placement = self
            .judge(&subject, move |policy, theta| {
                place(&state, &joining, policy, theta)
            })
            .await?;
        let placed = placement.placed.len();
        self.metrics
            .players_placed(&pool.name, subject.policy_name, placed);
        let order: Vec<PlayerId> = request.joining.iter().map(|player| player.id).collect();
        let answer = describe_placement(&subject, known.weighed.as_ref(), &order, &placement);
        Ok(PlaceBody::Two(Box::new(answer)))
    }

    /// Runs `task` in the turn of the subject's client and server, with the subject's policy and theta.
    pub(super) async fn judge<T: Send + 'static>(
        &self,
        subject: &Subject<'_>,
        task: impl FnOnce(&Policy, f64) -> Result<T, MissingWeight> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (policy, theta) = (subject.policy.clone(), subject.theta());
        let asker = Asker::new(subject.client, subject.server.as_str());
        let computing = self
            .processors
            .compute(asker, move |_| task(&policy, theta));
        // The weights were checked before, so a missing one is a bug.
        computing.await?.map_err(ServiceError::internal)
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

fn bots(sent: Option<&Object<BotsRequest>>, map: Option<Object<MapPlayersRequest>>) -> Bots {
    let map_players = map.map(|Object(map)| (map.least.count(), map.most.count()));
    let Some(Object(bots)) = sent else {
        return Bots {
            map_players,
            ..Bots::default()
        };
    };
    let powers = |weights: Option<&Vec<Weight>>| -> Option<Vec<Power>> {
        let powers = weights?
            .iter()
            .filter_map(|weight| Power::new(weight.get()));
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
        are_rated: false,
    }
}

/// A draw as it was sent.
pub(in crate::service) fn drawn(Object(pick): Object<PickRequest>) -> Pick {
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
