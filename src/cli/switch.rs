use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};

use super::database::{Access, chosen_pools, until_stopped};
use super::terminal::figures::{number, percent, rate};
use super::terminal::json::{print, print_json};
use super::terminal::output::{Format, Output};
use super::terminal::progress::Watcher;
use super::terminal::table::Table;
use super::terminal::words::{plural, plural_of};
use crate::config::Settings;
use crate::domain::PoolName;
use crate::rating::{ModelName, Scores};
use crate::service::{Author, ModelTrial, Service};
use crate::store::PoolRecord;

/// `rbs switch`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Works beside the running service, which counts rounds by the former model until the moment that the other one's
ratings take effect. The same command with the former model undoes it, to the last point. Where `model` is set
for the pool, set it to the new one before the service is started again.

With --json: pool, from, to, and what was computed in how many seconds; with --dry-run the scores by both
models, the rank correlation, the largest changes and the odds of the last rounds.")]
pub(super) struct Switch {
    /// The pool.
    #[arg(long, value_name = "NAME", default_value_t)]
    pool: PoolName,
    /// The model that it is to be rated by, from its first round on.
    #[arg(long, value_name = "MODEL")]
    to: ModelName,
    /// Change nothing: print what players would see.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: Format,
}

impl Switch {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let access = if self.dry_run {
            Access::Read
        } else {
            Access::Write
        };
        until_stopped(&settings, access, async |service| {
            Box::pin(self.work(service, &settings)).await
        })
        .await
    }

    async fn work(&self, service: &Service, settings: &Settings) -> anyhow::Result<()> {
        for pool in chosen_pools(service, Some(&self.pool)).await? {
            let report = if self.dry_run {
                Box::pin(self.try_out(service, settings, &pool)).await?
            } else {
                self.switch(service, &pool).await?
            };
            if self.format.json {
                print_json(&report)?;
            }
        }
        Ok(())
    }

    async fn switch(&self, service: &Service, pool: &PoolRecord) -> anyhow::Result<Value> {
        let mut watcher = Watcher::start("Switching", &pool.name)?;
        let done = service
            .switch_model(pool, self.to, Author::CommandLine, &mut |progress| {
                watcher.tick(progress);
            })
            .await?;
        watcher.finish();
        let seconds = done.took.as_secs_f64();
        if !self.format.json {
            let computed = plural_of(done.computed, "round or change", "rounds and changes");
            let rate = rate(done.computed, done.took);
            let text = format!(
                "Pool {}: rated by {} in place of {} now; {computed} computed in {seconds:.1} s, {rate:.0} a second\n",
                pool.name, self.to, pool.model
            );
            print(text.as_bytes())?;
        }
        Ok(json!({
            "pool": pool.name, "from": pool.model, "to": self.to,
            "computed": done.computed, "seconds": seconds,
        }))
    }

    async fn try_out(
        &self,
        service: &Service,
        settings: &Settings,
        pool: &PoolRecord,
    ) -> anyhow::Result<Value> {
        let configured = settings.pools.get(&pool.name).map(|pool| &pool.parameters);
        let mut watcher = Watcher::start("Trying", &pool.name)?;
        let trial = service
            .try_model(pool, self.to, configured, &mut |progress| {
                watcher.tick(progress);
            })
            .await?;
        watcher.finish();
        if !self.format.json {
            text(&pool.name, &trial)?.print(self.format)?;
        }
        let scores = |scores: &Scores| {
            json!({
                "brier": scores.brier, "log_loss": scores.log_loss, "accuracy": scores.accuracy,
            })
        };
        Ok(json!({
            "pool": pool.name,
            "from": trial.present,
            "to": trial.instead,
            "rounds": trial.rounds,
            "is": scores(&trial.present_scores),
            "would_have_been": scores(&trial.instead_scores),
            "players": trial.players,
            "rank_correlation": trial.rank_correlation,
            "largest_changes": trial.changes,
            "last_rounds": trial.last_rounds,
        }))
    }
}

fn text(pool: &PoolName, trial: &ModelTrial) -> Result<Output, std::fmt::Error> {
    let (is, would_be) = (trial.present.name(), trial.instead.name());
    let mut text = Output::new();
    writeln!(text, "Pool {pool}: {}\n", plural(trial.rounds, "round"))?;
    let (present, instead) = (&trial.present_scores, &trial.instead_scores);
    let scores = [
        (
            "Brier score",
            number(present.brier, 4),
            number(instead.brier, 4),
        ),
        (
            "Log loss",
            number(present.log_loss, 4),
            number(instead.log_loss, 4),
        ),
        (
            "Accuracy",
            percent(present.accuracy),
            percent(instead.accuracy),
        ),
    ];
    let table = Table::new(&scores)
        .left("", |(name, ..)| *name)
        .right(is, |(_, is, _)| is)
        .right(would_be, |(.., would_be)| would_be);
    text.table(table);
    writeln!(
        text,
        "\nThe order of the {} who are shown correlates by {}.",
        plural(trial.players, "player"),
        number(trial.rank_correlation, 2)
    )?;
    if !trial.changes.is_empty() {
        let table = Table::new(&trial.changes)
            .left("largest changes", |change| change.id)
            .right(is, |change| change.is)
            .right(would_be, |change| change.would_be)
            .right("change", |change| {
                format!("{:+}", change.would_be.points() - change.is.points())
            });
        writeln!(text)?;
        text.table(table);
    }
    if !trial.last_rounds.is_empty() {
        let odds = |odds: crate::domain::Probability| percent(Some(odds.get()));
        let table = Table::new(&trial.last_rounds)
            .left("last rounds", |round| &round.round_id)
            .elastic("server", |round| &round.server)
            .left("winner", |round| round.winner)
            .right(&format!("a by {is}"), |round| odds(round.is))
            .right(&format!("a by {would_be}"), |round| odds(round.would_be));
        writeln!(text)?;
        text.table(table);
    }
    Ok(text)
}
