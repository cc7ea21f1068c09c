/// Converts types to others, and with `<=>` both to each other, by their fields: those that convert by
/// themselves, and behind a semicolon lists of such.
macro_rules! convert {
    ($($one:ident <=> $other:ident $fields:tt)*) => {
        $(convert! { $one => $other $fields  $other => $one $fields })*
    };
    ($($from:ident => $to:ident { $($field:ident),* $(; $($list:ident),*)? })*) => {
        $(
            impl From<$from> for $to {
                fn from(from: $from) -> Self {
                    Self {
                        $($field: from.$field.into(),)*
                        $($($list: from.$list.into_iter().map(Into::into).collect(),)*)?
                    }
                }
            }
        )*
    };
}

pub(super) use convert;
