//! What distinguishes the series of one metric.

/// The names and values of a series' labels.
pub(super) type Labels<const N: usize> = [(&'static str, String); N];

pub(super) fn labels<const N: usize>(labels: [(&'static str, &str); N]) -> Labels<N> {
    labels.map(|(name, value)| (name, value.to_owned()))
}
