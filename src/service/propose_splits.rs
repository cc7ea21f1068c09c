use super::kept_splits::{KeptSplits, ratings_now};
use super::solver::Question;
use super::{Pool, Service, ServiceError};
use crate::domain::ServerName;
use crate::partition::{self, Candidate, Current, Limits, Split, Wishes};
use crate::rating::win_probability;
use crate::wire::{
    AgedSplitTableAnswer, MethodName, ScrambleRequest, SplitAnswer, SplitTableAnswer,
};

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
        request: ScrambleRequest,
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
            wishes: Wishes {
                current: request.current.map(|teams| Current {
                    a: teams.a,
                    b: teams.b,
                }),
                ..Wishes::default()
            },
            limits: Limits {
                max_exact_pool: pool.settings.max_exact_pool,
                ..Limits::default()
            },
        };
        let solved = self.solver.solve(question).await?;

        let table = SplitTableAnswer {
            server: server.clone(),
            pool: pool.name.clone(),
            eligible: ratings.len(),
            computed_at: self.clock.now(),
            splits: solved
                .splits
                .iter()
                .map(|split| answer(pool, split))
                .collect(),
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

fn answer(pool: &Pool, split: &Split) -> SplitAnswer {
    let ids = |team: &[Candidate]| team.iter().map(|player| player.id).collect();
    let probability = win_probability(split.sum_a, split.sum_b, pool.settings.parameters.theta);
    SplitAnswer {
        size: split.size,
        a: ids(&split.a),
        b: ids(&split.b),
        waiting: ids(&split.waiting),
        sum_a: split.sum_a,
        sum_b: split.sum_b,
        difference: split.difference,
        win_probability_a: probability,
        method: match split.method {
            partition::Method::Exact => MethodName::Exact,
            partition::Method::Greedy => MethodName::Greedy,
        },
        optimal: split.optimal,
    }
}
