//! Matches whose teams came as `teams`, of which there may be more than two.

use std::collections::HashMap;

use super::answer::{Subject, ineligible};
use super::bot_levels::BotLevels;
use super::evaluate::drawn;
use super::players::{MatchPlayers, Surroundings};
use super::reason::{broken_rule, suppression};
use super::ticket::Finding;
use super::{BALANCED, SUPPRESSED};
use crate::api::{
    BalanceRequest, BalanceTeamsAnswer, BotsRequest, LobbyPlayer, MapPlayersRequest, Object,
    OtherTeamSeatsAnswer, PlaceRequest, PlaceTeamsAnswer, PlacedInTeamAnswer, TeamMoveAnswer,
    TeamRunnerUpAnswer, TeamTalliesAnswer, TeamTallyAnswer, Whole,
};
use crate::balance::{
    PlacedInTeam, Player, Power, TeamMatch, TeamMove, TeamPlacement, TeamSeats, TeamTallies,
    TeamVerdict, balance_teams, place_in_teams,
};
use crate::domain::{InterventionResult, PlayerId, TeamBots, TeamLetter};
use crate::service::phrases::teams as phrases;
use crate::service::powers::choice::PowerWish;
use crate::service::powers::weighed::Weighed;
use crate::service::{Service, ServiceError};

impl Service {
    /// Whether several teams are unbalanced, and who should change teams, after those who have no team
    /// have got one. Is counted, and not recorded as an intervention: those are of two teams.
    pub(crate) async fn balance_several(
        &self,
        subject: &Subject<'_>,
        request: &BalanceRequest,
        teams: &[Vec<LobbyPlayer>],
    ) -> Result<BalanceTeamsAnswer, ServiceError> {
        let wish = PowerWish::from(request);
        let (known, state, joining) = self
            .team_match(subject, wish, teams, &request.joining)
            .await?;
        let policy = known.policy(subject.policy);
        let subject = &Subject {
            policy: &policy,
            ..*subject
        };
        let levels = BotLevels::of(subject, request.bots.as_ref())?;
        levels.check_policy(subject)?;
        let weighed = known.weighed.as_ref();
        let state = TeamMatch {
            modes: request.modes.clone(),
            seconds_left: request.seconds_left.map(Whole::get),
            ..with_bots(
                state,
                request.bots.as_ref(),
                levels.weight,
                request.map_players,
            )
        };
        let pick = request.pick.map(drawn);
        let judging = self.judge(subject, move |policy, theta| {
            let (mut state, mut placed) = (state, Vec::new());
            if !joining.is_empty() {
                placed = place_in_teams(&state, &joining, policy, theta)?.best.placed;
                for player in joining {
                    let seat = placed.iter().find(|placed| placed.id == player.id);
                    if let Some(seat) = seat {
                        state.teams[seat.team].push(player);
                    }
                }
            }
            let mut verdict = balance_teams(&state, policy, theta)?;
            if let Some(pick) = pick {
                verdict.pick(pick);
            }
            Ok((placed, verdict))
        });
        let (placed, verdict) = judging.await?;
        let reasons: Vec<_> = verdict.reasons.iter().map(broken_rule).collect();
        let rules = reasons.iter().map(|reason| reason.rule.as_str());
        self.metrics.balance_answered(
            &subject.pool.name,
            subject.policy_name,
            result(&verdict),
            rules,
        );
        let policy = subject.policy;
        let moves = verdict.moves.iter();
        let finding = Finding {
            rules: reasons.iter().map(|reason| reason.rule.clone()).collect(),
            moves: moves.map(|one| (one.id, TeamLetter::at(one.to))).collect(),
        };
        let now = self.clock.now();
        let recheck = finding.since(request.ticket.as_ref(), policy.wait_seconds, now);
        let theta = subject.theta();
        let something_to_do = !verdict.moves.is_empty() || !verdict.fills_already();
        let runners_up = verdict.runners_up.iter().map(|other| TeamRunnerUpAnswer {
            moves: other.moves.iter().map(team_move).collect(),
            after: tallies(&other.after, theta),
            balanced_after: other.balanced_after,
        });
        Ok(BalanceTeamsAnswer {
            server: subject.server.clone(),
            pool: subject.pool.name.clone(),
            policy: subject.policy_name.clone(),
            by: weighed.map(|weighed| weighed.by.clone()),
            powers: weighed.map(Weighed::answers).unwrap_or_default(),
            unbalanced: !verdict.reasons.is_empty(),
            reasons: reasons.into_iter().map(Into::into).collect(),
            suppressed: verdict.suppressions.iter().map(suppression).collect(),
            say: phrases::verdict(&verdict, &placed),
            placed: in_order(&request.joining, &placed),
            moves: verdict.moves.iter().map(team_move).collect(),
            before: tallies(&verdict.before, theta),
            after: tallies(&verdict.after, theta),
            balanced_after: verdict.balanced_after,
            optimal: verdict.optimal,
            runners_up: runners_up.collect(),
            ineligible: verdict.ineligible.iter().map(ineligible).collect(),
            bot_weight: bot_weight(subject, request.bots.as_ref(), levels.weight),
            apply_within_seconds: something_to_do.then_some(policy.apply_within_seconds),
            apply_on_death: policy.apply_on_death,
            ticket: recheck.ticket,
            ask_again_in_seconds: recheck.ask_again_in_seconds,
            since_ticket: recheck.since_ticket,
        })
    }

    /// Which of several teams those should go to who join. Writes nothing.
    pub(crate) async fn place_several(
        &self,
        subject: &Subject<'_>,
        request: &PlaceRequest,
        teams: &[Vec<LobbyPlayer>],
    ) -> Result<PlaceTeamsAnswer, ServiceError> {
        let wish = PowerWish::from(request);
        let (known, state, joining) = self
            .team_match(subject, wish, teams, &request.joining)
            .await?;
        let policy = known.policy(subject.policy);
        let subject = &Subject {
            policy: &policy,
            ..*subject
        };
        let levels = BotLevels::of(subject, request.bots.as_ref())?;
        levels.check_policy(subject)?;
        let weighed = known.weighed.as_ref();
        let state = with_bots(
            state,
            request.bots.as_ref(),
            levels.weight,
            request.map_players,
        );
        let pick = request.pick.map(drawn);
        let placing = self.judge(subject, move |policy, theta| {
            let mut placement = place_in_teams(&state, &joining, policy, theta)?;
            if let Some(pick) = pick {
                placement.pick(pick);
            }
            Ok(placement)
        });
        let TeamPlacement {
            before,
            best,
            optimal,
            runners_up,
            ..
        } = placing.await?;
        self.metrics
            .players_placed(&subject.pool.name, subject.policy_name, best.placed.len());
        let theta = subject.theta();
        let seats = |seats: &TeamSeats| OtherTeamSeatsAnswer {
            placed: in_order(&request.joining, &seats.placed),
            after: tallies(&seats.after, theta),
        };
        Ok(PlaceTeamsAnswer {
            server: subject.server.clone(),
            pool: subject.pool.name.clone(),
            policy: subject.policy_name.clone(),
            by: weighed.map(|weighed| weighed.by.clone()),
            powers: weighed.map(Weighed::answers).unwrap_or_default(),
            say: phrases::placement(&best),
            placed: in_order(&request.joining, &best.placed),
            before: tallies(&before, theta),
            after: tallies(&best.after, theta),
            optimal,
            runners_up: runners_up.iter().map(seats).collect(),
            bot_weight: bot_weight(subject, request.bots.as_ref(), levels.weight),
        })
    }

    /// The teams and those who join, and what is known of them.
    async fn team_match(
        &self,
        subject: &Subject<'_>,
        wish: PowerWish<'_>,
        teams: &[Vec<LobbyPlayer>],
        joining: &[LobbyPlayer],
    ) -> Result<(MatchPlayers, TeamMatch, Vec<Player>), ServiceError> {
        let named = teams
            .iter()
            .enumerate()
            .map(|(place, team)| (format!("teams/{place}"), team.as_slice()));
        let mut lists: Vec<(String, &[LobbyPlayer])> = named.collect();
        lists.push(("joining".to_owned(), joining));
        let surroundings = Surroundings {
            map: None,
            bots: &TeamBots::default(),
        };
        let known = self
            .match_players(subject, wish, surroundings, &lists)
            .await?;
        let state = TeamMatch {
            teams: teams.iter().map(|team| known.of(team)).collect(),
            ..TeamMatch::default()
        };
        let joining = known.of(joining);
        Ok((known, state, joining))
    }
}

/// The match with the bots that were sent.
fn with_bots(
    state: TeamMatch,
    bots: Option<&Object<BotsRequest>>,
    level: Option<Power>,
    map: Option<Object<MapPlayersRequest>>,
) -> TeamMatch {
    let counts = bots.and_then(|Object(bots)| bots.teams.as_ref());
    TeamMatch {
        bots: (counts.into_iter().flatten().copied())
            .map(Whole::count)
            .collect(),
        bot_weight: level.or(sent_weight(bots)),
        map_players: map.map(|Object(map)| (map.least.count(), map.most.count())),
        ..state
    }
}

fn sent_weight(bots: Option<&Object<BotsRequest>>) -> Option<Power> {
    let weight = bots.and_then(|Object(bots)| bots.weight);
    weight.and_then(|weight| Power::new(weight.get()))
}

/// What a bot is taken to weigh, where the policy fills up with bots.
fn bot_weight(
    subject: &Subject,
    bots: Option<&Object<BotsRequest>>,
    level: Option<Power>,
) -> Option<f64> {
    let filling = subject.policy.bots()?;
    let weight = level.or(sent_weight(bots)).unwrap_or(filling.bot_weight);
    Some(weight.points())
}

/// The result, as metrics name it.
fn result(verdict: &TeamVerdict) -> &'static str {
    if !verdict.suppressions.is_empty() {
        SUPPRESSED
    } else if verdict.reasons.is_empty() {
        BALANCED
    } else {
        InterventionResult::of(!verdict.moves.is_empty(), verdict.balanced_after).as_str()
    }
}

/// Everybody who joins, in the order sent.
fn in_order(sent: &[LobbyPlayer], placed: &[PlacedInTeam]) -> Vec<PlacedInTeamAnswer> {
    let seats: HashMap<PlayerId, usize> = placed
        .iter()
        .map(|placed| (placed.id, placed.team))
        .collect();
    let answers = sent.iter().filter_map(|player| {
        Some(PlacedInTeamAnswer {
            id: player.id,
            team: TeamLetter::at(*seats.get(&player.id)?),
        })
    });
    answers.collect()
}

fn team_move(one: &TeamMove) -> TeamMoveAnswer {
    TeamMoveAnswer {
        id: one.id,
        from: TeamLetter::at(one.from),
        to: TeamLetter::at(one.to),
    }
}

fn tallies(tallies: &TeamTallies, theta: f64) -> TeamTalliesAnswer {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let teams = tallies
        .0
        .iter()
        .enumerate()
        .map(|(place, team)| TeamTallyAnswer {
            team: TeamLetter::at(place),
            size: count(team.size),
            bots: count(team.bots),
            sum: team.power.points(),
            rating: team.rating,
        });
    TeamTalliesAnswer {
        teams: teams.collect(),
        spread: tallies.spread().points(),
        favourite: tallies.favourite(theta),
    }
}
