//! Macros that connect the methods of a database transaction to the functions of its engine.

/// Declares methods of [`Tx`](super::Tx), a database transaction. Each method runs the function behind `=` on the
/// engine of the transaction, within the deadline.
macro_rules! queries {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty = $($query:ident)::+;
    )*) => {
        impl Tx {
            $(
                $(#[$doc])*
                pub async fn $name(
                    &mut self,
                    $($argument: $type),*
                ) -> Result<$output, StoreError> {
                    let deadline = self.deadline;
                    match &mut self.inner {
                        Inner::Postgres(connection) => {
                            within(deadline, postgres::$($query)::+(connection, $($argument),*)).await
                        }
                        Inner::Sqlite(connection) => {
                            within(deadline, sqlite::$($query)::+(connection, $($argument),*)).await
                        }
                    }
                }
            )*
        }
    };
}

/// Declares methods of [`Tx`](super::Tx), a database transaction, that each run one SQL text on either engine. The
/// arguments are the parameters `$1`, `$2` and so on of the text; a tuple stands for several. The function before the
/// text, such as `read_all`, is in the module `sql` of the engine and runs the text. The function behind the text reads
/// a row.
macro_rules! statements {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty
            = $run:ident($text:expr $(, $read:expr)?);
    )*) => {
        impl Tx {
            $(
                $(#[$doc])*
                pub async fn $name(
                    &mut self,
                    $($argument: $type),*
                ) -> Result<$output, StoreError> {
                    let deadline = self.deadline;
                    match &mut self.inner {
                        Inner::Postgres(connection) => {
                            use crate::store::postgres::sql;
                            let query = sql::bound($text, ($($argument,)*));
                            within(deadline, sql::$run(connection, query $(, $read)?)).await
                        }
                        Inner::Sqlite(connection) => {
                            use crate::store::sqlite::sql;
                            let query = sql::bound($text, ($($argument,)*));
                            within(deadline, sql::$run(connection, query $(, $read)?)).await
                        }
                    }
                }
            )*
        }
    };
}
