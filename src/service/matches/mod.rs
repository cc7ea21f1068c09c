//! Matches from a queue: the request in ratings and places, and the answer in words.

mod answer;
mod queue;

use tokio::time::Instant;

use crate::api::{FreeServerRequest, MatchRequest, MatchesAnswer, Object};
use crate::domain::{Fingerprint, PlayerId, Timestamp};
use crate::matchmaking::{Effort, make_matches_sharing};
use crate::rating::{Conditions, Parameters};
use crate::service::players::now::players_now;
use crate::service::{Pool, Service, ServiceError, bot_levels};
use crate::turns::Requester;

use answer::describe;
use queue::{queue_of, with_policy};

/// The lane of all queues of a client: they are of no server.
const LANE: &str = "/v1/match";

impl Service {
    /// The matches to begin of those who wait, by the ratings and policies of `pool`. Keeps nothing. Computations take
    /// turns by the `client`.
    pub async fn make_matches(
        &self,
        pool: &Pool,
        request: &MatchRequest,
        client: Fingerprint,
    ) -> Result<MatchesAnswer, ServiceError> {
        let settings = &pool.settings.matchmaking;
        let (name, policy) = with_policy(request, settings)?;
        for (index, Object(server)) in request.servers.iter().enumerate() {
            bot_levels::check_at(pool, &format!("/servers/{index}"), &server.bots)?;
        }
        let players: Vec<PlayerId> = request.players().collect();
        let mut tx = self.store.begin_read().await?;
        let known = players_now(&mut tx, pool, &players).await?;
        drop(tx);
        let ratings: Vec<_> = known
            .players
            .iter()
            .map(|player| player.record.rating)
            .collect();
        let now = request.now.unwrap_or_else(|| self.clock.now());
        let parameters = &pool.settings.parameters;
        let lean = |server: &FreeServerRequest, players| {
            let handicap = known.handicap_of(players, &conditions_on(server, now, parameters));
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
        let (matches, took) = computing.await?;
        // The request has been checked before.
        let matches = matches.map_err(ServiceError::internal)?;
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

/// What a match on the server would be played under.
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
