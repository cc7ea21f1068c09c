//! Days of communities with a queue, with the service's policies and with common alternatives.

mod plot;
mod report;
mod settings;

use std::path::Path;
use std::str::FromStr;

use anyhow::Context as _;

use super::parallel::play;
use crate::simulation::{ImpossibleScenario, MAX_MEMBERS, QueueScenario, simulate_queue};
use rbs::cli::terminal::output::{Format, print};
use report::Report;
use settings::Setting;

/// Community named by `--queue` with its number of members.
#[derive(Clone, Copy, Debug)]
pub(super) struct Community(QueueScenario);

impl FromStr for Community {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("must be a whole number of members, 20 to {MAX_MEMBERS}");
        let members: usize = text.parse().map_err(|_| wrong())?;
        QueueScenario::of(members).map(Self).map_err(|_| wrong())
    }
}

pub(super) struct Queue<'all> {
    pub(super) communities: &'all [Community],
    pub(super) days: Option<u32>,
    pub(super) seeds: u64,
    /// Folder for the plots.
    pub(super) plots: Option<&'all Path>,
}

impl Queue<'_> {
    /// Plays the communities and prints the results.
    pub(super) fn run(&self, format: Format) -> anyhow::Result<()> {
        let settings = settings::all()?;
        let mut reports = Vec::new();
        for Community(scenario) in self.communities {
            let days = self.days.unwrap_or(scenario.days);
            reports.push(self.report(&scenario.with_days(days), &settings)?);
        }
        if let Some(folder) = self.plots {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            for report in &reports {
                let path = folder.join(format!("queue-{}.svg", report.members));
                std::fs::write(&path, plot::svg(report))
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        if format.json {
            Ok(print(&report::lines(&reports)?)?)
        } else {
            report::text(&reports)?.print(format)
        }
    }

    fn report(&self, scenario: &QueueScenario, settings: &[Setting]) -> anyhow::Result<Report> {
        let runs: Vec<(&Setting, u64)> = settings
            .iter()
            .flat_map(|setting| (1..=self.seeds).map(move |seed| (setting, seed)))
            .collect();
        let played = play(
            &runs,
            |(setting, _)| format!("{} members, {}", scenario.members, setting.title()),
            |(setting, seed)| match simulate_queue(scenario, &setting.matcher, *seed) {
                // A setting that requires more players than ever wait has no results.
                Err(ImpossibleScenario::NoMatch) => Ok(None),
                queued => queued.map(Some),
            },
        )?;
        let seeds = usize::try_from(self.seeds)?;
        let rows = settings.iter().zip(played.chunks(seeds));
        Ok(Report::new(scenario, seeds, rows))
    }
}
