use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::http::Limits;

/// Open files that are not connections of clients: the database's, the log, the listener.
const KEPT_BACK: u64 = 128;

/// How many connections of clients may be open at once, so that files are left for the rest. The
/// limit on open files is raised as far as the system lets a program do so itself.
pub(super) fn connections() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    let allowed = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(error) => {
            tracing::debug!(%error, "The limit on open files stays as it is");
            current
        }
    };
    let most = Limits::default().connections;
    let connections = for_clients(allowed, most);
    if connections < most {
        tracing::warn!(
            connections,
            "The limit on open files (ulimit -n) leaves room for few connections; raise it where \
             more game servers than that connect at once"
        );
    }
    connections
}

/// How many of the open files that are `allowed` (`None`: any number) clients may have, at `most`.
fn for_clients(allowed: Option<u64>, most: usize) -> usize {
    let Some(allowed) = allowed else { return most };
    // Where files are as few as that, half of them are too many for the rest to go short.
    let left = allowed.saturating_sub(KEPT_BACK).max(allowed / 2).max(1);
    usize::try_from(left).map_or(most, |left| left.min(most))
}

#[cfg(test)]
mod tests {
    use super::for_clients;

    #[test]
    fn clients_leave_files_for_the_rest() {
        for (allowed, connections) in [
            (None, 16_384),
            (Some(u64::MAX), 16_384),
            (Some(1_000_000), 16_384),
            (Some(16_511), 16_383),
            (Some(1024), 896),
            (Some(100), 50),
            (Some(0), 1),
        ] {
            assert_eq!(for_clients(allowed, 16_384), connections, "{allowed:?}");
        }
    }
}
