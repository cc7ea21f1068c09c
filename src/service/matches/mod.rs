//! Matchmaking: converts a request into a queue, and the computed matches into an answer.

mod answer;
mod queue;

use tokio::time::Instant;

use crate::api::{FreeServerRequest, MatchRequest, MatchesAnswer, Object};
use crate::domain::{Fingerprint, PlayerId, Timestamp};
use crate::matchmaking::{Effort, make_matches_sharing};
use crate::rating::{Conditions, Parameters};
use crate::service::players::now::read_current_players;
use crate::service::{Pool, Service, ServiceError};
use crate::turns::Requester;

use answer::describe;
use queue::{queue_of, with_policy};

/// Name of the scheduling lane (queue within a client) of matchmaking requests, which belong to no single server.
const LANE: &str = "/v1/match";

impl Service {
    /// Returns the matches to start from the queue of the request, by the ratings and policies of `pool`. Stores
    /// nothing. Computations are scheduled fairly between clients.
    pub async fn make_matches(
        &self,
        pool: &Pool,
        request: &MatchRequest,
        client: Fingerprint,
    ) -> Result<MatchesAnswer, ServiceError> {
        let settings = &pool.settings.matchmaking;
        let (name, policy) = with_policy(request, settings)?;
        for (index, Object(server)) in request.servers.iter().enumerate() {
            pool.check_bots(&format!("/servers/{index}"), &server.bots)?;
        }
        let players: Vec<PlayerId> = request.players().collect();
        let mut tx = self.store.begin_read().await?;
        let known = read_current_players(&mut tx, pool, &players).await?;
        drop(tx);
        let ratings: Vec<_> = known
            .players
            .iter()
            .map(|player| player.record.rating)
            .collect();
        let now = request.now.unwrap_or_else(|| self.clock.now());
        let parameters = &pool.settings.parameters;
        let lean = |server: &FreeServerRequest, players| {
            let handicap = known.handicap(players, &conditions_on(server, now, parameters));
            i32::try_from(handicap.lean).unwrap_or_default()
        };
        let queue = queue_of(request, &ratings, now, parameters.theta, lean);
        let effort = Effort::usual(queue.tickets.len());
        let requester = Requester::new(client, LANE);
        let computing = self.processors.compute(requester, move |host| {
            let began = Instant::now();
            let matches = make_matches_sharing(&queue, &policy, effort, host);
            (matches, began.elapsed())
        });
        let (made, took) = computing.await?;
        // The request has been validated, so an error here is a bug.
        let matches = made.map_err(ServiceError::internal)?;
        self.metrics.matches_made(
            &pool.name,
            matches.matches.len(),
            matches.waiting.len(),
            took,
        );
        let odds = |server: usize, a: &[PlayerId], b: &[PlayerId]| {
            let Object(server) = &request.servers[server];
            Ok(known.odds(
                [a, b].map(|team| team.iter().copied()),
                &conditions_on(server, now, parameters),
            )?)
        };
        describe(
            request,
            &ratings,
            &matches,
            (&pool.name, name, &policy, now),
            odds,
        )
    }
}

fn conditions_on<'all>(
    server: &'all FreeServerRequest,
    at: Timestamp,
    parameters: &'all Parameters,
) -> Conditions<'all> {
    Conditions {
        map: server.map.as_ref(),
        bots: &server.bots,
        at,
        parameters,
    }
}
