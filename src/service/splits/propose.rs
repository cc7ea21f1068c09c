use super::answer::{describe_splits, excess_with};
use super::last::ratings_now;
use super::lately::Lately;
use super::queue::Asker;
use super::solver::Question;
use super::ties::Ties;
use super::wishes::wishes_of;
use crate::api::{AgedSplitTableAnswer, ScrambleRequest, SplitTableAnswer, SplitsAnswer};
use crate::domain::{Fingerprint, PlayerId, ServerName};
use crate::partition;
use crate::partition::Candidate;
use crate::service::phrases::split::no_split;
use crate::service::{Pool, Service, ServiceError};
use crate::store::split_tables::SplitTableRecord;

impl Service {
    /// The best split of every team size for the players of a request by the ratings of `pool`,
    /// kept as the last of `server`. Computations take turns by the `client`, and by the server within it.
    pub async fn propose_splits(
        &self,
        pool: &Pool,
        server: &ServerName,
        request: &ScrambleRequest,
        client: Fingerprint,
    ) -> Result<SplitsAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let eligible: Vec<PlayerId> = request.eligible().collect();
        let ratings = ratings_now(&mut tx, pool, &eligible).await?;
        let now = self.clock.now();
        let last_round = tx.last_round_of_server(pool.id, server, now).await?;
        let lately = Lately::read(&mut tx, pool, server, request, now).await?;
        drop(tx);

        let candidates = ratings.iter().map(|rated| Candidate {
            id: rated.player,
            rating: rated.rating,
        });
        let wishes = wishes_of(request, &lately);
        let waited = wishes.waited.iter();
        let waited = waited.filter(|(player, rounds)| **rounds > 0 && eligible.contains(player));
        let waited = waited.map(|(player, rounds)| (*player, *rounds)).collect();
        let excess = excess_with(&wishes);
        let players = match last_round {
            None => partition::Pool::new(candidates),
            Some(round) => {
                let ties = Ties::after(server, &round);
                partition::Pool::with_ties(candidates, |id| ties.of(id))
            }
        };
        let question = Question {
            pool: players.map_err(ServiceError::internal)?,
            wishes,
        };
        let asker = Asker {
            client,
            server: server.clone(),
        };
        let solved = self.solver.solve(question, asker).await?;

        let theta = pool.settings.parameters.theta;
        let (splits, alternatives) = describe_splits(&solved, excess, theta);
        let say = splits
            .is_empty()
            .then(|| no_split(ratings.len(), request.sizes.as_deref()));
        let table = SplitTableAnswer {
            server: server.clone(),
            pool: pool.name.clone(),
            eligible: ratings.len(),
            computed_at: self.clock.now(),
            splits,
            alternatives,
            say,
        };
        let computed_at = table.computed_at;
        let record = SplitTableRecord {
            table: table.clone().into(),
            ratings,
            waited,
        };
        let text = record.to_text().map_err(ServiceError::internal)?;
        let mut tx = self.store.begin().await?;
        tx.save_split_table(server, computed_at, &text).await?;
        tx.commit().await?;
        self.last_splits.remember(server, computed_at, text);
        let table = AgedSplitTableAnswer::new(table, computed_at, Some(false));
        Ok(SplitsAnswer::new(
            table,
            eligible,
            request.seats.unwrap_or_default(),
        ))
    }
}
