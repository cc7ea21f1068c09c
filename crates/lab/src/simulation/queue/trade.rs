//! Comparison of one way of matchmaking with another at equal waits and at equal evenness.

/// Trade-off curve of a way of matchmaking over its settings: mean waits in seconds, and a figure for which lower is
/// better.
///
/// Settings that another one beats in both are ignored. Between two neighbors, every point of the straight line is
/// possible.
///
/// ```
/// use rbs::simulation::Trade;
/// let windows = Trade::new([(60.0, 0.05), (20.0, 0.09), (90.0, 0.06)]);
/// assert_eq!(windows.at_wait(40.0), Some(0.07));
/// assert_eq!(windows.at_wait(10.0), None); // Nobody gets a match so soon.
/// assert_eq!(windows.at_wait(600.0), Some(0.05));
/// assert_eq!(windows.wait_for(0.07), Some(40.0));
/// assert_eq!(windows.wait_for(0.04), None); // They are never so even.
/// ```
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trade(Vec<(f64, f64)>);

impl Trade {
    /// Builds the curve from these settings.
    #[must_use]
    pub(crate) fn new(settings: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut settings: Vec<(f64, f64)> = settings.into_iter().collect();
        settings.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let mut best = f64::INFINITY;
        settings.retain(|(_, figure)| {
            let is_better = *figure < best;
            best = best.min(*figure);
            is_better
        });
        Self(settings)
    }

    /// Lowest figure at this mean wait; `None` if every setting has a longer wait.
    #[must_use]
    pub(crate) fn at_wait(&self, wait: f64) -> Option<f64> {
        let after = self.0.partition_point(|(seconds, _)| *seconds <= wait);
        let (from, figure) = self.0.get(after.checked_sub(1)?)?;
        let Some((to, next)) = self.0.get(after) else {
            return Some(*figure);
        };
        Some(figure + (next - figure) * (wait - from) / (to - from))
    }

    /// Shortest mean wait in seconds for a figure this low; `None` if every setting's figure is higher.
    #[must_use]
    pub(crate) fn wait_for(&self, figure: f64) -> Option<f64> {
        let at = self.0.partition_point(|(_, higher)| *higher > figure);
        let (to, low) = self.0.get(at)?;
        let Some((from, high)) = at.checked_sub(1).and_then(|before| self.0.get(before)) else {
            return Some(*to);
        };
        Some(from + (to - from) * (high - figure) / (high - low))
    }
}
