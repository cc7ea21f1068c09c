use super::InvalidSetting;

/// Limit on the rate of requests with one secret.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    /// Maximum average number of requests per second with one secret, above 0 and at most a million.
    pub per_second: f64,
    /// Maximum number of requests at once with one secret after a pause, from 1 to a million.
    pub burst: u32,
}

/// Upper limit for each value of a rate limit: requests per second, and burst.
const MAX: u32 = 1_000_000;

/// Checks a rate limit; `None` if no limit is set. The default burst is the number of requests per second, rounded up.
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
        reason = "the value is above 0 and at most a million"
    )]
    let in_a_second = per_second.ceil() as u32;
    let burst = burst.unwrap_or(in_a_second);
    require!(
        (1..=MAX).contains(&burst),
        "{place}burst must be 1 to {MAX}"
    );
    Ok(Some(RateLimit { per_second, burst }))
}
