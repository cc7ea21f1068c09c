use std::collections::HashMap;

use super::solver::Question;
use super::{Pool, Service, ServiceError};
use crate::domain::{PlayerId, Rating, ServerName};
use crate::partition::{self, Candidate, Current, Limits, Split, Wishes};
use crate::rating::win_probability;
use crate::store::StoreError;
use crate::wire::{MethodName, ScrambleRequest, SplitAnswer, SplitTableAnswer};

impl Service {
    /// The best split of every team size for the players of a request, kept as the server's last.
    ///
    /// # Errors
    /// The database's; too many requests at once.
    pub async fn propose_splits(
        &self,
        request: ScrambleRequest,
    ) -> Result<SplitTableAnswer, ServiceError> {
        let ScrambleRequest {
            server,
            players,
            current,
        } = request;
        let pool = self.pool(None, Some(&server))?;
        let mut tx = self.store.begin_read().await?;
        let known: HashMap<PlayerId, Rating> = tx
            .players(pool.id, &players)
            .await?
            .into_iter()
            .map(|player| (player.id, player.rating))
            .collect();
        drop(tx);

        let initial = pool.settings.parameters.initial_rating;
        let candidates = players.iter().map(|id| Candidate {
            id: *id,
            rating: known.get(id).copied().unwrap_or(initial),
        });
        let question = Question {
            pool: partition::Pool::new(candidates).map_err(ServiceError::internal)?,
            wishes: Wishes {
                current: current.map(|teams| Current {
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
            server,
            pool: pool.name.clone(),
            eligible: players.len(),
            computed_at: self.clock.now(),
            splits: solved
                .splits
                .iter()
                .map(|split| answer(&pool, split))
                .collect(),
        };
        let mut tx = self.store.begin().await?;
        let kept = serde_json::to_string(&table).map_err(unreadable)?;
        tx.save_split_table(&table.server, table.computed_at, &kept)
            .await?;
        tx.commit().await?;
        Ok(table)
    }

    /// The last table of splits that was computed for `server`.
    ///
    /// # Errors
    /// Where there is none; the database's.
    pub async fn last_splits(&self, server: &ServerName) -> Result<SplitTableAnswer, ServiceError> {
        let kept = self.store.begin_read().await?.split_table(server).await?;
        let kept = kept.ok_or_else(|| ServiceError::NoSplitTable(server.clone()))?;
        Ok(serde_json::from_str(&kept).map_err(unreadable)?)
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

fn unreadable(_: serde_json::Error) -> StoreError {
    StoreError::Corrupt {
        table: "split_tables",
        column: "answer",
    }
}
