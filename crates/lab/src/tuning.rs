//! Fits a model's constants to rounds, without derivatives.

use rbs::rating::Constant;

/// Factors by which the bracket extends around a constant to either side, one per pass.
const REACHES: [f64; 4] = [6.0, 2.5, 1.6, 1.25];
/// Evaluations within a bracket. Each shortens it to .618 of its length.
const LOOKS: u32 = 6;
/// Golden section ratio (√5 - 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fitted {
    /// The constants with their fitted values.
    pub(crate) constants: Vec<Constant>,
    /// Loss at the fitted values, in the unit of the loss function.
    pub(crate) loss: f64,
    /// Number of evaluations of the loss.
    pub(crate) looks: u32,
}

/// Finds the constants with the least loss: one constant after another by golden section search (J. Kiefer, Sequential
/// Minimax Search for a Maximum, 1953) on a logarithmic scale, in passes with narrowing brackets.
///
/// Evaluates `loss` at most `most` times, first at the given constants. An infinite loss marks invalid constants. Only
/// improvements are accepted, so the result is never worse than the start. The search is deterministic.
#[must_use]
pub(crate) fn fit(
    constants: &[Constant],
    most: u32,
    mut loss: impl FnMut(&[Constant]) -> f64,
) -> Fitted {
    let mut best = Fitted {
        constants: constants.to_vec(),
        loss: loss(constants),
        looks: 1,
    };
    for reach in REACHES {
        for index in 0..constants.len() {
            golden_section(&mut best, index, reach, most, &mut loss);
        }
        if best.looks >= most || constants.is_empty() {
            break;
        }
    }
    best
}

/// Improves one constant by golden-section search.
fn golden_section(
    best: &mut Fitted,
    index: usize,
    reach: f64,
    most: u32,
    loss: &mut impl FnMut(&[Constant]) -> f64,
) {
    let Constant {
        value, low, high, ..
    } = best.constants[index];
    let mut low = libm::log((value / reach).max(low));
    let mut high = libm::log((value * reach).min(high));
    let mut look = |best: &mut Fitted, at: f64| -> f64 {
        if best.looks >= most {
            return f64::INFINITY;
        }
        let mut constants = best.constants.clone();
        constants[index].value = libm::exp(at);
        let found = loss(&constants);
        best.looks += 1;
        if found < best.loss {
            best.loss = found;
            best.constants = constants;
        }
        found
    };
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let mut at_left = look(best, left);
    let mut at_right = look(best, right);
    for _ in 2..LOOKS {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = look(best, left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = look(best, right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants() -> [Constant; 2] {
        [
            Constant {
                name: "one",
                value: 1.0,
                low: 0.01,
                high: 100.0,
            },
            Constant {
                name: "other",
                value: 50.0,
                low: 10.0,
                high: 400.0,
            },
        ]
    }

    /// Loss with its minimum at 3 and 80, along a slanted valley.
    fn valley(constants: &[Constant]) -> f64 {
        let [one, other] = [0, 1].map(|index| constants[index].value.ln());
        let (one, other) = (one - 3.0_f64.ln(), other - 80.0_f64.ln());
        one * one + other * other + 0.8 * one * other
    }

    #[test]
    fn the_least_loss_is_found_and_the_same_every_time() {
        let search = || fit(&constants(), 200, valley);
        let found = search();
        let [one, other] = [0, 1].map(|index| found.constants[index].value);
        assert!((one / 3.0 - 1.0).abs() < 0.1, "{found:?}");
        assert!((other / 80.0 - 1.0).abs() < 0.1, "{found:?}");
        assert_eq!(found.loss, valley(&found.constants));
        assert_eq!(found, search());
    }

    #[test]
    fn no_more_is_looked_at_than_was_allowed_and_nothing_worse_is_taken() {
        for most in [1, 2, 9, 30] {
            let mut looks = 0;
            let found = fit(&constants(), most, |at| {
                looks += 1;
                valley(at)
            });
            assert_eq!(looks, found.looks);
            assert!(looks <= most, "{looks}");
            assert!(found.loss <= valley(&constants()));
        }
        let forbidden = fit(&constants(), 50, |at| {
            let is_start = at[0].value == 1.0 && at[1].value == 50.0;
            if is_start { 1.0 } else { f64::INFINITY }
        });
        assert_eq!(forbidden.constants, constants());
    }

    #[test]
    fn without_constants_there_is_nothing_to_look_for() {
        let none = fit(&[], 50, |_| 0.5);
        assert_eq!((none.loss, none.looks), (0.5, 1));
    }
}
