//! JSON parser and serializer with the behavior of jansson.

use serde_json::Value as Plain;

use super::{Json, Value};
use crate::machine::Fault;
use crate::sourcemod::complain;

/// Flags `JSON_COMPACT` and `JSON_SORT_KEYS`. The lowest five bits are the indentation.
const COMPACT: i32 = 0x20;
const SORTED: i32 = 0x80;
const INDENT: i32 = 0x1f;

impl Json {
    /// Parses an array or an object, the only top-level values that jansson accepts. Truncated, empty or HTML input is
    /// a fault.
    pub fn parse(text: &[u8]) -> Result<Self, Fault> {
        match serde_json::from_slice::<Plain>(text) {
            Ok(plain @ (Plain::Array(_) | Plain::Object(_))) => Self::from_plain(plain),
            Ok(_) => complain("Invalid JSON in line 1, column 1: '[' or '{' expected"),
            Err(error) => complain(format!(
                "Invalid JSON in line {}, column {}: {error}",
                error.line(),
                error.column()
            )),
        }
    }

    pub fn from_plain(plain: Plain) -> Result<Self, Fault> {
        Ok(Self::new(match plain {
            Plain::Null => Value::Null,
            Plain::Bool(value) => Value::Bool(value),
            Plain::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(integer), _) => Value::Integer(integer),
                (None, Some(real)) if !number.is_u64() => Value::Real(real),
                _ => return complain("Invalid JSON: too big integer"),
            },
            Plain::String(text) if text.contains('\0') => {
                return complain("Invalid JSON: \\u0000 is not allowed");
            }
            Plain::String(text) => Value::Text(text),
            Plain::Array(elements) => {
                let elements = elements.into_iter().map(Self::from_plain);
                Value::Array(elements.collect::<Result<_, _>>()?)
            }
            Plain::Object(entries) => {
                let entries = entries
                    .into_iter()
                    .map(|(key, value)| Ok((key, Self::from_plain(value)?)));
                Value::Object(entries.collect::<Result<_, Fault>>()?)
            }
        }))
    }

    pub fn to_plain(&self) -> Plain {
        self.with(|value| match value {
            Value::Null => Plain::Null,
            Value::Bool(value) => Plain::Bool(*value),
            Value::Integer(integer) => Plain::from(*integer),
            Value::Real(real) => Plain::from(*real),
            Value::Text(text) => Plain::from(text.as_str()),
            Value::Array(elements) => elements.iter().map(Self::to_plain).collect(),
            Value::Object(entries) => Plain::Object(
                entries
                    .iter()
                    .map(|(key, value)| (key.clone(), value.to_plain()))
                    .collect(),
            ),
        })
    }

    /// Serializes as jansson does. Unlike jansson, does not detect a value that contains itself, and never returns.
    pub fn dump(&self, flags: i32) -> String {
        let mut text = String::new();
        self.write(flags, &mut text);
        text
    }

    fn write(&self, flags: i32, to: &mut String) {
        assert_eq!(flags & INDENT, 0, "the test bed does not indent JSON");
        let (comma, colon) = if flags & COMPACT == 0 {
            (", ", ": ")
        } else {
            (",", ":")
        };
        self.with(|value| match value {
            Value::Real(real) if real.fract() == 0.0 && real.abs() < 1e16 => {
                to.push_str(&real_text(*real));
            }
            Value::Array(elements) => {
                to.push('[');
                for (place, element) in elements.iter().enumerate() {
                    to.push_str(if place > 0 { comma } else { "" });
                    element.write(flags, to);
                }
                to.push(']');
            }
            Value::Object(entries) => {
                let mut entries: Vec<&(String, Self)> = entries.iter().collect();
                if flags & SORTED != 0 {
                    entries.sort_by(|first, second| first.0.cmp(&second.0));
                }
                to.push('{');
                for (place, (key, value)) in entries.into_iter().enumerate() {
                    to.push_str(if place > 0 { comma } else { "" });
                    to.push_str(&Plain::from(key.as_str()).to_string());
                    to.push_str(colon);
                    value.write(flags, to);
                }
                to.push('}');
            }
            _ => to.push_str(&self.to_plain().to_string()),
        });
    }
}

/// Formats a real. A whole real keeps a decimal digit, so it is read back as a real.
fn real_text(real: f64) -> String {
    format!("{real:.1}")
}
