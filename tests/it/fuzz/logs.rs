//! What is logged while requests are tried out, in both forms that there are.

use std::io;
use std::sync::{Arc, Mutex, Once};

use tracing::level_filters::LevelFilter;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;

/// Everything that was written, one text for each thing that was said.
#[derive(Clone, Debug, Default)]
pub struct Logged(Arc<Mutex<Vec<String>>>);

impl Logged {
    /// Collects what this thread logs from now on, as JSON and as text, the service's own at every
    /// level.
    pub fn start() -> (Self, DefaultGuard) {
        // A line of the source that another thread logs by first, with nobody listening there, would
        // count as one that nobody wants, here too.
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            let listening = tracing_subscriber::registry().with(filter());
            tracing::subscriber::set_global_default(listening).expect("the only one");
        });
        let logged = Self::default();
        let json = fmt::layer()
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .with_writer(logged.clone());
        let text = fmt::layer().with_ansi(false).with_writer(logged.clone());
        let subscriber = tracing_subscriber::registry()
            .with(filter())
            .with(json)
            .with(text);
        (logged, tracing::subscriber::set_default(subscriber))
    }

    /// What has been said since this was last asked.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("no panic under the lock"))
    }
}

fn filter() -> Targets {
    Targets::new()
        .with_default(LevelFilter::INFO)
        .with_target("rbs", LevelFilter::TRACE)
}

impl<'logged> MakeWriter<'logged> for Logged {
    type Writer = &'logged Self;

    fn make_writer(&'logged self) -> &'logged Self {
        self
    }
}

impl io::Write for &Logged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.0.lock().expect("no panic under the lock").push(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why `said` is more, or less, than one plain line.
pub fn problem(said: &str) -> Option<String> {
    const MAX_LENGTH: usize = 4096;
    let line = said.strip_suffix('\n')?;
    if let Some(odd) = line.chars().find(|character| character.is_control()) {
        return Some(format!("{odd:?} stands in the log: {said:?}"));
    }
    (line.len() > MAX_LENGTH).then(|| format!("a line of {} bytes: {said:.200?}", line.len()))
}
