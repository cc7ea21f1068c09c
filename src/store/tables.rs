use serde::{Deserialize, Serialize};

/// Names of all database tables, each behind the tables that its rows refer to. Excludes `unrated_players`, which a
/// trigger fills as rounds are inserted.
pub const TABLES: [&str; 25] = [
    "pools",
    "settings",
    "rounds",
    "scoreboards",
    "changes",
    "results",
    "players",
    "entries",
    "round_groups",
    "rebuilds",
    "imports",
    "season_standings",
    "prunes",
    "pruned_rounds",
    "challengers",
    "audit",
    "interventions",
    "notices",
    "split_tables",
    "past_split_tables",
    "player_names",
    "servers",
    "ended_sessions",
    "refusals",
    "refused_rounds",
];

/// Type of the values in a column of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Type of database columns that hold signed integers of 64 bits.
    Integer,
    /// Type of database columns that hold floating-point numbers of 64 bits.
    Real,
    /// Type of database columns that hold text in UTF-8.
    Text,
    /// Type of database columns that hold byte strings of any length.
    Bytes,
}

impl ColumnKind {
    /// Returns the type of a column from its declaration in either engine, or `None` if no migration declares that
    /// type.
    pub(super) fn of_declared(declared: &str) -> Option<Self> {
        match declared.to_ascii_lowercase().as_str() {
            "bigint" => Some(Self::Integer),
            "double precision" => Some(Self::Real),
            "text" => Some(Self::Text),
            "blob" | "bytea" => Some(Self::Bytes),
            _ => None,
        }
    }
}

/// Column of a database table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the database column.
    pub name: String,
    /// Type of the column's values.
    pub kind: ColumnKind,
}

/// Table as the database declares it, of any version of RBS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name of the table, one of [`TABLES`].
    pub name: &'static str,
    /// Columns of this table, in the order of their declaration in SQL.
    pub columns: Vec<Column>,
    /// Indexes into `columns` of the primary key, in the order of the key; never empty.
    pub key: Vec<usize>,
}

impl Table {
    /// Returns the values of the table's primary key in a row.
    #[must_use]
    pub fn key_of(&self, row: &[Cell]) -> Vec<Cell> {
        let cells = self.key.iter().filter_map(|place| row.get(*place));
        cells.cloned().collect()
    }
}

/// Value in a column of the database.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Absence of a value in a column (null).
    Null,
    /// Value in a column of [`ColumnKind::Integer`].
    Integer(i64),
    /// Value in a column of [`ColumnKind::Real`].
    Real(f64),
    /// Value in a column of [`ColumnKind::Text`].
    Text(String),
    /// Value in a column of [`ColumnKind::Bytes`].
    Bytes(Vec<u8>),
}
