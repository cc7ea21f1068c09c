use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a model remembers of a pool, or of one player of it, in bytes of the model's own; empty where that is
/// nothing. The first byte is the version of the rest, so that a later program can read what an earlier wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelState(Vec<u8>);

/// A model cannot read or write what it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what the rating model remembers is not as this program writes it")]
pub struct InvalidState;

impl ModelState {
    /// The state that was stored as these bytes.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes to store; empty where nothing is remembered.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The state with this content, written as of that version.
    pub(super) fn write(version: u8, content: &impl Serialize) -> Result<Self, InvalidState> {
        let written = postcard::to_extend(content, vec![version]);
        written.map(Self).map_err(|_| InvalidState)
    }

    /// The content, where it was written as of that version; `None` where nothing is remembered.
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
