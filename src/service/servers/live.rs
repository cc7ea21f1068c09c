//! Matches that game servers play now, and why their teams are as they are.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::seen::Seen;
use crate::api::{
    BalanceRequest, LiveAnswer, LiveMatchAnswer, LivePlayerAnswer, PairAnswer, PlacedAnswer,
    SplitAnswer, TeamLists,
};
use crate::domain::{
    MapName, NoticeKind, PartyName, PlayerId, PoolName, Probability, ServerName, Side, TeamBots,
    Timestamp,
};
use crate::rating::Conditions;
use crate::service::phrases::live::{advice, parties, why};
use crate::service::players::names::Names;
use crate::service::players::now::read_current_players;
use crate::service::sides::Sides;
use crate::service::splits::recent_rounds::{EVENING, last_rounds, last_table};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{LoggedRound, Tx};

/// Two teams of a game server: sent for balance, made by a scramble, or at the end of a round.
#[derive(Clone, Debug)]
pub(super) struct Teams {
    at: Timestamp,
    sides: Sides,
    bots: TeamBots,
    parties: Vec<Vec<PlayerId>>,
    /// Win probability of team a that a scramble predicted; `None` for other teams.
    predicted_a: Option<Probability>,
}

impl Service {
    /// Remembers the map of a game server's greeting.
    pub fn note_map(&self, server: &ServerName, map: Option<&MapName>) {
        self.servers_seen
            .change(server, |seen| seen.map = map.cloned());
    }

    /// Remembers the teams of a game server's match, with the joining players whom the answer has `placed`.
    pub(in crate::service) fn note_teams(
        &self,
        pool: &Pool,
        request: &BalanceRequest,
        bots: &TeamBots,
        placed: &[PlacedAnswer],
    ) {
        let TeamLists::Two(a, b) = request.lists() else {
            return;
        };
        if request.hypothetical {
            return;
        }
        let mut sides = Sides::of_teams([a, b].map(|team| team.iter().map(|player| player.id)));
        sides.0.extend(placed.iter().map(|one| (one.id, one.team)));
        let mut parties: BTreeMap<&PartyName, Vec<PlayerId>> = BTreeMap::new();
        for player in a.iter().chain(b).chain(&request.joining) {
            if let Some(party) = &player.party {
                parties.entry(party).or_default().push(player.id);
            }
        }
        let teams = Arc::new(Teams {
            at: self.clock.now(),
            sides,
            bots: bots.clone(),
            parties: parties.into_values().collect(),
            predicted_a: None,
        });
        self.servers_seen.change(&request.server, |seen| {
            seen.teams = Some((pool.name.clone(), teams));
            seen.map = request.map.clone().or(seen.map.take());
        });
    }

    /// Lists the matches that game servers play now, in one pool or in all pools.
    pub async fn list_live(&self, pool: Option<&PoolName>) -> Result<LiveAnswer, ServiceError> {
        if let Some(pool) = pool {
            self.pool(Some(pool), None)?;
        }
        let since = self.clock.now().earlier(EVENING);
        let mut known = self.list_servers(None, |_| None).await?.servers;
        known.retain(|one| one.last_seen_at >= Some(since));
        // Of a server with rounds in several pools, the pool of the last round counts.
        known.sort_by_key(|one| one.last_round_at);
        let pool_of: BTreeMap<ServerName, PoolName> = known
            .into_iter()
            .map(|one| (one.server, one.pool))
            .collect();
        let (_, mut seen) = self.servers_seen.all();
        let mut matches = Vec::new();
        for (server, played_in) in pool_of {
            let seen = seen.remove(&server).unwrap_or_default();
            let sent_for = seen.teams.as_ref().map(|(pool, _)| pool.clone());
            let played_in = sent_for.unwrap_or(played_in);
            if pool.is_none_or(|pool| *pool == played_in) {
                let pool = self.pool(Some(&played_in), None)?;
                matches.push(self.live_match(&pool, server, seen).await?);
            }
        }
        Ok(LiveAnswer { matches })
    }

    async fn live_match(
        &self,
        pool: &Pool,
        server: ServerName,
        seen: Seen,
    ) -> Result<LiveMatchAnswer, ServiceError> {
        let now = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let notices = tx.notices(&server, now).await?.into_iter();
        let mut asked = notices.filter(|notice| notice.kind == NoticeKind::Scramble);
        let round = last_rounds(&mut tx, pool, &server, now, 1).await?.pop();
        let map = round
            .as_ref()
            .and_then(|one| one.logged.round.parts().map.clone());
        let table = last_table(&mut tx, pool, &server, now)
            .await?
            .map(|record| record.table);
        let mut answer = LiveMatchAnswer {
            server,
            pool: pool.name.clone(),
            map: seen.map.or(map),
            teams_at: None,
            win_probability: None,
            players: Vec::new(),
            scramble_asked_at: asked.next().map(|notice| notice.made_at),
            message: "No teams are known yet. The plugin sends them with its next request for balance or a scramble, \
                      and with its next round."
                .to_owned(),
        };
        let played = round.map(|recorded| Teams::of_round(&recorded.logged));
        let split = table.as_ref().and_then(|table| {
            let split = table.splits.last()?;
            Some(Teams::of_split(
                split,
                Sides::of_split(split),
                table.computed_at,
            ))
        });
        let sent = seen.teams.map(|(_, sent)| Arc::unwrap_or_clone(sent));
        let known = [played.clone(), split, sent].into_iter().flatten();
        let recent = known.filter(|teams| teams.at >= now.earlier(EVENING));
        let Some(teams) = recent.max_by_key(|teams| teams.at) else {
            return Ok(answer);
        };
        let made = table.as_ref().and_then(|table| {
            let (split, sides) = teams.sides.made_by(table)?;
            Some(Teams::of_split(split, sides, table.computed_at))
        });
        let earlier = made.or_else(|| {
            let played = played?;
            let (sides, _) = played.sides.turned_to(&teams.sides);
            Some(Teams { sides, ..played })
        });
        self.explain(tx, pool, &teams, earlier.as_ref(), &mut answer)
            .await?;
        Ok(answer)
    }

    /// Adds the odds and the players of the present `teams` to `answer`, and why they are as they are.
    async fn explain(
        &self,
        mut tx: Tx,
        pool: &Pool,
        teams: &Teams,
        earlier: Option<&Teams>,
        answer: &mut LiveMatchAnswer,
    ) -> Result<(), ServiceError> {
        let now = self.clock.now();
        let before = earlier.map_or(&teams.sides, |earlier| &earlier.sides);
        let mut all = before.0.clone();
        all.extend(&teams.sides.0);
        let ids: Vec<PlayerId> = all.keys().copied().collect();
        let lobby = read_current_players(&mut tx, pool, &ids).await?;
        let names = Names::of(&mut tx, ids).await?;
        drop(tx);
        let conditions = Conditions {
            map: answer.map.as_ref(),
            bots: &teams.bots,
            at: now,
            parameters: &pool.settings.parameters,
        };
        let rosters = [Side::A, Side::B].map(|side| teams.sides.team(side));
        let odds_a = lobby.odds(rosters, &conditions)?;
        let mut players: Vec<LivePlayerAnswer> = all
            .iter()
            .zip(&lobby.players)
            .map(|((id, team), player)| LivePlayerAnswer {
                id: *id,
                name: names.of_player(*id),
                rating: player.record.rating,
                team: *team,
                change: before.change(*id, teams.sides.0.get(id).copied()),
            })
            .collect();
        players.sort_by_key(|player| (Reverse(player.rating), player.id));
        let from = earlier.map_or(now.earlier(EVENING), |earlier| earlier.at);
        let server = Some(answer.server.clone());
        let interventions = self.list_interventions(pool, server, (Some(from), None), None, 1);
        let last = interventions.await?.interventions.pop();

        let ago = |at| now.duration_since(at);
        let since = earlier.map(|earlier| (ago(earlier.at), earlier.predicted_a));
        let with_parties = earlier.filter(|_| teams.parties.is_empty());
        let mut sentences = vec![why(odds_a, since, &players)];
        sentences.extend(parties(&with_parties.unwrap_or(teams).parties, &players));
        sentences.extend(last.map(|last| advice(&last, ago(last.last_asked_at))));
        answer.teams_at = Some(teams.at);
        answer.win_probability = Some(PairAnswer::odds(odds_a));
        answer.players = players;
        answer.message = sentences.join(" ");
        Ok(())
    }
}

impl Teams {
    fn of_round(logged: &LoggedRound) -> Self {
        let round = &logged.round;
        Self {
            // The clock of a game server may be ahead.
            at: round.ended_at().min(logged.received_at),
            sides: Sides::of_round(round),
            bots: round.parts().bots.clone(),
            parties: Vec::new(),
            predicted_a: None,
        }
    }

    fn of_split(split: &SplitAnswer, sides: Sides, at: Timestamp) -> Self {
        Self {
            at,
            sides,
            bots: TeamBots::default(),
            parties: split.parties.kept.clone(),
            predicted_a: Some(split.win_probability_a),
        }
    }
}
