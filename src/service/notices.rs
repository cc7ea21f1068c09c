use std::time::Duration;

use super::audit;
use super::audit::Author;
use super::{Pool, Service, ServiceError};
use crate::api::NoticeAnswer;
use crate::domain::{NoticeKind, NoticeName, PluginVersion, Rating, ServerName, Timestamp};
use crate::random;
use crate::rating::PlayerState;
use crate::store::{NoticeRecord, Tx};

/// Time after which an admin's request for a scramble expires. Long enough for the current round to end.
const SCRAMBLE_LASTS: Duration = Duration::from_mins(10);
/// Time after a player's last round during which the server of that round is told about a changed rating.
const RATING_LASTS: Duration = Duration::from_hours(1);
/// Maximum number of stored notices per game server; older ones are deleted.
const MAX: u32 = 16;

impl Service {
    /// Returns the server's notices except those in `seen`, and deletes the seen ones. If the database fails, logs a
    /// warning and returns no notices, so that the caller's answer does not fail. A later answer then contains the
    /// notices.
    pub async fn notices(&self, server: &ServerName, seen: &[NoticeName]) -> Vec<NoticeAnswer> {
        self.notices_if_any(server, seen, true).await
    }

    /// Returns the notices for the game server `server`, and deletes the notices in `seen`. Does not ask the database
    /// if `has_notices` is `false` and `seen` is empty.
    pub async fn notices_if_any(
        &self,
        server: &ServerName,
        seen: &[NoticeName],
        has_notices: bool,
    ) -> Vec<NoticeAnswer> {
        let stored = if has_notices || !seen.is_empty() {
            self.stored_notices(server, seen).await
        } else {
            Ok(Vec::new())
        };
        let found = stored.and_then(|stored| {
            let unknown = self.unknown_server(server)?;
            Ok(unknown.into_iter().chain(stored).collect())
        });
        found.unwrap_or_else(|error| {
            tracing::warn!(error = ?error, %server, "Cannot read the notices for the game server");
            Vec::new()
        })
    }

    async fn stored_notices(
        &self,
        server: &ServerName,
        seen: &[NoticeName],
    ) -> Result<Vec<NoticeAnswer>, ServiceError> {
        let mut tx = if seen.is_empty() {
            self.store.begin_read().await?
        } else {
            self.store.begin().await?
        };
        for name in seen {
            tx.delete_notice(server, name).await?;
        }
        let stored = tx.notices(server, self.clock.now()).await?;
        if !seen.is_empty() {
            tx.commit().await?;
        }
        Ok(stored.into_iter().map(answer).collect())
    }

    /// Stores an admin's request for a scramble for the game server's next answer. Replaces an earlier request.
    pub async fn request_scramble(
        &self,
        pool: &Pool,
        server: ServerName,
        reason: Option<String>,
        by: Author,
    ) -> Result<NoticeAnswer, ServiceError> {
        let now = self.clock.now();
        let message = match &reason {
            None => "An admin asks for a scramble.".to_owned(),
            Some(reason) => format!("An admin asks for a scramble: {reason}"),
        };
        let notice = NoticeRecord {
            name: new_name()?,
            kind: NoticeKind::Scramble,
            player: None,
            rating: None,
            message,
            made_at: now,
            expires_at: now.later(SCRAMBLE_LASTS),
            server,
        };
        let figures = (
            "null".to_owned(),
            serde_json::json!({"server": notice.server}).to_string(),
        );
        let action = ("scramble", notice.name.as_str());
        let mut audited = audit::entry(action, by, now, pool.id, figures);
        audited.reason = reason;
        let mut tx = self.store.begin().await?;
        put(&mut tx, &notice).await?;
        tx.insert_audit(&audited).await?;
        tx.commit().await?;
        Ok(answer(notice))
    }
}

/// Tells the server of the player's last round that an admin changed the player's rating. Does nothing if the player
/// has probably left the server. `before` is the player before the change, which was made at `made_at`.
pub(super) async fn notify_of_rating(
    tx: &mut Tx,
    pool: &Pool,
    before: &PlayerState,
    rating: Rating,
    (made_at, now): (Timestamp, Timestamp),
) -> Result<(), ServiceError> {
    let player = (before.id, before.entries);
    let Some(last) = tx.latest_rounds(pool.id, player, 1).await?.pop() else {
        return Ok(());
    };
    let round = last.logged.round;
    let was_there_lately = round.ended_at().later(RATING_LASTS) > now;
    let expires_at = made_at.later(RATING_LASTS);
    if rating == before.rating || !was_there_lately || expires_at <= now {
        return Ok(());
    }
    let notice = NoticeRecord {
        server: round.parts().server.clone(),
        name: new_name()?,
        kind: NoticeKind::Rating,
        player: Some(before.id),
        rating: Some(rating),
        message: format!(
            "An admin changed the rating of {} from {} to {rating}.",
            before.id, before.rating
        ),
        made_at,
        expires_at,
    };
    put(tx, &notice).await
}

/// Stores a notice to a game server in place of the notice that it supersedes.
async fn put(tx: &mut Tx, notice: &NoticeRecord) -> Result<(), ServiceError> {
    tx.delete_replaced_notices(notice).await?;
    tx.insert_notice(notice).await?;
    tx.keep_latest_notices(&notice.server, MAX).await?;
    Ok(())
}

fn new_name() -> Result<NoticeName, ServiceError> {
    let made_up = random::hex::<8>().map_err(ServiceError::internal)?;
    made_up.parse().map_err(ServiceError::internal)
}

fn answer(notice: NoticeRecord) -> NoticeAnswer {
    NoticeAnswer {
        name: notice.name,
        kind: notice.kind,
        player: notice.player,
        rating: notice.rating,
        made_at: notice.made_at,
        expires_at: Some(notice.expires_at),
        message: notice.message,
    }
}

pub(super) fn later_plugin(
    version: Option<PluginVersion>,
    latest: PluginVersion,
    now: Timestamp,
) -> Result<Option<NoticeAnswer>, ServiceError> {
    let Some(version) = version.filter(|version| *version < latest) else {
        return Ok(None);
    };
    let name = format!("plugin-{latest}").parse();
    Ok(Some(NoticeAnswer {
        name: name.map_err(ServiceError::internal)?,
        kind: NoticeKind::Plugin,
        player: None,
        rating: None,
        made_at: now,
        expires_at: None,
        message: format!(
            "The plugin is version {version}, and this service comes with {latest}; update the plugin."
        ),
    }))
}
