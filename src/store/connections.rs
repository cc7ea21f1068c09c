use sqlx::{Database, Pool};

/// Open connections to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// What they are for: `all`, or, of an SQLite file, `writer` or `readers`.
    pub kind: &'static str,
    /// How many wait for work.
    pub idle: usize,
    /// How many work.
    pub in_use: usize,
}

impl Connections {
    pub(super) fn of<Db: Database>(kind: &'static str, pool: &Pool<Db>) -> Self {
        // The two are read one after the other, and may not go together.
        let (open, idle) = (pool.size() as usize, pool.num_idle());
        Self {
            kind,
            idle,
            in_use: open.saturating_sub(idle),
        }
    }
}
