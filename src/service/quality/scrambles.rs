use std::collections::HashMap;

use crate::domain::{PlayerMap, Round, ServerName, Side, Timestamp};
use crate::store::split_tables::{SplitRecord, SplitTableRecord};
use crate::store::{StoreError, Tx};

/// Minimum share, in percent, of the players at the start of a round whose teams match a split of RBS, for the round
/// to count as scrambled.
const FOLLOWED: usize = 80;

/// Stored splits of game servers, by which rounds are recognized as scrambled.
#[derive(Debug, Default)]
pub(super) struct Scrambles(HashMap<ServerName, Vec<Table>>);

#[derive(Debug)]
struct Table {
    computed_at: Timestamp,
    splits: Vec<PlayerMap<Side>>,
}

impl Scrambles {
    /// Reads the tables of `server` that are not known yet.
    pub(super) async fn read(
        &mut self,
        tx: &mut Tx,
        server: &ServerName,
    ) -> Result<(), StoreError> {
        let known = self.0.entry(server.clone()).or_default();
        let last = known
            .last()
            .map_or(Timestamp::UNIX_EPOCH, |table| table.computed_at);
        for text in tx.split_tables_after(server, last).await? {
            let table = SplitTableRecord::from_text(&text)?.table;
            known.push(Table {
                computed_at: table.computed_at,
                splits: table
                    .splits
                    .iter()
                    .chain(&table.alternatives)
                    .map(seats)
                    .collect(),
            });
        }
        Ok(())
    }

    /// Returns `true` if the teams of `round` follow a split of the last table before its end, and after `begin`.
    /// Returns `None` for a round before the oldest table that is kept.
    pub(super) fn are_followed(&self, round: &Round, begin: Timestamp) -> Option<bool> {
        let tables = self
            .0
            .get(&round.parts().server)
            .map_or(&[][..], |known| known);
        let ended_at = round.ended_at();
        if tables
            .first()
            .is_some_and(|first| first.computed_at > ended_at)
        {
            return None;
        }
        let before = tables.partition_point(|table| table.computed_at <= ended_at);
        let table = tables[..before]
            .last()
            .filter(|table| table.computed_at > begin);
        Some(table.is_some_and(|table| table.splits.iter().any(|split| follows(round, split))))
    }
}

fn seats(split: &SplitRecord) -> PlayerMap<Side> {
    let team = |players: &[_], side| -> Vec<_> { players.iter().map(|id| (*id, side)).collect() };
    let (a, b) = (team(&split.a, Side::A), team(&split.b, Side::B));
    a.into_iter().chain(b).collect()
}

fn follows(round: &Round, split: &PlayerMap<Side>) -> bool {
    let starters = || round.entries().filter(|(_, entry)| entry.at_start);
    let seated = |mirrored: bool| {
        let as_in_split = |(side, entry): &(Side, &crate::domain::PlayerEntry)| {
            split
                .get(&entry.id)
                .is_some_and(|seat| (seat == side) != mirrored)
        };
        starters().filter(as_in_split).count()
    };
    100 * seated(false).max(seated(true)) >= FOLLOWED * starters().count()
}
