//! Captures log output during fuzzing, in both log formats.

use std::io;
use std::sync::{Arc, Mutex, Once};

use tracing::level_filters::LevelFilter;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;

/// All captured output, one text per event.
#[derive(Clone, Debug, Default)]
pub struct Logged(Arc<Mutex<Vec<String>>>);

impl Logged {
    /// Captures this thread's log output from now on, as JSON and as text, with all levels of the service.
    pub fn start() -> (Self, DefaultGuard) {
        // tracing caches per call site if any subscriber listens, so another thread without one could disable the call
        // site.
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

    /// Takes the output since the last call.
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

/// Reason why `said` is not exactly one plain line; `None` if it is.
pub fn problem(said: &str) -> Option<String> {
    const MAX_LENGTH: usize = 4096;
    let line = said.strip_suffix('\n')?;
    if let Some(odd) = line.chars().find(|character| character.is_control()) {
        return Some(format!("{odd:?} stands in the log: {said:?}"));
    }
    (line.len() > MAX_LENGTH).then(|| format!("a line of {} bytes: {said:.200?}", line.len()))
}
