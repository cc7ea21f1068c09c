use serde::{Deserialize, Serialize};

/// Every table of a database of RBS, each behind the tables that its rows refer to. Excludes `unrated_players`, which a
/// trigger fills as rounds are inserted.
pub const TABLES: [&str; 23] = [
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
];

/// Type of the values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Signed integers of 64 bits.
    Integer,
    /// Floating-point numbers of 64 bits.
    Real,
    /// Text encoded in UTF-8.
    Text,
    /// Binary content of any length.
    Bytes,
}

impl ColumnKind {
    /// Returns the kind of a column from its declared type in either engine, or `None` for a type that no migration
    /// declares.
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

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Type of the values.
    pub kind: ColumnKind,
}

/// A table as the database has it, of any version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name of the table, one of [`TABLES`].
    pub name: &'static str,
    /// Columns in the order of their declaration.
    pub columns: Vec<Column>,
    /// Indexes into `columns` of the primary key, in the order of the key; never empty.
    pub key: Vec<usize>,
}

impl Table {
    /// Returns the values of a row that are its key.
    #[must_use]
    pub fn key_of(&self, row: &[Cell]) -> Vec<Cell> {
        let cells = self.key.iter().filter_map(|place| row.get(*place));
        cells.cloned().collect()
    }
}

/// A value in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Absence of a value.
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
