//! `rbs upgrade`: the tables as this version needs them, and what that takes.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use indicatif::HumanDuration;
use serde::Serialize;

use super::database::{Access, connect, must_exist, open, unhurried};
use super::terminal::json::{AsJson, print, print_json};
use super::terminal::words::plural;
use crate::config::Settings;
use crate::store::{Store, StoreError, migrations_behind, newest_migration};

/// The migrations that take longer the more rounds there are, and what they do meanwhile. All others take a moment.
const BY_ROUNDS: [(i64, &str); 2] = [
    (3, "looks through every round"),
    (5, "computes every figure again from the log"),
];
/// What both take for a round, in microseconds: of 6 players on an idle machine, and of 24 on a busy one. Measured
/// with a million rounds on two cores.
const MICROSECONDS: (u64, u64) = (20, 450);

/// `rbs upgrade`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every start does the same; this does no more than that. All of it happens at once: where a migration fails, the
database is as it was.

With --json and --check: found, the newest migration of the database, or null; known, that of this program;
migrations, those that are still to run, each with its number, name and effect (null where it takes a moment);
rounds, bytes, seconds_least, seconds_most, and previous_can_go_on, whether instances of the version that the
database is of can work on it afterwards.")]
pub(super) struct Upgrade {
    /// Change nothing; say what would be done, and how long that may take.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    report: AsJson,
}

/// A migration that is still to run.
#[derive(Debug, Serialize)]
struct Step {
    number: i64,
    name: String,
    effect: Option<&'static str>,
}

/// What an upgrade would do.
#[derive(Debug, Serialize)]
struct Plan {
    found: Option<i64>,
    known: i64,
    migrations: Vec<Step>,
    rounds: u64,
    bytes: u64,
    seconds_least: f64,
    seconds_most: f64,
    previous_can_go_on: bool,
}

impl Upgrade {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let settings = Settings {
            database: unhurried(&settings.database),
            ..settings
        };
        let database = &settings.database;
        let store = connect(database).await?;
        let plan = plan(&store).await;
        store.close().await;
        let plan = plan.with_context(|| format!("cannot upgrade the database {database}"))?;
        if !self.check {
            Box::pin(open(&settings, Access::Read)).await?.close().await;
        }
        if self.report.json {
            return print_json(&plan);
        }
        let text = if self.check {
            plan.text(&database.to_string())?
        } else {
            let known = plan.known.max(plan.found.unwrap_or(0));
            format!("{database} is at migration {known}\n")
        };
        Ok(print(text.as_bytes())?)
    }
}

/// What an upgrade of the database would do.
///
/// # Errors
/// Where it is of a version that this one does not work with.
async fn plan(store: &Store) -> Result<Plan, StoreError> {
    let mut tx = store.begin_read().await?;
    let (known, found) = (newest_migration(), tx.migration().await?);
    tx.check_migrations().await?;
    let before = found.unwrap_or(0);
    if before > known + 1 {
        return Err(StoreError::Newer {
            found: before,
            known,
        });
    }
    let step = |(number, name): (i64, String)| Step {
        number,
        name,
        effect: BY_ROUNDS
            .iter()
            .find(|(of, _)| *of == number)
            .map(|(_, effect)| *effect),
    };
    let migrations: Vec<Step> = migrations_behind(before).into_iter().map(step).collect();
    let rounds = tx.count_rows("rounds").await?;
    let takes_long = migrations.iter().any(|step| step.effect.is_some());
    let seconds = |each: u64| {
        let rounds = if takes_long { rounds } else { 0 };
        Duration::from_micros(rounds.saturating_mul(each)).as_secs_f64()
    };
    Ok(Plan {
        found,
        known,
        rounds,
        bytes: tx.size().await?,
        seconds_least: seconds(MICROSECONDS.0),
        seconds_most: seconds(MICROSECONDS.1),
        previous_can_go_on: known <= before + 1,
        migrations,
    })
}

impl Plan {
    fn text(&self, database: &str) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let found = match self.found {
            Some(found) => format!("is at migration {found} of {}", self.known),
            None => "has no tables of RBS yet".to_owned(),
        };
        let rounds = plural(self.rounds, "round");
        writeln!(text, "{database} {found}: {rounds}, {} bytes", self.bytes)?;
        if self.migrations.is_empty() {
            writeln!(text, "It is up to date: nothing to do.")?;
            return Ok(text);
        }
        for step in &self.migrations {
            let effect = step.effect.map(|effect| format!(": {effect}"));
            let effect = effect.unwrap_or_default();
            writeln!(text, "{:>3}  {}{effect}", step.number, step.name)?;
        }
        let human = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds.max(1.0)));
        if self.seconds_most > 1.0 {
            let (least, most) = (human(self.seconds_least), human(self.seconds_most));
            writeln!(
                text,
                "It takes {least} to {most}, during which nothing is answered."
            )?;
        } else {
            writeln!(text, "It takes a moment.")?;
        }
        if self.found.is_none() {
            return Ok(text);
        }
        let before = if self.previous_can_go_on {
            "The version before goes on meanwhile, and can be taken back."
        } else {
            "Afterwards no instance of the version before can go on, and none starts: stop all of them first."
        };
        writeln!(text, "{before}")?;
        writeln!(text, "Before it: rbs backup FILE")?;
        Ok(text)
    }
}
