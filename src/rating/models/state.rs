use serde::Serialize;
use serde::de::DeserializeOwned;

/// Serialized state that a rating model keeps for a pool or for a player; empty if there is none. The first byte is the
/// version of the format, so that later programs can read older states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelState(Vec<u8>);

/// Error: a rating model cannot read or write its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this version of RBS cannot read the stored state of the rating model; update RBS, or recompute the state with \
     `rbs rebuild`"
)]
pub struct InvalidState;

impl ModelState {
    /// Creates the state of a rating model from stored bytes.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the model's state to store, which are empty if there is no state.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns `true` if the model has stored no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Serializes a model's state from `content`, with this version as the first byte.
    pub(super) fn write(version: u8, content: &impl Serialize) -> Result<Self, InvalidState> {
        let written = postcard::to_extend(content, vec![version]);
        written.map(Self).map_err(|_| InvalidState)
    }

    /// Deserializes the model's state, or returns `None` if there is none. Fails if the state has another version.
    pub(super) fn read<T: DeserializeOwned>(&self, version: u8) -> Result<Option<T>, InvalidState> {
        match self.0.split_first() {
            None => Ok(None),
            Some((written, content)) if *written == version => {
                let read = postcard::from_bytes(content);
                read.map(Some).map_err(|_| InvalidState)
            }
            Some(_) => Err(InvalidState),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written_and_by_its_own_version_alone() {
        let content = (0.1_f64, vec![-0.0_f64, f64::MIN_POSITIVE]);
        let state = ModelState::write(1, &content).unwrap();
        let stored = ModelState::from_bytes(state.as_bytes().to_vec());
        assert_eq!(stored.read(1), Ok(Some(content)));
        assert_eq!(stored.read::<(f64, Vec<f64>)>(2), Err(InvalidState));
        let cut = ModelState::from_bytes(state.as_bytes()[..5].to_vec());
        assert_eq!(cut.read::<(f64, Vec<f64>)>(1), Err(InvalidState));
        assert_eq!(ModelState::default().read::<f64>(1), Ok(None));
    }
}
