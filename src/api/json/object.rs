use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, de};

/// Wrapper that deserializes `T` only from a JSON object. Serde alone would also accept a list of the field values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: de::MapAccess<'de>>(self, map: M) -> Result<Object<T>, M::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(Visitor(PhantomData))
    }
}

/// Deserializes a value; JSON `null` gives the default of the type.
pub(crate) fn default_where_null<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Deserializes a value from a JSON object only; `null` gives the default of the type.
pub(crate) fn object_or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    let object: Option<Object<T>> = Option::deserialize(deserializer)?;
    Ok(object.map_or_else(T::default, |Object(value)| value))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::from_str;

    use super::*;

    #[test]
    fn where_null_is_the_default_a_list_is_none_either() {
        #[derive(Deserialize)]
        struct Sent {
            #[serde(deserialize_with = "object_or_default")]
            counts: BTreeMap<String, u8>,
        }

        let read = |text: &str| from_str::<Sent>(text).map(|sent| sent.counts.len());
        assert_eq!(read(r#"{"counts": {"a": 1}}"#).unwrap(), 1);
        assert_eq!(read(r#"{"counts": null}"#).unwrap(), 0);
        assert!(read(r#"{"counts": []}"#).is_err());
    }
}
