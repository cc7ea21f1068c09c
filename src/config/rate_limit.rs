use super::InvalidSetting;

/// How often somebody may ask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    /// Requests a second in the long run, above 0, at most a million.
    pub per_second: f64,
    /// Requests at once after a pause, 1 to a million.
    pub burst: u32,
}

/// The most that can be set of either; more limits nothing.
const MAX: u32 = 1_000_000;

/// The limit set in `place`; `None` where none is. A burst that is not set is what a second allows.
pub(super) fn check(
    place: &str,
    per_second: Option<f64>,
    burst: Option<u32>,
) -> Result<Option<RateLimit>, InvalidSetting> {
    let Some(per_second) = per_second else {
        require!(
            burst.is_none(),
            "{place}burst is set without requests_per_second; set both, or leave both out"
        );
        return Ok(None);
    };
    require!(
        per_second > 0.0 && per_second <= f64::from(MAX),
        "{place}requests_per_second must be above 0 and at most {MAX}; leave it out for no limit"
    );
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "above 0 and at most a million"
    )]
    let in_a_second = per_second.ceil() as u32;
    let burst = burst.unwrap_or(in_a_second);
    require!(
        (1..=MAX).contains(&burst),
        "{place}burst must be 1 to {MAX}"
    );
    Ok(Some(RateLimit { per_second, burst }))
}
