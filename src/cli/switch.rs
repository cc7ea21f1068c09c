use clap::Args;
use serde_json::{Value, json};

use super::comparison::try_out;
use super::database::{Access, chosen_pools, run_interruptible};
use super::terminal::figures::rate;
use super::terminal::output::{Format, print, print_json};
use super::terminal::progress::Watcher;
use super::terminal::words::plural_of;
use crate::config::Settings;
use crate::domain::PoolName;
use crate::rating::ModelName;
use crate::service::{Alternative, Author, Service};
use crate::store::PoolRecord;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Works even while the service is running. The service rates rounds by the former model until the ratings of the new
model take effect. The same command with the former model undoes the switch exactly. If `model` is set for
the pool, set it to the new model before the service is started again.

With --json: pool, from, to, and what was computed in how many seconds; with --dry-run a comparison: the scores by both
models over the window and over all, the ratings that would move, and the odds of the last rounds.")]
pub(super) struct Switch {
    /// Name of the pool whose rating model is switched.
    #[arg(long, value_name = "NAME", default_value_t)]
    pool: PoolName,
    /// New rating model of the pool, which applies from the pool's first round on.
    #[arg(long, value_name = "MODEL")]
    to: ModelName,
    /// Change nothing; print how the new model would change the players' ratings and the odds.
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
        run_interruptible(&settings, access, async |service| {
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
                "Pool {}: now rated by {} instead of {}; {computed} computed in {seconds:.1} s, {rate:.0} a second\n",
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
        let alternative = Alternative {
            model: Some(self.to),
            ..Alternative::default()
        };
        let headings = [pool.model.name(), self.to.name()];
        let found = try_out(service, settings, pool, alternative, headings, self.format).await?;
        Ok(json!({"pool": pool.name, "from": pool.model, "to": self.to, "comparison": found}))
    }
}
