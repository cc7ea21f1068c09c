use crate::api::{NoticeAnswer, NoticeKind};
use crate::domain::{PluginVersion, Timestamp};

/// That there is a later plugin than the one of that version.
pub(crate) fn later_plugin(
    version: Option<PluginVersion>,
    latest: PluginVersion,
    now: Timestamp,
) -> Option<NoticeAnswer> {
    let version = version.filter(|version| *version < latest)?;
    Some(NoticeAnswer {
        name: format!("plugin-{latest}"),
        kind: NoticeKind::Plugin,
        player: None,
        rating: None,
        made_at: now,
        expires_at: None,
        say: format!("The plugin is {version}, and {latest} came with this service; update it."),
    })
}
