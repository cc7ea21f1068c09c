use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::file::{Header, Part, Reader, cells};
use super::target_database::has_tables;
use crate::cli::terminal::progress::Meter;
use crate::cli::terminal::words::plural;
use crate::store::{Cell, Store, Table, Tx, newest_migration};

const BATCH: usize = 500;

const BATCH_BYTES: usize = 16 * 1024 * 1024;

struct Batch {
    table: Table,
    rows: Vec<Vec<Cell>>,
    bytes: usize,
}

impl Batch {
    async fn take(&mut self, tx: &mut Tx, row: Vec<Value>, bytes: usize) -> anyhow::Result<()> {
        let row = cells(row, &self.table.columns);
        self.rows
            .push(row.with_context(|| format!("in the table {}", self.table.name))?);
        self.bytes += bytes;
        if self.rows.len() >= BATCH || self.bytes >= BATCH_BYTES {
            self.insert(tx).await?;
        }
        Ok(())
    }

    async fn insert(&mut self, tx: &mut Tx) -> anyhow::Result<()> {
        let inserted = tx.insert_rows(&self.table, &self.rows).await;
        inserted.with_context(|| format!("cannot write rows of {}", self.table.name))?;
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }
}

/// Replaces the content of the database with the backup at `path`, in one transaction. Leaves the tables at the
/// migration of the backup. An error leaves the database unchanged.
pub(in crate::cli) async fn load(store: &Store, path: &Path) -> anyhow::Result<()> {
    let reader = Reader::open(path).with_context(|| refusal(path))?;
    check_version(&reader.header, path)?;
    let loaded = Box::pin(load_all(store, reader)).await;
    loaded.with_context(|| refusal(path))
}

/// Returns an error if a newer version of RBS made the backup at `path`.
pub(in crate::cli) fn check_version(header: &Header, path: &Path) -> anyhow::Result<()> {
    let known = newest_migration();
    ensure!(
        header.migration <= known,
        "{}: it was made by a newer version of RBS ({}, migration {}; this version knows {known}); restore it with \
         that version",
        refusal(path),
        header.version,
        header.migration
    );
    Ok(())
}

fn refusal(path: &Path) -> String {
    format!(
        "the database was not changed, because {} cannot be restored",
        path.display()
    )
}

async fn load_all(store: &Store, mut reader: Reader) -> anyhow::Result<()> {
    let migration = reader.header.migration;
    let mut meter = Meter::start(None)?;
    let mut tx = store.begin().await?;
    if has_tables(&mut tx).await? {
        tx.drop_tables().await?;
    }
    tx.migrate_to(migration).await?;
    let mut tables = tx.tables().await?;
    let mut batch: Option<Batch> = None;
    let mut read = 0;
    while let Some(part) = reader.next()? {
        match part {
            Part::Table(section) => {
                if let Some(mut before) = batch.take() {
                    before.insert(&mut tx).await?;
                }
                let found = tables.iter().position(|table| table.name == section.table);
                let table = found.map(|place| tables.swap_remove(place));
                let mut table = table.with_context(|| {
                    format!(
                        "it has the table {}, which RBS does not know; use another backup",
                        section.table
                    )
                })?;
                let is_there = |column| table.columns.contains(column);
                ensure!(
                    section.columns.len() == table.columns.len()
                        && section.columns.iter().all(is_there),
                    "the columns of its table {} are not those of migration {migration}; use another backup",
                    table.name
                );
                // The columns may be declared in another order by the other database engine.
                table.columns = section.columns;
                let rows = Vec::with_capacity(BATCH);
                batch = Some(Batch {
                    table,
                    rows,
                    bytes: 0,
                });
            }
            Part::Row(row, bytes) => {
                let batch = batch
                    .as_mut()
                    .context("it has a row that belongs to no table; use another backup")?;
                batch.take(&mut tx, row, bytes).await?;
                read += 1;
                if meter.tick(plural(read, "row")).is_some() {
                    tracing::info!(table = batch.table.name, rows = read, "Restoring");
                }
            }
        }
    }
    if let Some(mut last) = batch {
        last.insert(&mut tx).await?;
    }
    tx.commit().await?;
    meter.finish();
    Ok(())
}
