use super::{Connection, Fields, Row, bound, read_all};
use crate::domain::{PlayerId, RoundAction, SeasonStart, Share, Winner};
use crate::rating::ChangeKind;
use crate::store::{Change, Changed, PoolId, SettingsId, StoreError};

/// Columns of an admin's change that depend on its kind.
pub(crate) struct Columns<'change> {
    pub(crate) kind: &'static str,
    pub(crate) player: Option<i64>,
    pub(crate) rating: Option<i64>,
    pub(crate) round: Option<i64>,
    pub(crate) winner: Option<Winner>,
    /// Name of the season that the change starts.
    pub(crate) name: Option<&'change str>,
    pub(crate) kept: Option<u32>,
    pub(crate) calibration: Option<u32>,
}

impl<'change> Columns<'change> {
    pub(crate) fn of(changed: &'change Changed) -> Self {
        let of = |kind| Self {
            kind,
            player: None,
            rating: None,
            round: None,
            winner: None,
            name: None,
            kept: None,
            calibration: None,
        };
        let of_player = |kind, player: PlayerId| Self {
            player: Some(player.steam_id64().cast_signed()),
            ..of(kind)
        };
        match *changed {
            Changed::Player(player, ChangeKind::Set(rating)) => Self {
                rating: Some(rating.points().into()),
                ..of_player("set", player)
            },
            Changed::Player(player, ChangeKind::Reset) => of_player("reset", player),
            Changed::Round { position, action } => Self {
                round: Some(position.cast_signed()),
                winner: action.winner(),
                ..of(action.name().into())
            },
            Changed::Undo { position, player } => Self {
                round: Some(position.cast_signed()),
                player: player.map(|player| player.steam_id64().cast_signed()),
                ..of("undo")
            },
            Changed::Season(ref season) => Self {
                name: Some(season.name.as_str()),
                kept: Some(season.keep.thousandths().into()),
                calibration: Some(season.calibration.get()),
                ..of("season")
            },
        }
    }
}

pub(crate) async fn named(
    connection: &mut Connection,
    pool: PoolId,
    beginning: &str,
) -> Result<Vec<Change>, StoreError> {
    let text = select!(
        changes,
        "from changes where pool_id = $1 and substr(change_id, 1, $3) = $2 order by position"
    );
    let values = (
        pool,
        beginning,
        i32::try_from(beginning.chars().count()).unwrap_or(i32::MAX),
    );
    read_all(connection, bound(text, values), record).await
}

pub(crate) const OF_PLAYERS: &str = select!(
    changes,
    "from changes where pool_id = $1 and player_id is not null and player_id",
    is_wanted!("$2"),
    "order by position"
);

fn season(row: Fields<'_>) -> Result<SeasonStart, StoreError> {
    let kept = Share::from_thousandths(row.number("kept")?);
    let calibration = row.number::<u32>("calibration")?.try_into();
    Ok(SeasonStart {
        name: row.parsed("name")?,
        keep: kept.ok_or_else(|| row.corrupt("kept"))?,
        calibration: calibration.map_err(|_| row.corrupt("calibration"))?,
    })
}

pub(crate) fn record(row: &Row) -> Result<Change, StoreError> {
    let row = Fields::of(row, "changes");
    let player = || row.player("player_id");
    let round = |action| {
        let position = row.number("round_position")?;
        Ok::<_, StoreError>(Changed::Round { position, action })
    };
    let changed = match row.get("kind")? {
        "set" => Changed::Player(player()?, ChangeKind::Set(row.rating("rating")?)),
        "reset" => Changed::Player(player()?, ChangeKind::Reset),
        "void" => round(RoundAction::Void)?,
        "unvoid" => round(RoundAction::Unvoid)?,
        "correct" => round(RoundAction::Correct {
            winner: row.parsed("winner")?,
        })?,
        "undo" => Changed::Undo {
            position: row.number("round_position")?,
            player: row.optional("player_id", Fields::player)?,
        },
        "season" => Changed::Season(season(row)?),
        _ => return Err(row.corrupt("kind")),
    };
    Ok(Change {
        position: row.number("position")?,
        change_id: row.parsed("change_id")?,
        changed,
        reason: row.get("reason")?,
        made_at: row.time("made_at")?,
        settings: SettingsId(row.get("settings_id")?),
    })
}

pub(crate) fn with_pool(row: &Row) -> Result<(PoolId, Change), StoreError> {
    let pool = PoolId(Fields::of(row, "changes").get("pool_id")?);
    Ok((pool, record(row)?))
}

pub(crate) fn player(row: &Row) -> Result<PlayerId, StoreError> {
    Fields::of(row, "changes").player("player_id")
}
