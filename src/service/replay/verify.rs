mod sums;

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;
use sums::{differing_sums, group_name, same_sums};

use super::load::Stored;
use super::rebuild::Watch;
use super::{Applied, Replay, ReplayError};
use crate::config::Overrides;
use crate::domain::{PlayerId, PlayerMap, Progress};
use crate::rating::{Entry, GroupKind, PlayerResult, PlayerState, RoundGroup, RoundResult};
use crate::service::phrases::plural;
use crate::service::{Service, ServiceError};
use crate::store::{EntryChunk, PoolId, PoolRecord, StoreError, Tx};

const PAGE: u32 = 1_000;
/// Number of rows that a check reads at once from tables with short rows.
const LONG_PAGE: u32 = 10_000;
/// Maximum number of differences between stored and recomputed figures that a check describes. Further differences are
/// only counted.
const NAMED: usize = 20;

/// Result of a check, which compares a pool's stored ratings, results and sums with a recomputation from its log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Number of rounds whose results were recomputed to check a pool's stored ratings.
    pub rounds: u64,
    /// Number of players whose stored ratings and totals were compared with a recomputation.
    pub players: u64,
    /// Number of stored entries (one player in one round) that were compared with a recomputation.
    pub entries: u64,
    /// Number of differences between the pool's stored ratings, results and sums and those recomputed from its log.
    pub differences: u64,
    /// Descriptions of the first differences between stored and recomputed ratings, results and sums, at most 20.
    pub named: Vec<String>,
}

/// Check in progress, which compares all stored ratings, results and sums of a pool with a replay of its log.
///
/// Results are compared as they are computed, players and sums at the end. The entries of each player are hashed in
/// order, once as computed and once as stored. So the check neither holds all entries in memory nor looks them up one
/// by one.
struct Check {
    replay: Replay,
    /// Log position up to which rounds are pruned and cannot be computed.
    pruned: u64,
    results: VecDeque<RoundResult>,
    /// Log position of the last stored result of a round that was read for comparison with the replay.
    results_read: u64,
    entries: PlayerMap<Hashed>,
    found: Checked,
}

/// Hash over the rounds of a player in their order, to compare stored with computed rounds.
#[derive(Clone, Debug, Default)]
struct Hashed {
    count: u64,
    hasher: DefaultHasher,
}

impl Hashed {
    fn add(&mut self, entry: &Entry) {
        self.count += 1;
        let totals = entry.totals;
        (entry.number, entry.position, totals.rating).hash(&mut self.hasher);
        (totals.rating_squared, totals.expected, totals.score_halves).hash(&mut self.hasher);
        entry.ended_at.hash(&mut self.hasher);
    }
}

impl Service {
    /// Compares all stored figures of a pool with a replay of its log, in one snapshot. Changes nothing.
    pub async fn check_pool(
        &self,
        pool: &PoolRecord,
        watch: Watch<'_>,
    ) -> Result<Checked, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pool = tx.pool(pool.id).await?;
        let stored = Stored::of_pruned(&pool);
        let replay =
            Replay::open_behind_pruned(&mut tx, &pool, Overrides::default(), stored).await?;
        let mut check = Check {
            replay,
            pruned: pool.pruned,
            results: VecDeque::new(),
            results_read: pool.pruned,
            entries: PlayerMap::default(),
            found: Checked::default(),
        };
        check.compare_rounds(&mut tx, &pool, watch).await?;
        check.compare_entries(&mut tx, pool.id).await?;
        check.compare_players(&mut tx, pool.id).await?;
        check.compare_sums(&mut tx, &pool).await?;
        check.compare_standings(&mut tx, pool.id).await?;
        Ok(check.found)
    }

    /// Returns descriptions of the corrupt pages, indexes and references that the database finds in itself.
    pub async fn damage(&self) -> Result<Vec<String>, ServiceError> {
        Ok(self.store.begin_read().await?.damage().await?)
    }
}

impl Check {
    async fn compare_rounds(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        watch: Watch<'_>,
    ) -> Result<(), ReplayError> {
        loop {
            let page = self.replay.next_page(tx, pool.id, PAGE).await?;
            if page.is_empty() {
                break;
            }
            self.replay.loaded.clear();
            for entry in page {
                let expected = self.replay.position + 1;
                if entry.position() != expected {
                    let gap = format!("the log has no entry at position {expected}");
                    self.differ(|| gap);
                    self.replay.position = entry.position() - 1;
                }
                let Some(applied) = self.replay.apply(entry)? else {
                    continue;
                };
                if self.results.is_empty() {
                    let read = tx.results_after(pool.id, self.results_read, PAGE).await?;
                    self.results_read = read.last().map_or(self.results_read, |last| last.position);
                    self.results.extend(read);
                }
                self.compare_round(&applied);
            }
            watch(Progress {
                done: self.replay.position,
                total: pool.log_length,
            });
        }
        let left = tx.results_after(pool.id, self.results_read, PAGE).await?;
        self.results.extend(left);
        self.name_strays(u64::MAX);
        let reached = self.replay.position;
        if reached != pool.log_length {
            self.differ(|| format!("the log ends at {reached}, and not at {}", pool.log_length));
        }
        Ok(())
    }

    fn compare_round(&mut self, applied: &Applied) {
        self.found.rounds += 1;
        let (round, result) = (&applied.round, &applied.rated.result);
        let parts = round.round.parts();
        let name = || {
            format!(
                "the round {} of the server {} (position {} of the log)",
                parts.round_id, parts.server, round.position
            )
        };
        if applied.has_stale_marks {
            let (not, winner) = (round.voided_at.map_or("not ", |_| ""), parts.winner);
            let is = format!("is {not}void and its winner is {winner}");
            self.differ(|| {
                format!(
                    "according to the log, {} {is}, but its database row says otherwise",
                    name()
                )
            });
        }
        self.name_strays(round.position);
        let is_its = |stored: &mut RoundResult| stored.position == round.position;
        match self.results.pop_front_if(is_its) {
            None => self.differ(|| format!("{} has no result", name())),
            Some(stored) => {
                if let Some(what) = difference(&stored, result) {
                    self.differ(|| format!("the stored result of {} is wrong: {what}", name()));
                }
            }
        }
        for entry in &applied.rated.entries {
            self.entries.entry(entry.player).or_default().add(entry);
        }
    }

    /// Counts as a difference each stored result before log position `position` that belongs to no round of the log.
    fn name_strays(&mut self, position: u64) {
        let is_stray = |stored: &mut RoundResult| stored.position < position;
        while let Some(stray) = self.results.pop_front_if(is_stray) {
            self.differ(|| {
                format!(
                    "a result is stored for position {} of the log, but the log has no round there",
                    stray.position
                )
            });
        }
    }

    async fn compare_entries(&mut self, tx: &mut Tx, pool: PoolId) -> Result<(), StoreError> {
        let mut stored: BTreeMap<PlayerId, Hashed> = BTreeMap::new();
        let mut last = None;
        loop {
            let page = tx.chunks_after(pool, last, LONG_PAGE).await?;
            let Some(end) = page.last() else { break };
            last = Some((end.player, end.chunk));
            self.add_entries(&mut stored, &page);
        }
        let mut last = None;
        loop {
            let page = tx.players_after(pool, last, LONG_PAGE).await?;
            let Some(end) = page.last() else { break };
            last = Some(end.id);
            let players: Vec<PlayerId> = page.iter().map(|player| player.id).collect();
            self.add_entries(&mut stored, &tx.last_rows(pool, &players).await?);
        }
        for (player, stored) in stored {
            self.found.entries += stored.count;
            self.compare_hashed(player, &stored);
        }
        let mut missing: Vec<PlayerId> = self.entries.drain().map(|(player, _)| player).collect();
        missing.sort_unstable();
        for player in missing {
            self.differ(|| format!("the player {player} has no stored results"));
        }
        Ok(())
    }

    fn add_entries(&self, stored: &mut BTreeMap<PlayerId, Hashed>, rows: &[EntryChunk]) {
        let entries = rows.iter().flat_map(|row| &row.entries);
        for entry in entries.filter(|entry| entry.position > self.pruned) {
            stored.entry(entry.player).or_default().add(entry);
        }
    }

    fn compare_hashed(&mut self, player: PlayerId, stored: &Hashed) {
        let computed = self.entries.remove(&player).unwrap_or_default();
        let (are, should) = (stored.count, computed.count);
        if are != should {
            self.differ(|| {
                format!("the player {player} has {are} stored results; the log gives {should}")
            });
        } else if stored.hasher.finish() != computed.hasher.finish() {
            self.differ(|| {
                format!(
                    "the totals stored with the rounds of the player {player} differ from those computed from the log"
                )
            });
        }
    }

    async fn compare_players(&mut self, tx: &mut Tx, pool: PoolId) -> Result<(), ReplayError> {
        let mut last = None;
        let mut known = 0;
        loop {
            let page = tx.players_after(pool, last, LONG_PAGE).await?;
            let Some(end) = page.last() else { break };
            last = Some(end.id);
            // A player may have only pruned rounds.
            let others: Vec<PlayerId> = page
                .iter()
                .map(|player| player.id)
                .filter(|id| self.replay.engine.known(*id).is_none())
                .collect();
            let read = self.replay.read_players(tx, pool, &others).await?;
            let read: PlayerMap<PlayerState> =
                read.into_iter().map(|player| (player.id, player)).collect();
            for stored in &page {
                self.found.players += 1;
                let held = self.replay.engine.known(stored.id);
                known += usize::from(held.is_some());
                let different = match held.or_else(|| read.get(&stored.id)) {
                    Some(computed) if computed == stored => continue,
                    Some(computed) => other_player(stored, computed),
                    None => format!(
                        "the player {} is in the database but not in the pool's log",
                        stored.id
                    ),
                };
                self.differ(|| different);
            }
        }
        if self.pruned > 0 {
            let mut without_row = tx.players_without_row(pool).await?;
            // Players who are computed but not stored are counted below.
            without_row.retain(|player| self.replay.engine.known(*player).is_none());
            for player in without_row {
                self.differ(|| {
                    format!("the player {player} has stored results but no stored rating")
                });
            }
        }
        let missing = self.replay.engine.player_count() - known;
        if missing > 0 {
            let one = "player with rounds in the log has no stored rating";
            let several = "players with rounds in the log have no stored rating";
            self.differ(|| plural(missing, one, several));
        }
        Ok(())
    }

    async fn compare_sums(&mut self, tx: &mut Tx, pool: &PoolRecord) -> Result<(), StoreError> {
        for words in differing_sums(pool, &self.replay.engine) {
            self.differ(|| words);
        }
        let mut computed = self.replay.engine.take_groups();
        for kind in GroupKind::ALL {
            for (name, stored) in tx.groups(pool.id, kind, u32::MAX).await? {
                let group = RoundGroup { kind, name };
                let computed = computed.remove(&group).unwrap_or_default();
                if stored != computed {
                    let group = group_name(&group);
                    self.differ(|| format!("{group} are {stored:?}; the log gives {computed:?}"));
                }
            }
        }
        for group in computed.keys() {
            self.differ(|| format!("{} are not stored", group_name(group)));
        }
        Ok(())
    }

    fn differ(&mut self, words: impl FnOnce() -> String) {
        self.found.differences += 1;
        if self.found.named.len() < NAMED {
            self.found.named.push(words());
        }
    }
}

fn other_player(stored: &PlayerState, computed: &PlayerState) -> String {
    let [is, should] = [stored, computed].map(|player| (player.rating, player.rounds));
    let totals = (is == should).then_some(", but with different totals or model state");
    format!(
        "the player {} is stored with the rating {} after {} rounds; the log gives {} after {}{}",
        stored.id,
        is.0,
        is.1,
        should.0,
        should.1,
        totals.unwrap_or_default()
    )
}

/// Describes the first difference, to the last bit, between the stored and the computed result of a round.
pub(super) fn difference(stored: &RoundResult, computed: &RoundResult) -> Option<String> {
    let (are, should) = (stored.players.len(), computed.players.len());
    if are != should {
        return Some(format!("it has {are} participants, not {should}"));
    }
    let is_other = |(stored, computed): &(&PlayerResult, &PlayerResult)| {
        stored != computed || stored.k.to_bits() != computed.k.to_bits()
    };
    if let Some((is, should)) = stored.players.iter().zip(&computed.players).find(is_other) {
        return Some(format!("{is:?}; the log gives {should:?}"));
    }
    let [is, should] = [stored, computed].map(|result| result.win_probability.get());
    if is.to_bits() != should.to_bits() {
        return Some(format!(
            "the stored odds are {is}, but the log gives {should}"
        ));
    }
    let [is, should] = [stored.theta, computed.theta];
    if is.to_bits() != should.to_bits() {
        return Some(format!("theta is {is}; the log gives {should}"));
    }
    let [are, should] = [stored.predictions, computed.predictions];
    (!same_sums(&are, &should))
        .then(|| format!("the sums of prediction scores are {are:?}; the log gives {should:?}"))
}
