/// Approximate number of marks of an axis.
const MARKS: f64 = 5.0;

/// Linear mapping from a range of numbers to positions in a plot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Maps the numbers `low` to `high` onto the positions `from` to `to`.
    pub(crate) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        // An empty range is widened.
        let high = if high > low { high } else { low + 1e-3 };
        Self {
            low,
            high,
            from,
            to,
        }
    }

    /// A scale that covers these numbers with a margin.
    pub(crate) fn around(numbers: impl Iterator<Item = f64>, places: (f64, f64)) -> Self {
        let ends = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        let (low, high) = if ends.0.is_finite() && ends.1.is_finite() {
            ends
        } else {
            (0.0, 1.0)
        };
        let room = 0.06 * (high - low).max(1e-3);
        Self::new((low - room, high + room), places)
    }

    pub(crate) fn place(&self, number: f64) -> f64 {
        let share = (number - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// Position of a number as an SVG coordinate.
    pub(crate) fn at(&self, number: f64) -> String {
        format!("{:.1}", self.place(number))
    }

    /// Round numbers within the range, each with the digits that it needs.
    pub(crate) fn marks(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / MARKS;
        let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        let step = step.into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let digits = [0_usize, 1, 2, 3, 4];
        let digits = digits.into_iter().find(|digits| {
            let scaled = step * libm::pow(10.0, f64::from(u8::try_from(*digits).unwrap_or(0)));
            (scaled - scaled.round()).abs() < 1e-6
        });
        let digits = digits.unwrap_or(5);
        let mut marks = Vec::new();
        // Adding 0 turns -0 (a negative number rounded up) into 0.
        let mut mark = 0.0 + (self.low / step).ceil() * step;
        while mark <= self.high && marks.len() < 20 {
            marks.push((mark, format!("{mark:.digits$}")));
            mark += step;
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_within_the_range() {
        let texts = |low, high| -> Vec<String> {
            let marks = Scale::new((low, high), (0.0, 100.0)).marks();
            marks.into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(0.55, 0.66), ["0.55", "0.60", "0.65"]);
        assert_eq!(texts(0.0, 930.0), ["0", "200", "400", "600", "800"]);
        assert_eq!(texts(-0.01, 0.2), ["0.00", "0.05", "0.10", "0.15", "0.20"]);
    }

    #[test]
    fn numbers_stand_in_proportion_and_a_range_of_one_number_has_room() {
        let scale = Scale::new((2.0, 4.0), (100.0, 0.0));
        assert_eq!((scale.place(2.0), scale.place(3.0)), (100.0, 50.0));
        let one = Scale::around([0.5].into_iter(), (0.0, 10.0));
        assert!((4.0..6.0).contains(&one.place(0.5)), "{one:?}");
        let none = Scale::around([].into_iter(), (0.0, 10.0));
        assert!(none.place(0.5).is_finite());
    }
}
