use std::collections::HashSet;

use serde::Serialize;

use super::Tally;
use crate::domain::{PlayerId, Report, RoundId, ServerName, Timestamp, Winner};
use crate::service::{Service, ServiceError};

/// Rounds that an import with `--dry-run` would count.
#[derive(Debug, Default, Serialize)]
pub(super) struct Preview {
    pub(super) draws: u64,
    pub(super) players: usize,
    /// Times at which the earliest and the latest of the rounds ended.
    pub(super) first: Option<Timestamp>,
    pub(super) last: Option<Timestamp>,
    #[serde(skip)]
    seen: (HashSet<(ServerName, RoundId)>, HashSet<PlayerId>),
}

impl Preview {
    /// Adds a round of the files to the preview, and to the import's counts.
    pub(super) async fn add(
        &mut self,
        service: &Service,
        report: &Report,
        tally: &mut Tally,
    ) -> Result<(), ServiceError> {
        let (server, round_id) = report.name();
        let is_new = self.seen.0.insert(report.name());
        match service.get_round(server, round_id).await {
            Err(ServiceError::NoSuchRound { .. }) if is_new => tally.counted += 1,
            Ok(_) | Err(ServiceError::NoSuchRound { .. } | ServiceError::RoundPruned(_)) => {
                tally.duplicates += 1;
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        let parts = report.parts();
        self.draws += u64::from(parts.winner == Winner::Draw);
        self.seen
            .1
            .extend(report.participants().map(|(_, entry)| entry.id));
        self.players = self.seen.1.len();
        self.first = self.first.into_iter().chain(parts.ended_at).min();
        self.last = self.last.max(parts.ended_at);
        Ok(())
    }
}
