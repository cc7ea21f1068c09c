use serde::{Deserialize, Serialize};

/// A figure over the last W rounds, and over all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Windowed<T> {
    /// Over the window.
    pub window: T,
    /// Over all rounds.
    pub all: T,
}

/// A figure that may have no rounds to be taken from.
pub type Figure = Windowed<Option<f64>>;
/// A count.
pub type WindowedCount = Windowed<u64>;

impl<T> Windowed<T> {
    /// The same of both.
    #[must_use]
    pub fn map<U>(self, of: impl Fn(T) -> U) -> Windowed<U> {
        Windowed {
            window: of(self.window),
            all: of(self.all),
        }
    }
}
