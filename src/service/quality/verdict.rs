use super::recent::RecentRounds;
use crate::api::VerdictAnswer;
use crate::domain::PoolName;
use crate::rating::{
    GroupTotals, Judgement, MIN_FITTED_ROUNDS, ModelName, Parameters, Remedy, VERDICT_NATS,
    VerdictWord, judge_odds, judge_theta, number,
};

pub(super) struct Judged<'rounds> {
    pub(super) pool: &'rounds PoolName,
    pub(super) parameters: &'rounds Parameters,
    pub(super) rounds: u64,
    pub(super) judgement: Judgement,
    /// Setting that lowers the log loss of the predictions most; `None` if no setting is advised.
    pub(super) remedy: Option<Remedy>,
    /// `true` if a map or server departs from the predictions.
    pub(super) has_departures: bool,
}

/// Returns `true` if the model computes win probabilities only from Θ and the lead, the difference of the teams' rating
/// sums. For such a model, the verdict judges Θ.
pub(super) fn follows_theta(model: ModelName) -> bool {
    matches!(model, ModelName::SynElo | ModelName::Elo)
}

/// Judges the latest predictions of a pool. A pool with copied rounds is judged without the copies, which the totals
/// contain.
pub(super) fn judgement(
    model: ModelName,
    theta: f64,
    leads: &[GroupTotals],
    recent: &RecentRounds,
) -> Judgement {
    if follows_theta(model) && recent.copies().is_empty() {
        judge_theta(leads, theta)
    } else {
        judge_odds(&recent.rounds)
    }
}

/// Describes whether the predictions of a pool are honest, in a sentence with advice.
pub(super) fn verdict(judged: &Judged<'_>) -> VerdictAnswer {
    let judgement = &judged.judgement;
    let remedy = judged.remedy;
    let fitted = judgement.fitted.filter(|_| judgement.word.is_off());
    let missing_rounds = match judgement.word {
        VerdictWord::TooFewRounds => MIN_FITTED_ROUNDS.saturating_sub(judged.rounds),
        _ => 0,
    };
    let any = judgement.rounds > 0;
    let pool = judged.pool;
    let set = |key: &str, value: f64| {
        (
            format!("rbs rebuild --pool {pool} --dry-run --set {key}={value}"),
            Some(format!("{key} = {value} under [{}]", table(pool))),
        )
    };
    let (command, setting) = remedy
        .map(|remedy| match remedy {
            Remedy::Theta(theta) => set("theta", theta),
            Remedy::KMax(k_max) => set("k_max", k_max),
            // A pool with rounds takes its model from the switch alone.
            Remedy::Model(model) => (
                format!("rbs switch --pool {pool} --to {} --dry-run", model.name()),
                None,
            ),
        })
        .unzip();
    VerdictAnswer {
        word: judgement.word,
        message: message(judged, missing_rounds),
        missing_rounds,
        slope: judgement.slope,
        slope_low: judgement.interval.map(|(low, _)| low),
        slope_high: judgement.interval.map(|(_, high)| high),
        theta: remedy.and_then(|remedy| match remedy {
            Remedy::Theta(theta) => Some(theta),
            Remedy::KMax(_) | Remedy::Model(_) => None,
        }),
        command,
        setting: setting.flatten(),
        brier: any.then_some(judgement.now.brier),
        brier_fitted: fitted.map(|fitted| fitted.brier),
        log_loss: any.then_some(judgement.now.log_loss),
        log_loss_fitted: fitted.map(|fitted| fitted.log_loss),
    }
}

/// Returns Θ that fits the results of a judged pool; `None` if none does, or if the model's odds do not follow Θ.
pub(super) fn fitting_theta(judgement: &Judgement, model: ModelName, theta: f64) -> Option<f64> {
    let slope = judgement.slope.filter(|slope| *slope > 0.0)?;
    follows_theta(model).then(|| rounded(theta / slope))
}

/// Returns the name of the configuration table with the pool's constants.
pub(super) fn table(pool: &PoolName) -> String {
    if *pool == PoolName::default() {
        "rating".to_owned()
    } else {
        format!("pools.{pool}")
    }
}

/// Returns `theta`, an estimate of the best Θ from results, rounded to hundreds, or to tens below 1000. More digits
/// would suggest too much accuracy.
fn rounded(theta: f64) -> f64 {
    let step = if theta >= 1000.0 { 100.0 } else { 10.0 };
    (theta / step).round().max(1.0) * step
}

fn message(judged: &Judged<'_>, missing: u64) -> String {
    let judgement = &judged.judgement;
    let slope = fitted_slope(judgement);
    let beginning = match judgement.word {
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
                "Too even to test: by RBS's own ratings the teams were even (the odds were {:.1} percentage points \
                 from 50 % on average). Whether they really were cannot be seen from these results.",
                judgement.spread * 100.0
            );
        }
        VerdictWord::Honest => return honest(judgement, slope),
        VerdictWord::TooBold => "Too bold: favourites win less often than predicted",
        VerdictWord::TooTimid => "Too timid: favourites win more often than predicted",
    };
    let Some(slope) = slope else {
        let found = if judgement.slope.is_none() {
            "Too timid: favourites have won every round, more than predicted"
        } else {
            "Too bold: favourites win no more often than others"
        };
        return format!(
            "{found}, so no value of theta (the scale of the odds) fits; check whether the servers report the right \
             winners and all players of both teams."
        );
    };
    let gain = judgement.fitted.map_or_else(String::new, |fitted| {
        format!(
            "; correcting the odds lowers log loss from {:.4} to {:.4}",
            judgement.now.log_loss, fitted.log_loss
        )
    });
    let advice = match judged.remedy {
        _ if judged.has_departures => {
            "First correct the faults named below; they may be the cause.".to_owned()
        }
        Some(Remedy::Theta(theta)) => {
            format!(
                "theta = {theta} instead of {} would improve predictions most.",
                judged.parameters.theta
            )
        }
        Some(Remedy::KMax(k_max)) => format!(
            "The ratings move too {}: k_max = {k_max} instead of {} would improve predictions most, more than any \
             change of theta.",
            if k_max < judged.parameters.k_max {
                "fast"
            } else {
                "slowly"
            },
            judged.parameters.k_max
        ),
        Some(Remedy::Model(model)) => format!(
            "The model {} would improve predictions most, more than any change of theta or k_max.",
            model.name()
        ),
        None => "rbs evaluate shows which model predicts better.".to_owned(),
    };
    format!("{beginning}. {slope}{gain}. {advice}")
}

fn honest(judgement: &Judgement, slope: Option<String>) -> String {
    let Some(slope) = slope else {
        return "Honest: the predictions show no clear error.".to_owned();
    };
    let excludes_one = judgement
        .interval
        .is_some_and(|(low, high)| low > 1.0 || high < 1.0);
    match judgement.fitted {
        Some(fitted) if excludes_one => {
            let gain = (judgement.now.log_loss - fitted.log_loss) * number(judgement.rounds);
            format!(
                "Honest so far: no clear error. {slope}. The odds that fit best would lower the log loss by {gain:.1}, \
                 summed over these rounds. RBS advises a change only if this gain is at least {VERDICT_NATS}, to \
                 rule out chance, and large enough to matter."
            )
        }
        _ => format!("Honest: favourites win about as often as predicted. {slope}."),
    }
}

/// Describes the factor on the log-odds that fits the results best. `None` if no positive factor does.
fn fitted_slope(judgement: &Judgement) -> Option<String> {
    let slope = judgement.slope.filter(|slope| *slope > 0.0)?;
    let (low, high) = judgement.interval?;
    Some(format!(
        "Over {} rounds, a lead in rating helped {slope:.2} times as much as predicted (95 % interval {low:.2} to \
         {high:.2}; 1 is ideal)",
        judgement.rounds
    ))
}
