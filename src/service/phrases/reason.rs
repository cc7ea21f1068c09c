use crate::balance::{Reason, Suppression};

/// Why teams are unbalanced, with the limit, in a clause.
pub(crate) fn detail_of(reason: &Reason) -> String {
    match reason {
        Reason::SizeDifference { by, from } => {
            let players = if *by == 1 { "player" } else { "players" };
            let are = if *from == 1 { "is" } else { "are" };
            format!("sizes differ by {by} {players}; {from} {are} too many")
        }
        Reason::SizePair {
            larger,
            smaller,
            at_least,
            at_most,
        } => format!(
            "{larger} v {smaller}; {at_least} or more against {at_most} or fewer is too uneven"
        ),
        Reason::PowerDifference { by, from } => format!(
            "what the teams weigh differs by {}; {} is too much",
            by.points(),
            from.points()
        ),
        Reason::PowerRatio {
            by: Some(by),
            above,
        } => format!(
            "one team weighs {} more than the other; over {} is too much",
            percent(*by),
            percent(*above)
        ),
        Reason::PowerRatio { by: None, above } => format!(
            "one team weighs nothing; over {} more on the other is too much",
            percent(*above)
        ),
        Reason::WinProbability { is, above } => format!(
            "the favourite wins with a probability of {:.4}; above {} is too much",
            is.get(),
            above.get()
        ),
        Reason::Bots => "there should be other numbers of bots".to_owned(),
    }
}

/// Why teams are left alone, in a clause.
pub(crate) fn detail_of_suppression(suppression: &Suppression) -> String {
    match suppression {
        Suppression::Mode(mode) => {
            format!(
                "teams are left alone where the mode is \"{}\"",
                mode.as_str()
            )
        }
        Suppression::Ending {
            seconds_left,
            least,
        } => format!(
            "{seconds_left} {} left in the round; with fewer than {least}, teams are left alone",
            if *seconds_left == 1 {
                "second is"
            } else {
                "seconds are"
            }
        ),
    }
}

/// Hundredths of a percent in words.
fn percent(hundredths: u32) -> String {
    format!("{} %", f64::from(hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_said_as_one() {
        assert_eq!(
            detail_of(&Reason::SizeDifference { by: 1, from: 1 }),
            "sizes differ by 1 player; 1 is too many"
        );
        let ending = Suppression::Ending {
            seconds_left: 1,
            least: 60,
        };
        assert_eq!(
            detail_of_suppression(&ending),
            "1 second is left in the round; with fewer than 60, teams are left alone"
        );
    }
}
