use super::book::Book;
use crate::rating::{CalibrationBin, PredictionTotals};
use crate::store::{PoolRecord, RoundGroup};

/// Which of a pool's running figures are not what the log gives, in words.
pub(super) fn differing_sums(pool: &PoolRecord, computed: &Book) -> Vec<String> {
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
pub(super) fn same_sums(stored: &PredictionTotals, computed: &PredictionTotals) -> bool {
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
pub(super) fn group_name(group: &RoundGroup) -> String {
    format!("the sums of the {} {}", group.kind.name(), group.name)
}
