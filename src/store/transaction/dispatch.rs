//! Macro that connects the methods of a database transaction to the functions of its engine.

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
