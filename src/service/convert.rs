/// Converts types to others, and with `<=>` both to each other, by their fields: those that convert by
/// themselves, behind a semicolon lists of such, and behind another what may be there or not.
macro_rules! convert {
    ($($one:ident <=> $other:ident $fields:tt)*) => {
        $(convert! { $one => $other $fields  $other => $one $fields })*
    };
    ($($from:ident => $to:ident { $($field:ident),* $(; $($list:ident),* $(; $($option:ident),*)?)? })*) => {
        $(
            impl From<$from> for $to {
                fn from(from: $from) -> Self {
                    Self {
                        $($field: from.$field.into(),)*
                        $(
                            $($list: from.$list.into_iter().map(Into::into).collect(),)*
                            $($($option: from.$option.map(Into::into),)*)?
                        )?
                    }
                }
            }
        )*
    };
}

pub(super) use convert;
