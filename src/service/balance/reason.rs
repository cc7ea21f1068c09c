use crate::api::SuppressionAnswer;
use crate::balance::{Reason, Suppression};
use crate::service::phrases::plural;
use crate::store::BrokenRule;

/// Names of all balance rules that the teams of a match may break, in the order of [`Reason`].
pub(crate) const RULES: [&str; 6] = [
    "size_difference",
    "size_pairs",
    "power_difference",
    "power_ratio",
    "win_probability",
    "bots",
];

/// Describes a broken balance rule: its name, the measured value, the limit, and a clause for sentences.
pub(crate) fn broken_rule(reason: &Reason) -> BrokenRule {
    let whole = |count: usize| u32::try_from(count).map(f64::from).ok();
    let (rule, value, limit, detail) = match *reason {
        Reason::SizeDifference { by, from } => (
            "size_difference",
            whole(by),
            whole(from),
            format!(
                "sizes differ by {}; {from} {} too many",
                plural(by, "player", "players"),
                if from == 1 { "is" } else { "are" }
            ),
        ),
        Reason::SizePair {
            larger,
            smaller,
            at_least,
            at_most,
        } => (
            "size_pairs",
            whole(smaller),
            whole(at_most),
            format!(
                "{larger} v {smaller}; {at_least} or more against {at_most} or fewer is too uneven"
            ),
        ),
        Reason::PowerDifference { by, from } => (
            "power_difference",
            Some(by.points()),
            Some(from.points()),
            format!(
                "the total weights of the teams differ by {}; {} or more is too much",
                by.points(),
                from.points()
            ),
        ),
        Reason::PowerRatio { by, above } => (
            "power_ratio",
            by.map(|by| f64::from(by) / 10_000.0),
            Some(f64::from(above) / 10_000.0),
            match by {
                Some(by) => format!(
                    "one team weighs {} more than the other; over {} is too much",
                    percent(by),
                    percent(above)
                ),
                None => format!(
                    "one team has a total weight of 0; the other may weigh at most {} more",
                    percent(above)
                ),
            },
        ),
        Reason::WinProbability { is, above } => (
            "win_probability",
            Some(is.get()),
            Some(above.get()),
            format!(
                "the favourite wins with a probability of {:.4}; above {} is too much",
                is.get(),
                above.get()
            ),
        ),
        Reason::Bots => (
            "bots",
            None,
            None,
            "the numbers of bots should change".to_owned(),
        ),
    };
    BrokenRule {
        rule: rule.to_owned(),
        value,
        limit,
        detail,
    }
}

/// Describes why the balance policy leaves the teams alone: the name of the rule, and a clause for sentences.
pub(crate) fn suppression(suppression: &Suppression) -> SuppressionAnswer {
    let (rule, detail) = match suppression {
        Suppression::Mode(mode) => (
            "mode",
            format!("teams are left alone in the mode \"{}\"", mode.as_str()),
        ),
        Suppression::Ending {
            seconds_left,
            least,
        } => (
            "seconds_left",
            format!(
                "{} left in the round; with fewer than {least}, teams are left alone",
                plural(*seconds_left, "second is", "seconds are")
            ),
        ),
    };
    SuppressionAnswer { rule, detail }
}

/// Formats hundredths of a percent: 2050 becomes `20.5 %`.
fn percent(hundredths: u32) -> String {
    format!("{} %", f64::from(hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::Power;
    use crate::domain::Probability;

    #[test]
    fn every_rule_is_among_the_rules() {
        let pair = Reason::SizePair {
            larger: 3,
            smaller: 1,
            at_least: 3,
            at_most: 1,
        };
        let probability = Probability::HALF;
        let broken = [
            Reason::SizeDifference { by: 1, from: 1 },
            pair,
            Reason::PowerDifference {
                by: Power::default(),
                from: Power::default(),
            },
            Reason::PowerRatio { by: None, above: 0 },
            Reason::WinProbability {
                is: probability,
                above: probability,
            },
            Reason::Bots,
        ];
        assert_eq!(broken.map(|reason| broken_rule(&reason).rule), RULES);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            broken_rule(&Reason::SizeDifference { by: 1, from: 1 }).detail,
            "sizes differ by 1 player; 1 is too many"
        );
        let ending = Suppression::Ending {
            seconds_left: 1,
            least: 60,
        };
        assert_eq!(
            suppression(&ending).detail,
            "1 second is left in the round; with fewer than 60, teams are left alone"
        );
    }
}
