use serde::{Deserialize, Serialize};

/// Every table that a database of RBS has, in an order in which each comes behind those
/// that its rows refer to. `unrated_players` is missing: a trigger fills it as rounds are inserted.
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

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Whole numbers of 64 signed bits.
    Integer,
    /// Floating-point numbers of 64 bits.
    Real,
    /// UTF-8 text.
    Text,
    /// Binary content.
    Bytes,
}

impl ColumnKind {
    /// What a column holds that was declared so, in the words of either engine; `None` of a type that no
    /// migration declares.
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
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
}

/// A table as the database has it at the moment, of whatever version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name, one of [`TABLES`].
    pub name: &'static str,
    /// Its columns, in the order in which they were declared.
    pub columns: Vec<Column>,
    /// The places in `columns` of those of its primary key, in the order of the key; never none.
    pub key: Vec<usize>,
}

impl Table {
    /// The values of a row that are its key.
    #[must_use]
    pub fn key_of(&self, row: &[Cell]) -> Vec<Cell> {
        let cells = self.key.iter().filter_map(|place| row.get(*place));
        cells.cloned().collect()
    }
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// None.
    Null,
    /// Of [`ColumnKind::Integer`].
    Integer(i64),
    /// Of [`ColumnKind::Real`].
    Real(f64),
    /// Of [`ColumnKind::Text`].
    Text(String),
    /// Of [`ColumnKind::Bytes`].
    Bytes(Vec<u8>),
}
