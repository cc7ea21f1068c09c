use super::describe_split::describe_split;
use super::kept_splits::{KeptSplits, ratings_now};
use super::solver::Question;
use super::wishes::wishes_of;
use super::{Pool, Service, ServiceError};
use crate::domain::ServerName;
use crate::partition::{self, Candidate, Limits, Split};
use crate::wire::{AgedSplitTableAnswer, ScrambleRequest, SplitAnswer, SplitTableAnswer};

impl Service {
    /// The best split of every team size for the players of a request by the ratings of `pool`,
    /// kept as the last of `server`.
    ///
    /// # Errors
    /// The database's; too many requests at once.
    pub async fn propose_splits(
        &self,
        pool: &Pool,
        server: &ServerName,
        request: &ScrambleRequest,
    ) -> Result<AgedSplitTableAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let ratings = ratings_now(&mut tx, pool, &request.players).await?;
        drop(tx);

        let candidates = ratings.iter().map(|rated| Candidate {
            id: rated.player,
            rating: rated.rating,
        });
        let question = Question {
            pool: partition::Pool::new(candidates).map_err(ServiceError::internal)?,
            wishes: wishes_of(request),
            limits: Limits {
                max_exact_pool: pool.settings.max_exact_pool,
                ..Limits::default()
            },
        };
        let solved = self.solver.solve(question).await?;

        let theta = pool.settings.parameters.theta;
        let described = |splits: &[Split]| -> Vec<SplitAnswer> {
            let splits = splits.iter();
            splits.map(|split| describe_split(split, theta)).collect()
        };
        let table = SplitTableAnswer {
            server: server.clone(),
            pool: pool.name.clone(),
            eligible: ratings.len(),
            computed_at: self.clock.now(),
            splits: described(&solved.splits),
            alternatives: described(&solved.alternatives),
        };
        let kept = KeptSplits { table, ratings };
        let text = kept.to_text()?;
        let computed_at = kept.table.computed_at;
        let mut tx = self.store.begin().await?;
        tx.save_split_table(server, computed_at, &text).await?;
        tx.commit().await?;
        self.last_splits.remember(server, computed_at, text);
        Ok(AgedSplitTableAnswer::new(
            kept.table,
            computed_at,
            Some(false),
        ))
    }
}
