//! JSON values as in jansson: all holders share a value and see each other's changes.

pub mod arrays;
pub mod objects;
mod text;

use std::cell::RefCell;
use std::rc::Rc;

use super::super::machine::Fault;
use super::super::sourcemod::complain;

/// A JSON value that may be shared.
#[derive(Clone, Debug)]
pub struct Json(Rc<RefCell<Value>>);

#[derive(Debug)]
pub enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    Array(Vec<Json>),
    /// Members in insertion order.
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn new(value: Value) -> Self {
        Self(Rc::new(RefCell::new(value)))
    }

    pub fn with<T>(&self, look: impl FnOnce(&Value) -> T) -> T {
        look(&self.0.borrow())
    }

    fn change<T>(&self, change: impl FnOnce(&mut Value) -> T) -> T {
        change(&mut self.0.borrow_mut())
    }

    /// Value of a key; `None` if this is not an object.
    fn get(&self, key: &str) -> Option<Self> {
        self.with(|value| match value {
            Value::Object(entries) => entries
                .iter()
                .find(|(known, _)| known == key)
                .map(|(_, value)| value.clone()),
            _ => None,
        })
    }

    fn at(&self, index: i32) -> Option<Self> {
        let place = usize::try_from(index).ok()?;
        self.with(|value| match value {
            Value::Array(elements) => elements.get(place).cloned(),
            _ => None,
        })
    }

    /// Value of a key; a fault if the key is missing.
    fn must_get(&self, key: &str) -> Result<Self, Fault> {
        self.get(key).map_or_else(
            || complain(format!("Could not retrieve value for key '{key}'")),
            Ok,
        )
    }

    fn must_be_at(&self, index: i32) -> Result<Self, Fault> {
        self.at(index).map_or_else(
            || complain(format!("Could not retrieve value at index {index}")),
            Ok,
        )
    }

    /// The integer value; 0 for other types, including reals.
    fn integer(&self) -> i32 {
        #[expect(clippy::cast_possible_truncation, reason = "same as the extension")]
        self.with(|value| match value {
            Value::Integer(integer) => *integer as i32,
            _ => 0,
        })
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "same as the extension"
    )]
    fn real(&self) -> f32 {
        self.with(|value| match value {
            Value::Integer(integer) => *integer as f32,
            Value::Real(real) => *real as f32,
            _ => 0.0,
        })
    }

    fn is_true(&self) -> bool {
        self.with(|value| matches!(value, Value::Bool(true)))
    }

    fn is_null(&self) -> bool {
        self.with(|value| matches!(value, Value::Null))
    }

    fn text(&self) -> Option<String> {
        self.with(|value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    fn len(&self) -> usize {
        self.with(|value| match value {
            Value::Array(elements) => elements.len(),
            Value::Object(entries) => entries.len(),
            _ => 0,
        })
    }

    /// Returns `false` if this is not an object.
    fn set(&self, key: &str, new: Self) -> bool {
        self.change(|value| {
            let Value::Object(entries) = value else {
                return false;
            };
            match entries.iter_mut().find(|(known, _)| known == key) {
                Some((_, value)) => *value = new,
                None => entries.push((key.to_owned(), new)),
            }
            true
        })
    }

    /// Returns `false` if this is not an array.
    fn push(&self, new: Self) -> bool {
        self.change(|value| match value {
            Value::Array(elements) => {
                elements.push(new);
                true
            }
            _ => false,
        })
    }
}
