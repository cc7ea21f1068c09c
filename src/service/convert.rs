/// Implements `From` between structs with equal field names. Fields are converted with `into`.
macro_rules! convert {
    ($($from:ident => $to:ident { $($field:ident),* })*) => {
        $(
            impl From<$from> for $to {
                fn from(from: $from) -> Self {
                    Self {
                        $($field: from.$field.into(),)*
                    }
                }
            }
        )*
    };
}

pub(super) use convert;
