//! JSON as jansson holds it: a value is shared by all who hold it, whatever they write into it.

pub mod arrays;
pub mod objects;
mod text;

use std::cell::RefCell;
use std::rc::Rc;

use super::super::machine::Fault;
use super::super::sourcemod::complain;

/// A value that may be shared.
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
    /// In the order that the keys were set first.
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

    /// What is not an object has no keys.
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

    /// The value of a key, without which the callback ends.
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

    /// 0 for what is no whole number, a real among them.
    fn integer(&self) -> i32 {
        #[expect(clippy::cast_possible_truncation, reason = "as the extension does it")]
        self.with(|value| match value {
            Value::Integer(integer) => *integer as i32,
            _ => 0,
        })
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "as the extension does it"
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

    /// False where this is no object.
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

    /// False where this is no array.
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
