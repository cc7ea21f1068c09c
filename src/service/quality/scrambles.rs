use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::api::SplitAnswer;
use crate::domain::{PlayerEntry, PlayerId, PlayerMap, Round, ServerName, Side, Timestamp};
use crate::service::splits::stored::SplitTableRecord;
use crate::store::{StoreError, Tx};

/// Minimum share, in percent, of the players at the start of a round whose teams match a split of RBS, for the round
/// to count as scrambled.
const FOLLOWED: usize = 80;

/// Stored splits of game servers, by which rounds are recognized as scrambled.
#[derive(Debug, Default)]
pub(super) struct Scrambles(HashMap<ServerName, Tables>);

/// Tables of splits (answers to one server's requests for teams) computed after the end of the server's last round that
/// was looked up.
#[derive(Debug, Default)]
struct Tables {
    /// Time at which the game server's oldest stored table of splits was computed.
    oldest: Option<Timestamp>,
    latest: Option<Timestamp>,
    waiting: VecDeque<Table>,
}

#[derive(Debug)]
struct Table {
    computed_at: Timestamp,
    splits: Vec<PlayerMap<Side>>,
    /// Number of consecutive rounds that players had waited when the table was computed.
    waited: BTreeMap<PlayerId, u32>,
}

impl Scrambles {
    /// Reads the stored tables of splits of the game server `server` that are newer than the tables already read.
    pub(super) async fn read(
        &mut self,
        tx: &mut Tx,
        server: &ServerName,
    ) -> Result<(), StoreError> {
        let known = self.0.entry(server.clone()).or_default();
        let latest = known.latest.unwrap_or(Timestamp::UNIX_EPOCH);
        for text in tx.split_tables_after(server, latest).await? {
            let SplitTableRecord { table, waited, .. } = SplitTableRecord::from_text(&text)?;
            let splits = table.splits.iter().chain(&table.alternatives);
            known.oldest = known.oldest.or(Some(table.computed_at));
            known.latest = Some(table.computed_at);
            known.waiting.push_back(Table {
                computed_at: table.computed_at,
                splits: splits.map(seats).collect(),
                waited,
            });
        }
        Ok(())
    }

    /// Returns `true` if the teams of a server's next round follow a split of the last table before its end, and after
    /// `begin`. Returns `None` for a round before the oldest table that is stored. Also returns the numbers of
    /// consecutive rounds that players of the round had waited before, by the same table. Drops the tables up to the
    /// round's end, which are of no use for later rounds.
    pub(super) fn take_followed(
        &mut self,
        round: &Round,
        begin: Timestamp,
    ) -> (Option<bool>, Vec<u32>) {
        let ended_at = round.ended_at();
        let Some(known) = self.0.get_mut(&round.parts().server) else {
            return (Some(false), Vec::new());
        };
        if known.oldest.is_some_and(|oldest| oldest > ended_at) {
            return (None, Vec::new());
        }
        let before = known
            .waiting
            .partition_point(|table| table.computed_at <= ended_at);
        let last = known.waiting.drain(..before).next_back();
        let Some(table) = last.filter(|table| table.computed_at > begin) else {
            return (Some(false), Vec::new());
        };
        let players = round.participants();
        let waited = players.filter_map(|(_, entry)| table.waited.get(&entry.id).copied());
        let is_followed = table.splits.iter().any(|split| follows(round, split));
        (Some(is_followed), waited.collect())
    }
}

fn seats(split: &SplitAnswer) -> PlayerMap<Side> {
    let team = |players: &[_], side| -> Vec<_> { players.iter().map(|id| (*id, side)).collect() };
    let (a, b) = (team(&split.a, Side::A), team(&split.b, Side::B));
    a.into_iter().chain(b).collect()
}

fn follows(round: &Round, split: &PlayerMap<Side>) -> bool {
    let starters = || round.entries().filter(|(_, entry)| entry.at_start);
    let seated = |mirrored: bool| {
        let as_in_split = |(side, entry): &(Side, &PlayerEntry)| {
            split
                .get(&entry.id)
                .is_some_and(|seat| (seat == side) != mirrored)
        };
        starters().filter(as_in_split).count()
    };
    100 * seated(false).max(seated(true)) >= FOLLOWED * starters().count()
}
