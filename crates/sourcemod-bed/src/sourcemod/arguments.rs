//! Access to the arguments of natives, and to their output parameters.

use super::{Plugin, complain};
use crate::machine::{CELL, Fault};

impl Plugin {
    pub fn text(&self, address: i32) -> Result<String, Fault> {
        Ok(String::from_utf8_lossy(self.memory.text(address)?).into_owned())
    }

    /// Writes as much of a text as fits.
    pub fn write(&mut self, address: i32, size: i32, text: &str) -> Result<i32, Fault> {
        self.memory.write_text(address, size, text.as_bytes())
    }

    /// Cells of an array.
    pub fn cells(&self, address: i32, count: i32) -> Result<Vec<i32>, Fault> {
        (0..count)
            .map(|place| self.memory.load(address + place * CELL))
            .collect()
    }

    pub fn write_cells(&mut self, address: i32, cells: &[i32]) -> Result<(), Fault> {
        let places = (address..).step_by(4);
        for (place, cell) in places.zip(cells) {
            self.memory.store(place, *cell)?;
        }
        Ok(())
    }

    /// A text, limited to the length of SourceMod's own buffers.
    pub fn name(&self, address: i32) -> Result<String, Fault> {
        let text = self.text(address)?;
        if text.is_empty() {
            return complain("A name is empty");
        }
        Ok(text)
    }
}

/// Reinterprets a cell as a float.
pub fn real(cell: i32) -> f32 {
    f32::from_bits(cell.cast_unsigned())
}

/// Reinterprets a float as a cell.
pub fn cell(real: f32) -> i32 {
    real.to_bits().cast_signed()
}

/// Converts a count to a cell.
pub fn count(count: usize) -> i32 {
    i32::try_from(count).expect("fewer than 2^31")
}
