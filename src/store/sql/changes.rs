use super::{Connection, Fields, Row, execute, numbers, read_all};
use crate::domain::{ChangeId, PlayerId, RoundAction, SeasonStart, Share, Winner};
use crate::rating::ChangeKind;
use crate::store::{Change, Changed, PoolId, SettingsId, StoreError};

pub(crate) struct Columns<'change> {
    pub(crate) kind: &'static str,
    pub(crate) player: Option<i64>,
    pub(crate) rating: Option<i64>,
    pub(crate) round: Option<i64>,
    pub(crate) winner: Option<Winner>,
    pub(crate) season: Option<&'change SeasonStart>,
}

impl<'change> Columns<'change> {
    pub(crate) fn of(changed: &'change Changed) -> Self {
        let of = |kind| Self {
            kind,
            player: None,
            rating: None,
            round: None,
            winner: None,
            season: None,
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
                season: Some(season),
                ..of("season")
            },
        }
    }
}

pub(crate) async fn insert(
    connection: &mut Connection,
    pool: PoolId,
    change: &Change,
) -> Result<(), StoreError> {
    let Columns {
        kind,
        player,
        rating,
        round,
        winner,
        season,
    } = Columns::of(&change.changed);
    let query = sqlx::query(
        "insert into changes (pool_id, position, change_id, kind, player_id, rating,
                              round_position, winner, reason, made_at, settings_id, name,
                              kept, calibration)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(pool.0)
    .bind(change.position.cast_signed())
    .bind(change.change_id.as_str())
    .bind(kind)
    .bind(player)
    .bind(rating)
    .bind(round)
    .bind(winner.map(|winner| winner.to_string()))
    .bind(&change.reason)
    .bind(change.made_at.unix_micros())
    .bind(change.settings.0)
    .bind(season.map(|season| season.name.as_str()))
    .bind(season.map(|season| i64::from(season.keep.thousandths())))
    .bind(season.map(|season| i64::from(season.calibration.get())));
    execute(connection, query).await
}

pub(crate) async fn find(
    connection: &mut Connection,
    change_id: &ChangeId,
) -> Result<Option<(PoolId, Change)>, StoreError> {
    let row = sqlx::query(select!(changes, "from changes where change_id = $1"))
        .bind(change_id.as_str())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let pool = PoolId(Fields::of(&row, "changes").get("pool_id")?);
    Ok(Some((pool, record(&row)?)))
}

pub(crate) async fn named(
    connection: &mut Connection,
    pool: PoolId,
    beginning: &str,
) -> Result<Vec<Change>, StoreError> {
    let query = sqlx::query(select!(
        changes,
        "from changes where pool_id = $1 and substr(change_id, 1, $3) = $2 order by position"
    ))
    .bind(pool.0)
    .bind(beginning)
    .bind(i32::try_from(beginning.chars().count()).unwrap_or(i32::MAX));
    read_all(connection, query, record).await
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<Change>, StoreError> {
    let query = sqlx::query(select!(
        changes,
        "from changes where pool_id = $1 and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, record).await
}

pub(crate) async fn of_rounds(
    connection: &mut Connection,
    pool: PoolId,
    first: u64,
    last: u64,
) -> Result<Vec<Change>, StoreError> {
    let query = sqlx::query(select!(
        changes,
        "from changes
         where pool_id = $1 and round_position is not null
           and round_position >= $2 and round_position <= $3
         order by position"
    ))
    .bind(pool.0)
    .bind(first.cast_signed())
    .bind(last.cast_signed());
    read_all(connection, query, record).await
}

pub(crate) async fn of_players(
    connection: &mut Connection,
    pool: PoolId,
    players: &[PlayerId],
) -> Result<Vec<Change>, StoreError> {
    let query = sqlx::query(select!(
        changes,
        "from changes where pool_id = $1 and player_id is not null and player_id",
        is_wanted!("$2"),
        "order by position"
    ))
    .bind(pool.0)
    .bind(numbers(players.iter().map(|player| player.steam_id64())));
    read_all(connection, query, record).await
}

pub(crate) async fn changed_players(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Vec<PlayerId>, StoreError> {
    let query = sqlx::query(
        "select distinct player_id from changes where pool_id = $1 and player_id is not null",
    );
    let player = |row: &Row| Fields::of(row, "changes").player("player_id");
    read_all(connection, query.bind(pool.0), player).await
}

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
