use std::pin::Pin;
use std::time::Duration;

use crate::service::ServiceError;

/// How often a transaction is tried again while the database does not answer, and the pause
/// before each. Nothing can be counted twice.
const RETRIES: u32 = 5;
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Asks again while the database does not answer, a few times.
pub(super) fn persist<'ask, T: 'ask>(
    ask: impl AsyncFnMut() -> Result<T, ServiceError> + 'ask,
) -> Pin<Box<dyn Future<Output = Result<T, ServiceError>> + 'ask>> {
    Box::pin(ask_again(ask))
}

async fn ask_again<T>(
    mut ask: impl AsyncFnMut() -> Result<T, ServiceError>,
) -> Result<T, ServiceError> {
    for _ in 0..RETRIES {
        match ask().await {
            Err(error @ ServiceError::Unavailable(_)) => {
                tracing::warn!(error = ?error, "The database does not answer; trying again");
                tokio::time::sleep(RETRY_PAUSE).await;
            }
            result => return result,
        }
    }
    ask().await
}
