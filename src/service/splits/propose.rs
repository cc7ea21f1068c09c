use std::sync::Arc;

use super::answer::{DescribedSplits, describe_splits, excess_with};
use super::last::rated;
use super::newcomers::{Newcomers, price};
use super::probe;
use super::recent_rounds::{RecentRounds, Ties};
use super::solver::Question;
use super::stored::{RatedPlayer, SplitTableRecord};
use super::wishes::wishes_of;
use crate::api::{AgedSplitTableAnswer, ScrambleRequest, SplitTableAnswer, SplitsAnswer};
use crate::domain::{
    Fingerprint, Handicap, PlayerId, PowerName, Probability, Rating, RoundId, ServerName, Timestamp,
};
use crate::partition;
use crate::partition::{Candidate, Limits, Split, SplitTable, solve};
use crate::random;
use crate::rating::{Conditions, win_probability};
use crate::service::phrases::odds::Excess;
use crate::service::phrases::split::{no_split, probe_drawn};
use crate::service::players::now::read_current_players;
use crate::service::powers::choice::{PowerWish, for_splits};
use crate::service::powers::weighed::Weighed;
use crate::service::processors::Processors;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{StoreError, Tx};
use crate::turns::Requester;

impl Service {
    /// Returns the best split of every team size for the players of a request, by the ratings of `pool`. Stores the
    /// table as the last one of `server`. Computations are scheduled fairly between clients, and between the servers of
    /// a `client`.
    pub async fn propose_splits(
        &self,
        pool: &Pool,
        server: &ServerName,
        request: &ScrambleRequest,
        client: Fingerprint,
    ) -> Result<SplitsAnswer, ServiceError> {
        let record = self.compute_splits(pool, server, request, client).await?;
        let text = record.to_text().map_err(ServiceError::internal)?;
        let computed_at = record.table.computed_at;
        let mut tx = self.store.begin().await?;
        tx.save_split_table(server, computed_at, &text).await?;
        tx.keep_split_table(server, computed_at, &text).await?;
        tx.commit().await?;
        self.last_splits.remember(server, computed_at, text);
        self.forget_old_servers(computed_at).await;
        Ok(just_computed(record, request))
    }

    /// Computes splits like [`Service::propose_splits`], but stores nothing. No plugin receives this table later.
    pub async fn try_splits(
        &self,
        pool: &Pool,
        server: &ServerName,
        request: &ScrambleRequest,
        client: Fingerprint,
    ) -> Result<SplitsAnswer, ServiceError> {
        let record = self.compute_splits(pool, server, request, client).await?;
        Ok(just_computed(record, request))
    }

    async fn compute_splits(
        &self,
        pool: &Pool,
        server: &ServerName,
        request: &ScrambleRequest,
        client: Fingerprint,
    ) -> Result<SplitTableRecord, ServiceError> {
        pool.check_bots("", &request.bots)?;
        let mut tx = self.store.begin_read().await?;
        let eligible: Vec<PlayerId> = request.eligible().collect();
        let lobby = read_current_players(&mut tx, pool, &eligible).await?;
        let ratings = rated(&lobby.players);
        let now = self.clock.now();
        let weighed = weigh(&mut tx, pool, request, &ratings, now).await?;
        let last_round = tx.last_round_of_server(pool.id, server, now).await?;
        let recent = RecentRounds::read(&mut tx, pool, server, request, now).await?;
        drop(tx);

        let by_power = weighed.as_ref().filter(|weighed| !weighed.is_rating());
        check_bots(request, by_power.is_some())?;
        let newcomers = Newcomers::of(&lobby, pool, request, by_power.is_some());
        let wishes = wishes_of(request, &recent, newcomers.map_err(StoreError::from)?);
        let mut waited = wishes.waited.clone();
        waited.retain(|player, rounds| *rounds > 0 && eligible.contains(player));
        // The win probability that a difference costs is known only for ratings.
        let excess = by_power.map_or_else(|| excess_with(&wishes), |_| Excess::Unasked);
        let theta = pool.settings.parameters.theta;
        let conditions = Conditions {
            map: request.map.as_ref(),
            bots: &request.bots,
            at: now,
            parameters: &pool.settings.parameters,
        };
        let players = candidates(server, &ratings, by_power, last_round)?;
        let handicap = match by_power {
            None => lobby.handicap(eligible.len(), &conditions),
            Some(_) => Handicap::default(),
        };
        let question = Question {
            pool: players.with_handicap(handicap),
            wishes,
        };
        let requester = Requester::new(client, server.as_str());
        let solved = self.solver.solve(question.clone(), requester).await?;

        let odds = |split: &Split| {
            let teams = [&split.a, &split.b].map(|team| team.iter().map(|player| player.id));
            lobby.odds(teams, &conditions)
        };
        let share = by_power.map_or(pool.settings.splits.probe_share, |_| 0.0);
        let probe = drawn_probe(&solved, &question, share, odds)?;
        let is_probe = probe.is_some();
        let solved = probe.unwrap_or(solved);
        let mut described = describe_splits(request, &solved, excess, theta, odds)?;
        for split in described.splits.iter_mut().filter(|_| is_probe) {
            split.message = probe_drawn(split.win_probability_a);
        }
        let is_empty = described.splits.is_empty();
        let message = is_empty.then(|| no_split(ratings.len(), request.sizes.as_deref()));
        let table = SplitTableAnswer {
            server: server.clone(),
            pool: pool.name.clone(),
            by: weighed
                .as_ref()
                .map_or_else(PowerName::default, |weighed| weighed.by.clone()),
            powers: weighed.as_ref().map(Weighed::answers).unwrap_or_default(),
            scale: by_power.map(|weighed| weighed.scale().factor()),
            eligible: ratings.len(),
            computed_at: self.clock.now(),
            splits: described.splits,
            alternatives: described.alternatives,
            drawn: described.drawn,
            is_probe,
            message,
        };
        Ok(SplitTableRecord {
            table,
            ratings,
            waited,
        })
    }
}

/// Values the players of a request by the power that the request, or else the pool, names; `None` if neither does.
async fn weigh(
    tx: &mut Tx,
    pool: &Pool,
    request: &ScrambleRequest,
    ratings: &[RatedPlayer],
    now: Timestamp,
) -> Result<Option<Weighed>, ServiceError> {
    let wish = PowerWish {
        by: request.by.as_ref(),
        mode: request.mode.as_ref(),
        mutators: &request.mutators,
    };
    Ok(match for_splits(pool, wish.by)? {
        Some(power) => Some(Weighed::read(tx, pool, power, wish, ratings, now).await?),
        None => None,
    })
}

/// Draws a probe in place of the `solved` splits, in this share of all calls.
fn drawn_probe(
    solved: &Arc<SplitTable>,
    question: &Question,
    share: f64,
    odds: impl Fn(&Split) -> Result<Probability, StoreError>,
) -> Result<Option<Arc<SplitTable>>, ServiceError> {
    if share == 0.0 {
        return Ok(None);
    }
    let seed = random::bits().map_err(ServiceError::internal)?;
    let made_of = (&question.pool, &question.wishes);
    Ok(probe::draw(solved, made_of, (share, seed), odds)?)
}

/// Refuses bots, which have ratings alone, in teams that are made by another power.
fn check_bots(request: &ScrambleRequest, is_by_power: bool) -> Result<(), ServiceError> {
    if !is_by_power || request.bots.is_empty() {
        return Ok(());
    }
    let problem = "have only ratings, but these teams are balanced by another measure of strength (power); \
                   leave out bots, or send \"by\": \"rating\"";
    Err(ServiceError::invalid("/bots", problem))
}

/// Returns the players to split, with their ratings, or with their powers in whole points if `by_power` is set. The
/// last round of the server decides between teams of equal cost.
fn candidates(
    server: &ServerName,
    ratings: &[RatedPlayer],
    by_power: Option<&Weighed>,
    last_round: Option<RoundId>,
) -> Result<partition::Pool, ServiceError> {
    let points = by_power.map(Weighed::seats).unwrap_or_default();
    let candidates = ratings.iter().map(|rated| Candidate {
        id: rated.player,
        rating: points.get(&rated.player).copied().unwrap_or(rated.rating),
    });
    let players = match last_round {
        None => partition::Pool::new(candidates),
        Some(round) => {
            let ties = Ties::after(server, &round);
            partition::Pool::with_ties(candidates, |id| ties.of(id))
        }
    };
    players.map_err(ServiceError::internal)
}

fn just_computed(record: SplitTableRecord, request: &ScrambleRequest) -> SplitsAnswer {
    let computed_at = record.table.computed_at;
    let table = AgedSplitTableAnswer::new(record.table, computed_at, Some(false));
    let seats = request.seats.unwrap_or_default();
    SplitsAnswer::new(table, request.eligible().collect(), seats)
}

/// Returns splits for the players of a request, by the given ratings, without a service or a database. Returns the best
/// split of each requested size, ascending by size, with a drawn split in place of the best one. The alternatives are
/// ordered best first.
///
/// Team A is `advantage` rating points ahead before the round. `newcomers` are shared out if the request asks for it.
///
/// # Errors
/// Returns an error if a player is listed twice.
pub fn split_offline(
    request: &ScrambleRequest,
    ratings: impl IntoIterator<Item = (PlayerId, Rating)>,
    newcomers: Vec<PlayerId>,
    theta: f64,
    advantage: i32,
) -> Result<DescribedSplits, ServiceError> {
    let candidates = ratings
        .into_iter()
        .map(|(id, rating)| Candidate { id, rating });
    let lean = i64::from(advantage);
    let handicap = Handicap {
        lean,
        extra_player: 0,
    };
    let pool = partition::Pool::new(candidates)
        .map_err(ServiceError::internal)?
        .with_handicap(handicap);
    let newcomers = match price(request, 0) {
        0 => Newcomers::default(),
        price => Newcomers {
            players: newcomers,
            price,
        },
    };
    let wishes = wishes_of(request, &RecentRounds::default(), newcomers);
    // Memory limit of one computation in a service.
    let limits = Limits {
        memory: Processors::new().most_memory(),
        ..Limits::default()
    };
    let table = solve(&pool, &wishes, &limits);
    let odds = |split: &Split| Ok(win_probability(split.sum_a + lean, split.sum_b, theta));
    describe_splits(request, &table, excess_with(&wishes), theta, odds)
}
