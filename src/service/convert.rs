/// Implements `From` between structs with equal field names; `<=>` implements both directions. Fields are converted
/// with `into`. After a semicolon follow the fields that are lists, and after a second one the fields that are options.
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
