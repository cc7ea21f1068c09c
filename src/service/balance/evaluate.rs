use std::collections::HashMap;

use super::Subject;
use super::bot_levels::BotLevels;
use super::form::{BalanceAnswerOf, Form, PlaceAnswerOf, VerdictOf};
use super::players::MatchPlayers;
use super::reason::{broken_rule, suppression};
use super::ticket::recheck;
use super::{BALANCED, SUPPRESSED};
use crate::api::{
    BalanceBody, BalanceRequest, BalanceTicket, BotsRequest, IneligibleAnswer, LobbyPlayer, Object,
    PickRequest, PlaceBody, RunnerUpAnswer, TeamLists, Weight, Whole,
};
use crate::balance::{
    Bots, Ineligible, Match, MissingWeight, Pick, Player, Policy, Power, Reason, TeamMatch,
};
use crate::domain::{Fingerprint, InterventionResult, PlayerId};
use crate::rating::Conditions;
use crate::service::powers::choice::PowerWish;
use crate::service::powers::weighed::Weighed;
use crate::service::{Pool, Service, ServiceError};
use crate::store::BrokenRule;
use crate::turns::Requester;

/// Match in a balance request, with the ratings and powers of its players.
struct KnownMatch<'all> {
    request: &'all BalanceRequest,
    players: MatchPlayers,
    levels: BotLevels,
    /// Balance policy of the match, adjusted to the power (scoreboard value) by which the match weighs players.
    policy: Policy,
}

impl Service {
    /// Places the joining players, then returns whether the teams are unbalanced and which players should move.
    /// Records an intervention if a match of two teams is unbalanced, and remembers its teams unless the request is
    /// hypothetical. Computations are scheduled fairly between clients, and between the servers of a `client`.
    pub async fn balance_match(
        &self,
        pool: &Pool,
        request: &BalanceRequest,
        client: Fingerprint,
    ) -> Result<BalanceBody, ServiceError> {
        let subject = Subject::new(pool, (&request.server, client), request.policy.as_ref())?;
        let known = self.known_match(&subject, request).await?;
        let subject = subject.by(&known.policy);
        Ok(match request.lists() {
            TeamLists::Two(team_a, team_b) => {
                let state = known.two(team_a, team_b);
                let answer = self.judge(&subject, &known, state).await?;
                self.note_teams(pool, request, &known.levels.fixed, &answer.placed);
                self.tell_of_odds(pool, request, answer.before.sums.win_probability_a);
                BalanceBody::Two(Box::new(answer))
            }
            TeamLists::Teams(teams) => {
                let state = known.several(teams);
                BalanceBody::Teams(Box::new(self.judge(&subject, &known, state).await?))
            }
        })
    }

    /// Returns the team that each joining player should go to, by the ratings and policies of `pool`. Stores nothing.
    /// Computations are scheduled fairly between clients, and between the servers of a `client`.
    pub async fn place_joining(
        &self,
        pool: &Pool,
        request: &BalanceRequest,
        client: Fingerprint,
    ) -> Result<PlaceBody, ServiceError> {
        let subject = Subject::new(pool, (&request.server, client), request.policy.as_ref())?;
        let known = self.known_match(&subject, request).await?;
        let subject = subject.by(&known.policy);
        Ok(match request.lists() {
            TeamLists::Two(team_a, team_b) => {
                let state = known.two(team_a, team_b);
                let answer = self.seat(&subject, &known, state).await?;
                self.note_teams(pool, request, &known.levels.fixed, &answer.placed);
                PlaceBody::Two(Box::new(answer))
            }
            TeamLists::Teams(teams) => {
                let state = known.several(teams);
                PlaceBody::Teams(Box::new(self.seat(&subject, &known, state).await?))
            }
        })
    }

    async fn known_match<'all>(
        &self,
        subject: &Subject<'_>,
        request: &'all BalanceRequest,
    ) -> Result<KnownMatch<'all>, ServiceError> {
        let mut lists: Vec<(String, &[LobbyPlayer])> = match request.lists() {
            TeamLists::Two(team_a, team_b) => {
                vec![("team_a".to_owned(), team_a), ("team_b".to_owned(), team_b)]
            }
            TeamLists::Teams(teams) => teams
                .iter()
                .enumerate()
                .map(|(place, team)| (format!("teams/{place}"), team.as_slice()))
                .collect(),
        };
        lists.push(("joining".to_owned(), &request.joining));
        let wish = PowerWish {
            by: request.by.as_ref(),
            mode: request.mode.as_ref(),
            mutators: &request.mutators,
        };
        let levels = BotLevels::of(subject, request.bots.as_ref())?;
        let conditions = Conditions {
            map: request.map.as_ref(),
            bots: &levels.fixed,
            at: self.clock.now(),
            parameters: &subject.pool.settings.parameters,
        };
        let players = self
            .match_players(subject, wish, &conditions, &lists)
            .await?;
        let policy = players.policy(subject.policy).into_owned();
        levels.check_policy(&subject.by(&policy))?;
        Ok(KnownMatch {
            request,
            players,
            levels,
            policy,
        })
    }

    /// Places the joining players on teams, then judges the match and describes whether it is unbalanced.
    async fn judge<F: Form>(
        &self,
        subject: &Subject<'_>,
        known: &KnownMatch<'_>,
        state: F,
    ) -> Result<BalanceAnswerOf<F>, ServiceError> {
        let request = known.request;
        let joining = known.players.of(&request.joining);
        let (placed, verdict) = self
            .compute(subject, move |policy, theta| {
                judge_joined(state, joining, policy, theta)
            })
            .await?;
        let reasons: Vec<BrokenRule> = verdict.reasons.iter().map(broken_rule).collect();
        self.metrics.balance_answered(
            &subject.pool.name,
            subject.policy_name,
            result::<F>(&verdict),
            reasons.iter().map(|reason| reason.rule.as_str()),
        );
        if let Some(verdict) = F::of_two(&verdict) {
            self.record_intervention(subject, verdict, &reasons).await;
        }
        let (policy, theta) = (subject.policy, subject.theta());
        let found = BalanceTicket {
            found_at: self.clock.now(),
            rules: reasons.iter().map(|reason| reason.rule.clone()).collect(),
            moves: verdict.moves.iter().map(F::goal).collect(),
        };
        let recheck = recheck(found, request.ticket.as_ref(), policy.wait_seconds);
        let something_to_do = !verdict.moves.is_empty() || verdict.reasons.contains(&Reason::Bots);
        let weighed = known.players.weighed.as_ref();
        let placed = in_order::<F>(&request.joining, &placed);
        Ok(BalanceAnswerOf::<F> {
            server: subject.server.clone(),
            pool: subject.pool.name.clone(),
            policy: subject.policy_name.clone(),
            by: weighed.map(|weighed| weighed.by.clone()),
            powers: weighed.map(Weighed::answers).unwrap_or_default(),
            unbalanced: !verdict.reasons.is_empty(),
            reasons: reasons.into_iter().map(Into::into).collect(),
            suppressed: verdict.suppressions.iter().map(suppression).collect(),
            placed: placed.iter().map(|one| F::seat(one, theta)).collect(),
            moves: F::moves(&verdict.moves, theta),
            before: F::teams(&verdict.before, theta),
            after: F::teams(&verdict.after, theta),
            balanced_after: verdict.balanced_after,
            optimal: verdict.optimal,
            runners_up: verdict
                .runners_up
                .iter()
                .map(|other| RunnerUpAnswer {
                    moves: F::moves(&other.moves, theta),
                    after: F::teams(&other.after, theta),
                    balanced_after: other.balanced_after,
                })
                .collect(),
            ineligible: verdict.ineligible.iter().map(ineligible).collect(),
            fill: verdict.fill.as_ref().map(F::fill),
            apply_within_seconds: something_to_do.then_some(policy.apply_within_seconds),
            apply_on_death: policy.apply_on_death,
            ticket: recheck.ticket,
            ask_again_in_seconds: recheck.ask_again_in_seconds,
            since_ticket: recheck.since_ticket,
            message: F::message(&placed, &verdict, subject),
        })
    }

    /// Computes and describes the team to which each joining player should go.
    async fn seat<F: Form>(
        &self,
        subject: &Subject<'_>,
        known: &KnownMatch<'_>,
        state: F,
    ) -> Result<PlaceAnswerOf<F>, ServiceError> {
        let request = known.request;
        let joining = known.players.of(&request.joining);
        let placement = self
            .compute(subject, move |policy, theta| {
                state.place(&joining, policy, theta)
            })
            .await?;
        self.metrics.players_placed(
            &subject.pool.name,
            subject.policy_name,
            placement.placed.len(),
        );
        let theta = subject.theta();
        let weighed = known.players.weighed.as_ref();
        let placed = in_order::<F>(&request.joining, &placement.placed);
        Ok(PlaceAnswerOf::<F> {
            server: subject.server.clone(),
            pool: subject.pool.name.clone(),
            policy: subject.policy_name.clone(),
            by: weighed.map(|weighed| weighed.by.clone()),
            powers: weighed.map(Weighed::answers).unwrap_or_default(),
            placed: placed.iter().map(|one| F::seat(one, theta)).collect(),
            before: F::teams(&placement.before, theta),
            after: F::teams(&placement.after, theta),
            optimal: placement.optimal,
            runners_up: placement
                .runners_up
                .iter()
                .map(|other| F::other(other, &request.joining, theta))
                .collect(),
            fill: placement.fill.as_ref().map(F::fill),
            message: F::placement_message(&placement, subject),
        })
    }

    /// Runs `task` on the shared processors when the fair queue reaches the client and server of the request.
    async fn compute<T: Send + 'static>(
        &self,
        subject: &Subject<'_>,
        task: impl FnOnce(&Policy, f64) -> Result<T, MissingWeight> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (policy, theta) = (subject.policy.clone(), subject.theta());
        let requester = Requester::new(subject.client, subject.server.as_str());
        let computing = self
            .processors
            .compute(requester, move |_| task(&policy, theta));
        // The weights have been validated, so a missing weight is a bug.
        computing.await?.map_err(ServiceError::internal)
    }
}

impl KnownMatch<'_> {
    fn two(&self, team_a: &[LobbyPlayer], team_b: &[LobbyPlayer]) -> Match {
        Match {
            team_a: self.players.of(team_a),
            team_b: self.players.of(team_b),
            modes: self.request.modes.clone(),
            seconds_left: self.request.seconds_left.map(Whole::get),
            bots: self.bots(),
            pick: self.request.pick.map(drawn),
            handicap: self.players.handicap,
        }
    }

    fn several(&self, teams: &[Vec<LobbyPlayer>]) -> TeamMatch {
        let bots = self.bots();
        let counts = self
            .request
            .bots
            .as_ref()
            .and_then(|Object(bots)| bots.teams.as_deref());
        TeamMatch {
            teams: teams.iter().map(|team| self.players.of(team)).collect(),
            modes: self.request.modes.clone(),
            seconds_left: self.request.seconds_left.map(Whole::get),
            bots: counts
                .into_iter()
                .flatten()
                .map(|count| count.count())
                .collect(),
            bot_weight: bots.weight,
            map_players: bots.map_players,
            pick: self.request.pick.map(drawn),
        }
    }

    fn bots(&self) -> Bots {
        let map_players = self
            .request
            .map_players
            .map(|Object(map)| (map.least.count(), map.most.count()));
        let sent = self.request.bots.as_ref().map(bots).unwrap_or_default();
        self.levels.over(Bots {
            map_players,
            ..sent
        })
    }
}

fn judge_joined<F: Form>(
    mut state: F,
    joining: Vec<Player>,
    policy: &Policy,
    theta: f64,
) -> Result<(Vec<F::Seat>, VerdictOf<F>), MissingWeight> {
    let mut placed = Vec::new();
    if !joining.is_empty() {
        // The random draw is meant for the moves, so the placement ignores the draw.
        let pick = state.pick().take();
        placed = state.place(&joining, policy, theta)?.placed;
        *state.pick() = pick;
        for player in joining {
            if let Some(seat) = placed.iter().find(|seat| F::id(seat) == player.id) {
                state.join(player, *seat);
            }
        }
    }
    let verdict = state.balance(policy, theta)?;
    Ok((placed, verdict))
}

/// Returns the result of judging a match, such as balanced or suppressed, as a value of a metrics label.
fn result<F: Form>(verdict: &VerdictOf<F>) -> &'static str {
    if !verdict.suppressions.is_empty() {
        SUPPRESSED
    } else if verdict.reasons.is_empty() {
        BALANCED
    } else {
        InterventionResult::of(!verdict.moves.is_empty(), verdict.balanced_after).as_str()
    }
}

/// Returns the assigned team of each joining player, in the order of the request's list `sent`.
pub(super) fn in_order<F: Form>(sent: &[LobbyPlayer], placed: &[F::Seat]) -> Vec<F::Seat> {
    let seats: HashMap<PlayerId, F::Seat> =
        placed.iter().map(|seat| (F::id(seat), *seat)).collect();
    sent.iter()
        .filter_map(|player| seats.get(&player.id).copied())
        .collect()
}

fn bots(Object(sent): &Object<BotsRequest>) -> Bots {
    let on = |count: Option<Whole<0, 64>>, weights: Option<&Vec<Weight>>| {
        let each: Option<Vec<Power>> = weights.map(|weights| {
            weights
                .iter()
                .filter_map(|weight| Power::new(weight.get()))
                .collect()
        });
        (
            each.as_ref()
                .map_or(count.map_or(0, Whole::count), Vec::len),
            each.map(|each| each.into_iter().sum()),
        )
    };
    let (a, sum_a) = on(sent.a, sent.weights_a.as_ref());
    let (b, sum_b) = on(sent.b, sent.weights_b.as_ref());
    Bots {
        a,
        b,
        sum_a,
        sum_b,
        weight: sent.weight.and_then(|weight| Power::new(weight.get())),
        ..Bots::default()
    }
}

pub(in crate::service) fn drawn(Object(pick): Object<PickRequest>) -> Pick {
    Pick {
        of: pick.of.count(),
        seed: u64::from(pick.seed.get()),
    }
}

fn ineligible((id, why): &(PlayerId, Ineligible)) -> IneligibleAnswer {
    IneligibleAnswer {
        id: *id,
        why: match why {
            Ineligible::Party => "party",
            Ineligible::Moved => "moved",
            Ineligible::Best => "best",
            Ineligible::Immune => "immune",
            Ineligible::JustJoined => "just_joined",
        },
    }
}
