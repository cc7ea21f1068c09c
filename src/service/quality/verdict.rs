use crate::api::{CalibrationAnswer, VerdictAnswer};
use crate::domain::PoolName;
use crate::rating::{
    GroupTotals, Judgement, MIN_FITTED_ROUNDS, ModelName, Parameters, VerdictWord, WatchedRound,
    judge_odds, judge_theta, wilson,
};

pub(super) struct Judged<'rounds> {
    pub(super) pool: &'rounds PoolName,
    pub(super) model: ModelName,
    pub(super) parameters: &'rounds Parameters,
    /// Number of the pool's rated rounds.
    pub(super) rounds: u64,
    /// Sums over all rounds of the pool, of predicted and actual results, in bins by the favourite's rating lead in
    /// points.
    pub(super) leads: &'rounds [GroupTotals],
    /// Latest rounds of the pool with their predictions, oldest first.
    pub(super) recent: &'rounds [WatchedRound],
    pub(super) calibration: &'rounds [CalibrationAnswer],
}

/// Returns `true` if the model computes win probabilities only from Θ and the lead, the difference of the teams' rating
/// sums. For such a model, the verdict judges Θ.
pub(super) fn follows_theta(model: ModelName) -> bool {
    matches!(model, ModelName::SynElo | ModelName::Elo)
}

/// Judges whether the predictions of a pool are honest, in a sentence with advice.
pub(super) fn verdict(judged: &Judged<'_>) -> VerdictAnswer {
    let follows_theta = follows_theta(judged.model);
    let judgement = if follows_theta {
        judge_theta(judged.leads, judged.parameters.theta)
    } else {
        judge_odds(judged.recent)
    };
    let is_off = matches!(judgement.word, VerdictWord::TooBold | VerdictWord::TooTimid);
    let slope = judgement.slope.filter(|slope| *slope > 0.0);
    let theta = slope
        .filter(|_| is_off && follows_theta)
        .map(|slope| rounded(judged.parameters.theta / slope));
    let fitted = judgement.fitted.filter(|_| is_off);
    let missing_rounds = match judgement.word {
        VerdictWord::TooFewRounds => MIN_FITTED_ROUNDS.saturating_sub(judged.rounds),
        _ => 0,
    };
    let any = judgement.rounds > 0;
    VerdictAnswer {
        word: judgement.word,
        message: message(judged, &judgement, (theta, missing_rounds)),
        missing_rounds,
        theta,
        command: theta.map(|theta| {
            let pool = judged.pool;
            format!("rbs rebuild --pool {pool} --dry-run --set theta={theta}")
        }),
        setting: theta.map(|theta| format!("theta = {theta} under [{}]", table(judged.pool))),
        brier: any.then_some(judgement.now.brier),
        brier_fitted: fitted.map(|fitted| fitted.brier),
        log_loss: any.then_some(judgement.now.log_loss),
        log_loss_fitted: fitted.map(|fitted| fitted.log_loss),
    }
}

/// Returns the name of the configuration table with the pool's constants.
pub(super) fn table(pool: &PoolName) -> String {
    if *pool == PoolName::default() {
        "rating".to_owned()
    } else {
        format!("pools.{pool}")
    }
}

/// Rounds Θ to hundreds, or to tens below 1000. The estimate is no more exact than that.
fn rounded(theta: f64) -> f64 {
    let step = if theta >= 1000.0 { 100.0 } else { 10.0 };
    (theta / step).round().max(1.0) * step
}

fn message(judged: &Judged<'_>, judgement: &Judgement, way_out: (Option<f64>, u64)) -> String {
    let (theta, missing) = way_out;
    let manner = match judgement.word {
        VerdictWord::TooFewRounds => {
            let noun = if missing == 1 {
                "round is"
            } else {
                "rounds are"
            };
            return format!(
                "Too few rounds to judge the predictions: {missing} more {noun} needed."
            );
        }
        VerdictWord::TooEven => {
            return format!(
                "Too even to test: your teams were so even that hardly anybody was the favourite (the odds were \
                 {:.1} points from 50 % on the average). That is the goal.",
                judgement.spread * 100.0
            );
        }
        VerdictWord::Honest => {
            return match favourites(judged.calibration) {
                Some(share) => format!("Honest: {share}."),
                None => "Honest: nothing speaks against the predictions.".to_owned(),
            };
        }
        VerdictWord::TooBold => "bold",
        VerdictWord::TooTimid => "timid",
    };
    let share = favourites(judged.calibration);
    let share = share.map_or_else(String::new, |share| format!(" {share};"));
    let gain = judgement.fitted.map_or_else(String::new, |fitted| {
        format!(
            "Brier score {:.4} → {:.4}, log loss {:.4} → {:.4}",
            judgement.now.brier, fitted.brier, judgement.now.log_loss, fitted.log_loss
        )
    });
    match (theta, judgement.slope) {
        (Some(theta), _) => format!(
            "Too {manner}:{share} theta = {theta} would have predicted better than {} ({gain}).",
            judged.parameters.theta
        ),
        (None, Some(slope)) if slope > 0.0 => format!(
            "Too {manner}:{share} the odds should be {} from 50 % ({gain}); rbs evaluate shows which model \
             predicts better.",
            if manner == "bold" {
                "less far"
            } else {
                "farther"
            }
        ),
        (None, None) => {
            "Too timid: favourites always win, so that no theta fits; check whether the servers \
             report the right winners."
                .to_owned()
        }
        (None, Some(_)) => format!(
            "Too {manner}:{share} favourites win no more often than others, so that no theta fits; check \
             whether the servers report the right winners and whole teams."
        ),
    }
}

/// Describes how often favourites with certain odds won. Chooses the calibration bin with the most evidence.
fn favourites(calibration: &[CalibrationAnswer]) -> Option<String> {
    let halves = calibration.len() / 2;
    let (others, favourites) = calibration.split_at(halves);
    let bins = favourites
        .iter()
        .zip(others.iter().rev())
        .map(|(favourite, other)| {
            let won = |bin: &CalibrationAnswer| bin.observed.unwrap_or(0.0) * number(bin.rounds);
            let rounds = favourite.rounds + other.rounds;
            let lost_by_the_other = number(other.rounds) - won(other);
            (favourite, rounds, won(favourite) + lost_by_the_other)
        });
    // Evidence in a bin for or against honest odds.
    let weight = |(bin, rounds, _): &(&CalibrationAnswer, u64, f64)| {
        let distance = f64::midpoint(bin.from, bin.to) - 0.5;
        number(*rounds) * distance * distance
    };
    let (bin, rounds, won) = bins.max_by(|one, other| weight(one).total_cmp(&weight(other)))?;
    let share = won / number(rounds);
    let interval = wilson(Some(share), rounds)?;
    Some(format!(
        "of teams given {:.0} to {:.0} %, {:.0} % won (chance allows {:.0} to {:.0} %), in {}",
        bin.from * 100.0,
        bin.to * 100.0,
        share * 100.0,
        interval.low * 100.0,
        interval.high * 100.0,
        if rounds == 1 {
            "1 round".to_owned()
        } else {
            format!("{rounds} rounds")
        },
    ))
}

#[expect(clippy::cast_precision_loss, reason = "counts lie far below 2^53")]
fn number(count: u64) -> f64 {
    count as f64
}
