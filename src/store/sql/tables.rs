//! Queries of whole database tables with any columns, for backups.

use sqlx::{AssertSqlSafe, Row as _};

use super::{Connection, Db, MIGRATIONS, Query, Row, bound, catalog, read_value};
use crate::store::{Cell, Column, ColumnKind, StoreError, TABLES, Table, corrupt, migrations};

/// Maximum number of bound values in an SQL statement, on the engine with the lower limit.
const MAX_BOUND: usize = 30_000;
/// Maximum number of rows in one SQL insert. Longer statements take longer to parse.
const MAX_ROWS: usize = 500;

pub(crate) async fn list(connection: &mut Connection) -> Result<Vec<Table>, StoreError> {
    let mut tables = Vec::new();
    for name in TABLES {
        let declared = catalog::columns(connection, name).await?;
        if !declared.is_empty() {
            tables.push(table(name, declared)?);
        }
    }
    Ok(tables)
}

/// Returns a database table from its columns: name, type, and place in the primary key from 1, or 0 outside the key.
fn table(name: &'static str, declared: Vec<(String, String, i64)>) -> Result<Table, StoreError> {
    let mut key = Vec::new();
    let mut columns = Vec::with_capacity(declared.len());
    for (place, (column, kind, in_key)) in declared.into_iter().enumerate() {
        let kind = ColumnKind::of_declared(&kind).ok_or_else(|| corrupt(name, "(type)"))?;
        columns.push(Column { name: column, kind });
        if in_key > 0 {
            key.push((in_key, place));
        }
    }
    key.sort_unstable();
    let key = key.into_iter().map(|(_, place)| place).collect();
    Ok(Table { name, columns, key })
}

pub(crate) async fn migration(connection: &mut Connection) -> Result<Option<i64>, StoreError> {
    if catalog::columns(connection, "_sqlx_migrations")
        .await?
        .is_empty()
    {
        return Ok(None);
    }
    let query = bound("select max(version) from _sqlx_migrations", ());
    read_value(connection, query).await
}

pub(crate) async fn check_migrations(connection: &mut Connection) -> Result<(), StoreError> {
    if migration(connection).await?.is_none() {
        return Ok(());
    }
    let query = sqlx::query_as("select version, checksum from _sqlx_migrations order by version");
    migrations::compare(MIGRATIONS, &query.fetch_all(connection).await?)
}

pub(crate) async fn is_ours(connection: &mut Connection) -> Result<bool, StoreError> {
    if migration(connection).await?.is_none() {
        return Ok(false);
    }
    let first = "select version, checksum from _sqlx_migrations order by version limit 1";
    let first = sqlx::query_as(first).fetch_one(connection).await?;
    Ok(migrations::is_first(MIGRATIONS, &first))
}

pub(crate) async fn count(
    connection: &mut Connection,
    name: &'static str,
) -> Result<u64, StoreError> {
    if catalog::columns(connection, name).await?.is_empty() {
        return Ok(0);
    }
    let query = sqlx::query(AssertSqlSafe(format!("select count(*) from {name}")));
    let count: Option<i64> = read_value(connection, query).await?;
    Ok(count.unwrap_or_default().cast_unsigned())
}

pub(crate) async fn rows_behind(
    connection: &mut Connection,
    table: &Table,
    last: Option<&[Cell]>,
    limit: u32,
) -> Result<Vec<Vec<Cell>>, StoreError> {
    let names = |places: &[usize]| -> String {
        let columns = places.iter().filter_map(|place| table.columns.get(*place));
        let names: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        names.join(", ")
    };
    let all: Vec<usize> = (0..table.columns.len()).collect();
    let key = names(&table.key);
    let behind = match last {
        None => String::new(),
        Some(last) => {
            let parameters: Vec<String> = (1..=last.len()).map(|n| format!("${n}")).collect();
            format!("where ({key}) > ({}) ", parameters.join(", "))
        }
    };
    let (all, name) = (names(&all), table.name);
    let text = format!("select {all} from {name} {behind}order by {key} limit {limit}");
    let mut query = sqlx::query(AssertSqlSafe(text));
    for (cell, place) in last.unwrap_or_default().iter().zip(&table.key) {
        let kind = table.columns.get(*place).map(|column| column.kind);
        query = bind(query, cell, kind.unwrap_or(ColumnKind::Text));
    }
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(|row| cells(row, table)).collect()
}

fn cells(row: &Row, table: &Table) -> Result<Vec<Cell>, StoreError> {
    let columns = table.columns.iter().enumerate();
    let cell = |(place, column): (usize, &Column)| -> Result<Cell, StoreError> {
        Ok(match column.kind {
            ColumnKind::Integer => row.try_get::<Option<_>, _>(place)?.map(Cell::Integer),
            ColumnKind::Real => row.try_get::<Option<_>, _>(place)?.map(Cell::Real),
            ColumnKind::Text => row.try_get::<Option<_>, _>(place)?.map(Cell::Text),
            ColumnKind::Bytes => row.try_get::<Option<_>, _>(place)?.map(Cell::Bytes),
        }
        .unwrap_or(Cell::Null))
    };
    columns.map(cell).collect()
}

pub(crate) async fn insert(
    connection: &mut Connection,
    table: &Table,
    rows: &[Vec<Cell>],
) -> Result<(), StoreError> {
    let columns = table.columns.len().max(1);
    for chunk in rows.chunks((MAX_BOUND / columns).clamp(1, MAX_ROWS)) {
        let names: Vec<&str> = table.columns.iter().map(|one| one.name.as_str()).collect();
        let row = |number: usize| -> String {
            let first = number * columns + 1;
            let parameters: Vec<String> =
                (first..first + columns).map(|n| format!("${n}")).collect();
            format!("({})", parameters.join(", "))
        };
        let values: Vec<String> = (0..chunk.len()).map(row).collect();
        let (name, names, values) = (table.name, names.join(", "), values.join(", "));
        let text = format!("insert into {name} ({names}) values {values}");
        let mut query = sqlx::query(AssertSqlSafe(text));
        for row in chunk {
            for (cell, column) in row.iter().zip(&table.columns) {
                query = bind(query, cell, column.kind);
            }
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Binds a value to an SQL query, for a column of this type. A null needs the type of the column too.
fn bind<'query>(
    query: Query<'query>,
    cell: &'query Cell,
    kind: ColumnKind,
) -> sqlx::query::Query<'query, Db, <Db as sqlx::Database>::Arguments> {
    match (cell, kind) {
        (Cell::Integer(number), _) => query.bind(*number),
        (Cell::Real(number), _) => query.bind(*number),
        (Cell::Text(text), _) => query.bind(text.as_str()),
        (Cell::Bytes(bytes), _) => query.bind(bytes.as_slice()),
        (Cell::Null, ColumnKind::Integer) => query.bind(None::<i64>),
        (Cell::Null, ColumnKind::Real) => query.bind(None::<f64>),
        (Cell::Null, ColumnKind::Text) => query.bind(None::<&str>),
        (Cell::Null, ColumnKind::Bytes) => query.bind(None::<&[u8]>),
    }
}
