//! Matches that game servers play now, and why their teams are as they are.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::seen::Seen;
use crate::api::{
    BalanceRequest, BotsRequest, LiveAnswer, LiveMatchAnswer, LivePlayerAnswer, Object, PairAnswer,
    PlacedAnswer, PlayerChange, TeamLists,
};
use crate::balance::Tally;
use crate::domain::{
    BotCounts, BotLevel, MapName, NoticeKind, PartyName, PlayerId, PlayerMap, PoolName,
    Probability, ServerName, Side, TeamBots, Timestamp,
};
use crate::rating::Conditions;
use crate::service::interventions::list::ROUND_WITHIN;
use crate::service::phrases::live::{Story, why};
use crate::service::players::names::Names;
use crate::service::players::now::{CurrentPlayers, read_current_players};
use crate::service::{Pool, Service, ServiceError};
use crate::store::split_tables::{SplitRecord, SplitTableRecord};
use crate::store::{InterventionFilter, LoggedRound, RoundFilter, StoreError, Tx};

/// Time after which a game server, a scramble or a round says nothing about a running match any more.
const RECENT: Duration = Duration::from_hours(3);
/// Minimum share, in percent, of the players known to a scramble who are still on its teams if it is in play.
const FOLLOWED: usize = 80;

/// Two teams of a game server: sent for balance, made by a scramble, or at the end of a round.
#[derive(Clone, Debug)]
pub(super) struct Teams {
    at: Timestamp,
    seats: PlayerMap<Side>,
    map: Option<MapName>,
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
    pub fn note_teams(&self, pool: &Pool, request: &BalanceRequest, placed: &[PlacedAnswer]) {
        let TeamLists::Two(a, b) = request.lists() else {
            return;
        };
        if request.hypothetical {
            return;
        }
        let mut parties: BTreeMap<&PartyName, Vec<PlayerId>> = BTreeMap::new();
        for player in a.iter().chain(b).chain(&request.joining) {
            if let Some(party) = &player.party {
                parties.entry(party).or_default().push(player.id);
            }
        }
        let placed = placed.iter().map(|one| (one.id, one.team));
        let mut seats = seats([a, b].map(|team| team.iter().map(|player| player.id)));
        seats.extend(placed);
        // The request was validated, so it does not have too many bots.
        let bots = |levels: fn(&BotsRequest) -> &Option<Vec<BotLevel>>| {
            let Object(bots) = request.bots.as_ref()?;
            BotCounts::of_each(levels(bots).as_deref()?).ok()
        };
        let mut teams = Teams::new(self.clock.now(), seats);
        teams.map.clone_from(&request.map);
        teams.bots.a = bots(|bots| &bots.levels_a).unwrap_or_default();
        teams.bots.b = bots(|bots| &bots.levels_b).unwrap_or_default();
        teams.parties = parties.into_values().collect();
        let teams = (pool.name.clone(), Arc::new(teams));
        self.servers_seen
            .change(&request.server, |seen| seen.teams = Some(teams));
    }

    /// Lists the matches that game servers play now, in one pool or in all pools.
    pub async fn list_live(&self, pool: Option<&PoolName>) -> Result<LiveAnswer, ServiceError> {
        if let Some(pool) = pool {
            self.pool(Some(pool), None)?;
        }
        let now = self.clock.now();
        let (_, mut seen) = self.servers_seen.all();
        let mut known = self.list_servers(None, |_| None).await?.servers;
        known.retain(|one| one.last_seen_at >= Some(now.earlier(RECENT)));
        // Of a server with rounds in several pools, the pool of the last round counts.
        known.sort_by_key(|one| one.last_round_at);
        let known = known.into_iter().map(|one| (one.server, one.pool));
        let known: BTreeMap<ServerName, PoolName> = known.collect();
        let mut matches = Vec::new();
        for (server, played_in) in known {
            let seen = seen.remove(&server).unwrap_or_default();
            let named = seen.teams.as_ref().map(|(pool, _)| pool.clone());
            let played_in = named.unwrap_or(played_in);
            if pool.is_none_or(|pool| played_in == *pool) {
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
        let from = now.earlier(RECENT);
        let mut tx = self.store.begin_read().await?;
        let earlier = earlier_teams(&mut tx, pool, &server, from).await?;
        let notices = tx.notices(&server, now).await?.into_iter();
        let mut asked = notices.filter(|notice| notice.kind == NoticeKind::Scramble);
        let map = earlier.iter().find_map(|teams| teams.map.clone());
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
        let sent = seen.teams.iter().map(|(_, sent)| &**sent);
        let sent = sent.filter(|sent| sent.at >= from);
        let Some(teams) = earlier
            .iter()
            .chain(sent)
            .max_by_key(|teams| teams.at)
            .cloned()
        else {
            return Ok(answer);
        };
        let earlier = teams.origin(earlier);
        let before = earlier.as_ref().map(|earlier| &earlier.seats);
        let left = before.into_iter().flat_map(PlayerMap::keys);
        let left = left.filter(|id| !teams.seats.contains_key(id));
        let ids: Vec<PlayerId> = teams.seats.keys().chain(left).copied().collect();
        let lobby = read_current_players(&mut tx, pool, &ids).await?;
        let odds_a = teams.odds(&lobby, pool, now);
        let names = Names::of(&mut tx, ids).await?;
        let filter = InterventionFilter {
            server: Some(answer.server.clone()),
            from: earlier.as_ref().map_or(from, |earlier| earlier.at),
        };
        let interventions = tx.list_interventions(pool.id, &filter, None, ROUND_WITHIN, 1);
        let advice = interventions.await?.pop();
        answer.teams_at = Some(teams.at);
        answer.win_probability = Some(PairAnswer::odds(odds_a));
        answer.players = teams.players(&lobby, &names, before);
        let ago = |at| now.duration_since(at);
        answer.message = why(&Story {
            odds_a,
            earlier: earlier
                .as_ref()
                .map(|teams| (teams.predicted_a, ago(teams.at))),
            players: &answer.players,
            parties: match &earlier {
                Some(earlier) if teams.parties.is_empty() => &earlier.parties,
                _ => &teams.parties,
            },
            advice: advice.map(|last| (ago(last.last_asked_at), last.answered.moves)),
        });
        Ok(answer)
    }
}

/// Returns the teams of the server's last round and of the splits of its last scramble since `from`, in this order.
async fn earlier_teams(
    tx: &mut Tx,
    pool: &Pool,
    server: &ServerName,
    from: Timestamp,
) -> Result<Vec<Teams>, StoreError> {
    let filter = RoundFilter {
        server: Some(server.clone()),
        from: Some(from),
        ..RoundFilter::default()
    };
    let round = tx.list_rounds(pool.id, &filter, None, 1).await?.pop();
    let mut teams: Vec<Teams> = round
        .iter()
        .map(|one| Teams::of_round(&one.logged))
        .collect();
    if let Some(text) = tx.split_table(server).await? {
        let table = SplitTableRecord::from_text(&text)?.table;
        if table.pool == pool.name && table.computed_at >= from {
            let splits = table.splits.into_iter();
            teams.extend(splits.map(|split| Teams::of_split(split, table.computed_at)));
        }
    }
    Ok(teams)
}

fn seats([a, b]: [impl Iterator<Item = PlayerId>; 2]) -> PlayerMap<Side> {
    let a = a.map(|id| (id, Side::A));
    a.chain(b.map(|id| (id, Side::B))).collect()
}

impl Teams {
    fn new(at: Timestamp, seats: PlayerMap<Side>) -> Self {
        Self {
            at,
            seats,
            map: None,
            bots: TeamBots::default(),
            parties: Vec::new(),
            predicted_a: None,
        }
    }

    fn of_round(
        LoggedRound {
            round, received_at, ..
        }: &LoggedRound,
    ) -> Self {
        let entries = round.entries().filter(|(_, entry)| entry.participated);
        let seats = entries.map(|(side, entry)| (entry.id, side)).collect();
        Self {
            map: round.parts().map.clone(),
            bots: round.parts().bots.clone(),
            // The clock of a game server may be ahead.
            ..Self::new(round.ended_at().min(*received_at), seats)
        }
    }

    fn of_split(split: SplitRecord, at: Timestamp) -> Self {
        let seats = seats([split.a, split.b].map(Vec::into_iter));
        Self {
            parties: split.parties.kept,
            predicted_a: Some(split.win_probability_a),
            ..Self::new(at, seats)
        }
    }

    /// Returns the teams from which these come: a split of the last scramble if it is in play, or else the last round's
    /// teams.
    fn origin(&self, earlier: Vec<Self>) -> Option<Self> {
        let turned = earlier.into_iter().map(|teams| teams.turned(&self.seats));
        let in_play = turned.filter(|(teams, kept, common)| {
            let is_followed = 100 * kept >= FOLLOWED * common && 2 * common >= self.seats.len();
            is_followed || teams.predicted_a.is_none()
        });
        let best = in_play.max_by_key(|(teams, kept, _)| (teams.predicted_a.is_some(), *kept));
        best.map(|(teams, ..)| teams)
    }

    /// Swaps the sides of these earlier teams if then fewer players have moved until `now`. Returns the teams, the
    /// number of players who have kept their team, and the number of players who are still there.
    fn turned(mut self, now: &PlayerMap<Side>) -> (Self, usize, usize) {
        let common = now
            .iter()
            .filter_map(|(id, side)| Some((self.seats.get(id)?, side)));
        let kept: Vec<bool> = common.map(|(before, now)| before == now).collect();
        let (common, kept) = (kept.len(), kept.into_iter().filter(|kept| *kept).count());
        if common > 2 * kept {
            for side in self.seats.values_mut() {
                *side = side.other();
            }
        }
        (self, kept.max(common - kept), common)
    }

    /// Returns the probability that team a wins, as the balance of a match computes it.
    fn odds(&self, lobby: &CurrentPlayers, pool: &Pool, now: Timestamp) -> Probability {
        let parameters = &pool.settings.parameters;
        let conditions = Conditions {
            map: self.map.as_ref(),
            bots: &self.bots,
            at: now,
            parameters,
        };
        let mut tally = Tally {
            handicap: lobby.handicap_of(self.seats.len(), &conditions),
            ..Tally::default()
        };
        for player in &lobby.players {
            let team = match self.seats.get(&player.record.id) {
                Some(Side::A) => &mut tally.a,
                Some(Side::B) => &mut tally.b,
                None => continue,
            };
            team.size += 1;
            team.rating += i64::from(player.record.rating.points());
        }
        tally.win_probability_a(parameters.theta)
    }

    /// Returns the players of these teams and those who have left the teams `before`, by descending rating.
    fn players(
        &self,
        lobby: &CurrentPlayers,
        names: &Names,
        before: Option<&PlayerMap<Side>>,
    ) -> Vec<LivePlayerAnswer> {
        let players = lobby.players.iter().filter_map(|player| {
            let (id, rating) = (player.record.id, player.record.rating);
            let was = before.and_then(|before| before.get(&id));
            let is = self.seats.get(&id);
            let change = match (was, is) {
                (None, Some(_)) => before.map(|_| PlayerChange::Joined),
                (_, None) => Some(PlayerChange::Left),
                (was, is) => (was != is).then_some(PlayerChange::Moved),
            };
            Some(LivePlayerAnswer {
                id,
                name: names.of_player(id),
                rating,
                team: *is.or(was)?,
                change,
            })
        });
        let mut players: Vec<LivePlayerAnswer> = players.collect();
        players.sort_by_key(|player| (Reverse(player.rating), player.id));
        players
    }
}
