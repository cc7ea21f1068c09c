use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::projection::Projection;
use super::rebuild::{Progress, Watch};
use super::{Applied, Replay, ReplayError};
use crate::config::Overrides;
use crate::domain::PlayerId;
use crate::rating::{CalibrationBin, PredictionTotals};
use crate::service::{Service, ServiceError};
use crate::store::{
    GroupKind, NewEntry, PoolId, PoolRecord, RoundGroup, RoundResult, StoreError, Tx,
};

/// How much is read at a time.
const PAGE: u32 = 1_000;
/// Rows of short columns that are read at a time.
const LONG_PAGE: u32 = 10_000;
/// As many differences as are named; the others are counted.
const NAMED: usize = 20;

/// What a check of a pool found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Rounds that were computed.
    pub rounds: u64,
    /// Players who were compared.
    pub players: u64,
    /// Entries that were compared.
    pub entries: u64,
    /// What is not as the log says.
    pub differences: u64,
    /// The first of it, in words.
    pub named: Vec<String>,
}

/// A check under way: everything that the active projection says is compared with what the log gives.
///
/// Results are compared as they are computed, players and sums at the end. Of the entries each
/// player's are hashed as they are computed, in order, and again as they are read, so that neither
/// all of them have to be held nor looked up one by one.
struct Check {
    replay: Replay,
    results: VecDeque<RoundResult>,
    /// The position behind which no result was read yet.
    results_read: u64,
    entries: HashMap<PlayerId, Hashed>,
    found: Checked,
}

/// Entries of a player, in their order.
#[derive(Clone, Debug, Default)]
struct Hashed {
    count: u64,
    hasher: DefaultHasher,
}

impl Hashed {
    fn add(&mut self, entry: &NewEntry) {
        self.count += 1;
        let totals = entry.totals;
        (entry.number, entry.position, totals.rating).hash(&mut self.hasher);
        (totals.rating_squared, totals.expected, totals.score_halves).hash(&mut self.hasher);
    }

    fn is(&self, other: &Self) -> bool {
        self.count == other.count && self.hasher.finish() == other.hasher.finish()
    }
}

impl Service {
    /// Compares everything that is stored of a pool with what its log gives, at one moment, while
    /// everything else goes on. Changes nothing.
    pub async fn check_pool(
        &self,
        pool: &PoolRecord,
        watch: Watch<'_>,
    ) -> Result<Checked, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pool = tx.pool(pool.id).await?;
        let mut check = Check {
            replay: Replay::open(&mut tx, Overrides::default()).await?,
            results: VecDeque::new(),
            results_read: 0,
            entries: HashMap::new(),
            found: Checked::default(),
        };
        check.compare_rounds(&mut tx, &pool, watch).await?;
        check.compare_entries(&mut tx, pool.id).await?;
        check.compare_players(&mut tx, pool.id).await?;
        check.compare_sums(&mut tx, &pool).await?;
        Ok(check.found)
    }

    /// What the database itself finds wrong with its pages, indexes and references, in words.
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
            for entry in page {
                let expected = self.replay.position + 1;
                if entry.position() != expected {
                    let gap = format!("the log has nothing at its place {expected}");
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
        for stray in self.results.split_off(0).into_iter().chain(left) {
            self.differ(|| format!("there is a result at place {} and no round", stray.position));
        }
        if self.replay.position != pool.log_length {
            let reached = self.replay.position;
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
                "the round {} of {} at place {}",
                parts.round_id, parts.server, round.position
            )
        };
        if applied.has_stale_void_flag {
            let state = match round.voided_at {
                Some(_) => "void",
                None => "not void",
            };
            self.differ(|| format!("{} is {state}, and is noted otherwise", name()));
        }
        while self
            .results
            .front()
            .is_some_and(|stored| stored.position < round.position)
        {
            if let Some(stray) = self.results.pop_front() {
                self.differ(|| {
                    format!("there is a result at place {} and no round", stray.position)
                });
            }
        }
        let stored = match self.results.front() {
            Some(stored) if stored.position == round.position => self.results.pop_front(),
            _ => None,
        };
        match stored {
            None => self.differ(|| format!("{} has no result", name())),
            Some(stored) if !same_result(&stored, result) => {
                let what = difference(&stored, result);
                self.differ(|| format!("{} has another result: {what}", name()));
            }
            Some(_) => {}
        }
        for entry in &applied.rated.entries {
            self.entries.entry(entry.player).or_default().add(entry);
        }
    }

    async fn compare_entries(&mut self, tx: &mut Tx, pool: PoolId) -> Result<(), StoreError> {
        let mut last = None;
        let mut current: Option<(PlayerId, Hashed)> = None;
        loop {
            let page = tx.entries_after(pool, last, LONG_PAGE).await?;
            for entry in &page {
                self.found.entries += 1;
                if current
                    .as_ref()
                    .is_none_or(|(player, _)| *player != entry.player)
                {
                    self.compare_hashed(current.take());
                }
                let (_, hashed) = current.get_or_insert_with(|| (entry.player, Hashed::default()));
                hashed.add(entry);
            }
            match page.last() {
                Some(entry) => last = Some((entry.player, entry.number)),
                None => break,
            }
        }
        self.compare_hashed(current);
        let mut missing: Vec<PlayerId> = self.entries.drain().map(|(player, _)| player).collect();
        missing.sort_unstable();
        for player in missing {
            self.differ(|| format!("the player {player} has no entries"));
        }
        Ok(())
    }

    fn compare_hashed(&mut self, stored: Option<(PlayerId, Hashed)>) {
        let Some((player, stored)) = stored else {
            return;
        };
        let computed = self.entries.remove(&player).unwrap_or_default();
        if !stored.is(&computed) {
            let counts = (stored.count, computed.count);
            self.differ(|| {
                if counts.0 == counts.1 {
                    format!("the entries of the player {player} hold other totals")
                } else {
                    format!(
                        "the player {player} has {} entries, not {}",
                        counts.0, counts.1
                    )
                }
            });
        }
    }

    async fn compare_players(&mut self, tx: &mut Tx, pool: PoolId) -> Result<(), StoreError> {
        let mut last = None;
        let mut known = 0;
        loop {
            let page = tx.players_after(pool, last, LONG_PAGE).await?;
            for stored in &page {
                self.found.players += 1;
                let computed = self.replay.projection.known(stored.id).cloned();
                known += usize::from(computed.is_some());
                match computed {
                    None => self.differ(|| format!("the log knows no player {}", stored.id)),
                    Some(computed) if computed != *stored => self.differ(|| {
                        format!(
                            "the player {} is stored with the rating {} after {} rounds; the log \
                             gives {} after {}{}",
                            stored.id,
                            stored.rating,
                            stored.rounds,
                            computed.rating,
                            computed.rounds,
                            if (stored.rating, stored.rounds) == (computed.rating, computed.rounds)
                            {
                                ", with other totals"
                            } else {
                                ""
                            }
                        )
                    }),
                    Some(_) => {}
                }
            }
            match page.last() {
                Some(player) => last = Some(player.id),
                None => break,
            }
        }
        let missing = self.replay.projection.len() - known;
        if missing > 0 {
            self.differ(|| match missing {
                1 => "1 player of the log is not stored".to_owned(),
                several => format!("{several} players of the log are not stored"),
            });
        }
        Ok(())
    }

    async fn compare_sums(&mut self, tx: &mut Tx, pool: &PoolRecord) -> Result<(), StoreError> {
        for words in differing_sums(pool, &self.replay.projection) {
            self.differ(|| words);
        }
        let mut computed = self.replay.projection.take_groups();
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
            self.differ(|| format!("{} are not there", group_name(group)));
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

/// Whether they are the same to the last bit.
fn same_result(stored: &RoundResult, computed: &RoundResult) -> bool {
    let bits = |result: &RoundResult| {
        let players = result.players.iter();
        let of_k: Vec<u64> = players.map(|player| player.k.to_bits()).collect();
        let odds = result.win_probability.get();
        (of_k, odds.to_bits(), result.theta.to_bits())
    };
    stored == computed
        && bits(stored) == bits(computed)
        && same_sums(&stored.predictions, &computed.predictions)
}

/// What is not the same, the first of it.
fn difference(stored: &RoundResult, computed: &RoundResult) -> String {
    if stored.players.len() != computed.players.len() {
        let (are, should) = (stored.players.len(), computed.players.len());
        return format!("of {are} participants, not {should}");
    }
    let mut players = stored.players.iter().zip(&computed.players);
    if let Some((stored, computed)) = players.find(|(stored, computed)| stored != computed) {
        return format!("{stored:?}; the log gives {computed:?}");
    }
    if stored.win_probability != computed.win_probability {
        let (is, should) = (stored.win_probability.get(), computed.win_probability.get());
        return format!("the odds {is}; the log gives {should}");
    }
    if stored.theta.to_bits() != computed.theta.to_bits() {
        return format!("theta {}; the log gives {}", stored.theta, computed.theta);
    }
    format!(
        "the sums {:?}; the log gives {:?}",
        stored.predictions, computed.predictions
    )
}

/// Which of a pool's running figures are not what the log gives, in words.
pub(crate) fn differing_sums(pool: &PoolRecord, computed: &Projection) -> Vec<String> {
    let mut differing = Vec::new();
    if !same_sums(&pool.predictions, &computed.predictions) {
        let (stored, computed) = (pool.predictions, computed.predictions);
        differing.push(format!(
            "the sums are {stored:?}; the log gives {computed:?}"
        ));
    }
    let bins = |bins: &[CalibrationBin]| -> Vec<(u64, u64, u64)> {
        let bits = |bin: &CalibrationBin| (bin.rounds, bin.predicted.to_bits(), bin.score_halves);
        bins.iter().map(bits).collect()
    };
    if bins(pool.calibration.bins()) != bins(computed.calibration.bins()) {
        differing.push("the calibration is not what the log gives".to_owned());
    }
    if pool.experience != computed.experience {
        differing.push("the sums by rounds played are not what the log gives".to_owned());
    }
    differing
}

/// Whether they are the same to the last bit.
pub(crate) fn same_sums(stored: &PredictionTotals, computed: &PredictionTotals) -> bool {
    let bits = |sums: &PredictionTotals| {
        let favourites = &sums.favourites;
        let floats = [
            sums.brier,
            sums.log_loss,
            favourites.predicted,
            favourites.brier,
        ];
        floats.map(f64::to_bits)
    };
    stored == computed && bits(stored) == bits(computed)
}

/// The sums of a group of rounds, as a part of a sentence.
pub(crate) fn group_name(group: &RoundGroup) -> String {
    format!("the sums of the {} {}", group.kind.name(), group.name)
}
