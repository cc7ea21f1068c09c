//! How a method of a unit of work finds the function that answers it.

/// Makes methods of [`Tx`](super::Tx), each of which runs the function behind the `=` on the engine that the
/// unit of work is on, within its deadline.
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
