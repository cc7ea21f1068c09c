//! What is kept beside: the audit, the last split tables, and the state of the database itself.

use super::{Inner, Tx, within};
use crate::domain::{ServerName, Timestamp};
use crate::store::{AuditEntry, PoolId, StoreError, postgres, sqlite};

impl Tx {
    /// Notes what an admin did.
    ///
    /// # Errors
    /// As every query.
    pub async fn insert_audit(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        run!(self, audit::insert(entry))
    }

    /// Up to `limit` of the things that admins did, the latest first, in one pool or all, from behind
    /// the one of that moment and id on.
    ///
    /// # Errors
    /// As every query.
    pub async fn list_audit(
        &mut self,
        pool: Option<PoolId>,
        before: Option<(Timestamp, &str)>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        run!(self, audit::list(pool, before, limit))
    }

    /// What the database itself finds wrong with its pages, indexes and references, in words. A
    /// server is asked nothing: what it reads it checks, and it refuses rows that refer to nothing.
    ///
    /// # Errors
    /// As every query.
    pub async fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match &mut self.inner {
            Inner::Postgres(_) => Ok(Vec::new()),
            Inner::Sqlite(connection) => within(self.deadline, sqlite::damage(connection)).await,
        }
    }

    /// Keeps `content`, computed at that moment, as the last table of splits of `server`, unless a
    /// later one is there.
    ///
    /// # Errors
    /// As every query.
    pub async fn save_split_table(
        &mut self,
        server: &ServerName,
        computed_at: Timestamp,
        content: &str,
    ) -> Result<(), StoreError> {
        run!(self, split_tables::save(server, computed_at, content))
    }

    /// The last table of splits of `server`, as it was kept.
    ///
    /// # Errors
    /// As every query.
    pub async fn split_table(&mut self, server: &ServerName) -> Result<Option<String>, StoreError> {
        run!(self, split_tables::get(server))
    }
}
