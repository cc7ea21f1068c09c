use super::{Connection, Fields, Row, execute, read_all};
use crate::domain::Timestamp;
use crate::store::{ImportRecord, StoreError};

pub(crate) async fn save(
    connection: &mut Connection,
    import: &ImportRecord,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into imports (id, source, started_at, renewed_at, done, total)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set
             renewed_at = excluded.renewed_at, done = excluded.done, total = excluded.total",
    )
    .bind(&import.id)
    .bind(&import.source)
    .bind(import.started_at.unix_micros())
    .bind(import.renewed_at.unix_micros())
    .bind(import.done.cast_signed())
    .bind(import.total.map(u64::cast_signed));
    execute(connection, query).await
}

pub(crate) async fn list(
    connection: &mut Connection,
    lease_cutoff: Timestamp,
) -> Result<Vec<ImportRecord>, StoreError> {
    let query = sqlx::query(
        "select id, source, started_at, renewed_at, done, total from imports
         where renewed_at >= $1 order by started_at, id",
    );
    read_all(connection, query.bind(lease_cutoff.unix_micros()), record).await
}

pub(crate) async fn delete(
    connection: &mut Connection,
    id: &str,
    lease_cutoff: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query("delete from imports where id = $1 or renewed_at < $2")
        .bind(id)
        .bind(lease_cutoff.unix_micros());
    execute(connection, query).await
}

fn record(row: &Row) -> Result<ImportRecord, StoreError> {
    let row = Fields::of(row, "imports");
    Ok(ImportRecord {
        id: row.get("id")?,
        source: row.get("source")?,
        started_at: row.time("started_at")?,
        renewed_at: row.time("renewed_at")?,
        done: row.number("done")?,
        total: row.optional("total", Fields::number)?,
    })
}
