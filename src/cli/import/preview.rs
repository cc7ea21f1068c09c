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

impl Tally {
    /// Adds a round of the files to the counts of a dry run.
    pub(super) async fn preview(
        &mut self,
        service: &Service,
        report: &Report,
    ) -> Result<(), ServiceError> {
        let preview = self.preview.get_or_insert_default();
        let (rounds, players) = &mut preview.seen;
        let parts = report.parts();
        let (server, round_id) = report.name();
        match service.get_round(server, round_id).await {
            Err(ServiceError::NoSuchRound { .. }) if rounds.insert(report.name()) => {
                self.counted += 1;
                preview.draws += u64::from(parts.winner == Winner::Draw);
                players.extend(report.participants().map(|(_, entry)| entry.id));
                preview.players = players.len();
                preview.first = preview.first.into_iter().chain(parts.ended_at).min();
                preview.last = preview.last.max(parts.ended_at);
            }
            Ok(_) | Err(ServiceError::NoSuchRound { .. } | ServiceError::RoundPruned(_)) => {
                self.duplicates += 1;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
