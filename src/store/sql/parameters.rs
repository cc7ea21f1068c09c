//! Conversion of values into the parameters of SQL queries.

use sqlx::{Encode, Type};

use super::super::{Db, Numbers, numbers};
use super::Query;
use crate::domain::{
    ChangeId, Fingerprint, NoticeName, PlayerDisplayName, PlayerId, PluginVersion, PoolName,
    Progress, Rating, RoundId, ServerName, Timestamp, Winner,
};
use crate::store::{Generation, PoolId, Ranked, SettingsId};

/// Value that an SQL query can bind, as the database stores it in a column.
pub(crate) trait Parameter<'value> {
    type Column: Encode<'value, Db> + Type<Db> + 'value;

    fn column(self) -> Self::Column;
}

/// Declares how types are stored in columns.
macro_rules! columns_of {
    ($($type:ty => $column:ty, $convert:expr;)+) => {
        $(
            impl<'value> Parameter<'value> for $type {
                type Column = $column;

                fn column(self) -> $column {
                    let convert: fn($type) -> $column = $convert;
                    convert(self)
                }
            }
        )+
    };
}

columns_of! {
    i32 => i32, |number| number;
    i64 => i64, |number| number;
    u32 => i64, i64::from;
    u64 => i64, u64::cast_signed;
    f64 => f64, |number| number;
    bool => bool, |flag| flag;
    String => String, |text| text;
    &'value str => &'value str, |text| text;
    &'value String => &'value str, |text| text;
    &'value [u8] => &'value [u8], |bytes| bytes;
    PoolId => i64, |pool| pool.0;
    Generation => i64, |generation| generation.0;
    SettingsId => i64, |settings| settings.0;
    Timestamp => i64, Timestamp::unix_micros;
    PlayerId => i64, |player| player.steam_id64().cast_signed();
    Rating => i64, |rating| rating.points().into();
    Winner => String, |winner| winner.to_string();
    Fingerprint => String, |secret| secret.to_string();
    PluginVersion => String, |version| version.to_string();
    &'value PoolName => &'value str, PoolName::as_str;
    &'value ServerName => &'value str, ServerName::as_str;
    &'value RoundId => &'value str, RoundId::as_str;
    &'value ChangeId => &'value str, ChangeId::as_str;
    &'value NoticeName => &'value str, NoticeName::as_str;
    &'value PlayerDisplayName => &'value str, PlayerDisplayName::as_str;
}

impl<'value, T: Parameter<'value>> Parameter<'value> for Option<T>
where
    Option<T::Column>: Encode<'value, Db> + Type<Db>,
{
    type Column = Option<T::Column>;

    fn column(self) -> Self::Column {
        self.map(T::column)
    }
}

impl Parameter<'_> for &[u64] {
    type Column = Numbers;

    fn column(self) -> Self::Column {
        numbers(self.iter().copied())
    }
}

impl Parameter<'_> for &[PlayerId] {
    type Column = Numbers;

    fn column(self) -> Self::Column {
        numbers(self.iter().map(|player| player.steam_id64()))
    }
}

/// Values of consecutive parameters of an SQL query.
pub(crate) trait Parameters<'value> {
    fn bind(self, query: Query<'static>) -> Query<'static>;
}

impl<'value, T: Parameter<'value>> Parameters<'value> for T {
    fn bind(self, query: Query<'static>) -> Query<'static> {
        query.bind(self.column())
    }
}

impl Parameters<'_> for Progress {
    fn bind(self, query: Query<'static>) -> Query<'static> {
        (self.done, self.total).bind(query)
    }
}

impl Parameters<'_> for Ranked {
    fn bind(self, query: Query<'static>) -> Query<'static> {
        (self.shadow_rounds, self.stale_before).bind(query)
    }
}

impl Parameters<'_> for () {
    fn bind(self, query: Query<'static>) -> Query<'static> {
        query
    }
}

/// Implements [`Parameters`] for tuples of every length up to the number of names.
macro_rules! tuples {
    () => {};
    ($first:ident $($other:ident)*) => {
        tuples!($($other)*);

        #[expect(non_snake_case, reason = "each value is named like its type")]
        impl<'value, $first: Parameters<'value>, $($other: Parameters<'value>),*> Parameters<'value>
            for ($first, $($other,)*)
        {
            fn bind(self, query: Query<'static>) -> Query<'static> {
                let ($first, $($other,)*) = self;
                let query = $first.bind(query);
                $(let query = $other.bind(query);)*
                query
            }
        }
    };
}

tuples!(A B C D E F G H I J K L M N O P Q);
