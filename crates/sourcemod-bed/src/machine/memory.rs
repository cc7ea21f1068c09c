//! A plugin's memory: data, then the heap, which grows up, then the stack, which grows down.
//!
//! Access to the gap between heap and stack, or outside the memory, is a fault, as in SourcePawn's own virtual machine.

use super::Fault;

/// Minimum bytes of heap and stack together.
const MIN_ROOM: usize = 16384;
/// Minimum distance between heap and stack when either grows by more than a cell.
const MARGIN: i32 = 64;
/// Size of a cell, in bytes.
pub const CELL: i32 = 4;

#[derive(Debug)]
pub struct Memory {
    bytes: Vec<u8>,
    /// End of the data, and start of the heap.
    data: i32,
    pub heap: i32,
    /// Top of the stack: the address of its lowest cell.
    pub stack: i32,
    /// Bottom of the stack.
    bottom: i32,
    /// Frame of the running function.
    pub frame: i32,
    /// Innermost scope of the heap; -1 for none.
    pub scope: i32,
    /// Minimum distance between heap and stack so far.
    least_left: i32,
}

impl Memory {
    pub fn new(data: &[u8], size: usize) -> Self {
        let size = size.max(data.len() + MIN_ROOM).next_multiple_of(4);
        let mut bytes = data.to_vec();
        bytes.resize(size, 0);
        let heap = i32::try_from(data.len()).expect("data of less than 2 GiB");
        let bottom = i32::try_from(size).expect("memory of less than 2 GiB") - CELL;
        Self {
            bytes,
            data: heap,
            heap,
            stack: bottom,
            bottom,
            frame: bottom,
            scope: -1,
            least_left: bottom - heap,
        }
    }

    /// Peak size of heap and stack together, in bytes.
    pub fn most_used(&self) -> i32 {
        self.bottom - self.data - self.least_left
    }

    /// Cells of the plugin's variables.
    pub fn variables(&self) -> impl Iterator<Item = i32> {
        let cells = self.bytes[..self.data.cast_unsigned() as usize].chunks_exact(4);
        cells.map(|cell| i32::from_le_bytes(cell.try_into().expect("four bytes")))
    }

    /// Checks access to `length` bytes from an address, and returns the index.
    fn check(&self, address: i32, length: usize) -> Result<usize, Fault> {
        let last = i32::try_from(length.max(1) - 1)
            .ok()
            .and_then(|length| address.checked_add(length));
        let is_there =
            |at: i32| at >= 0 && at < self.bottom && !(self.heap..self.stack).contains(&at);
        match last {
            Some(last) if is_there(address) && is_there(last) => {
                Ok(address.cast_unsigned() as usize)
            }
            _ => Err(Fault::error(format!("Invalid memory access at {address}"))),
        }
    }

    pub fn load(&self, address: i32) -> Result<i32, Fault> {
        let at = self.check(address, 1)?;
        let bytes = self.bytes[at..at + 4].try_into().expect("four bytes");
        Ok(i32::from_le_bytes(bytes))
    }

    pub fn store(&mut self, address: i32, value: i32) -> Result<(), Fault> {
        let at = self.check(address, 1)?;
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Ok(())
    }

    pub fn store_byte(&mut self, address: i32, value: u8) -> Result<(), Fault> {
        let at = self.check(address, 1)?;
        self.bytes[at] = value;
        Ok(())
    }

    pub fn bytes(&self, address: i32, length: usize) -> Result<&[u8], Fault> {
        let at = self.check(address, length)?;
        Ok(&self.bytes[at..at + length])
    }

    pub fn bytes_mut(&mut self, address: i32, length: usize) -> Result<&mut [u8], Fault> {
        let at = self.check(address, length)?;
        Ok(&mut self.bytes[at..at + length])
    }

    pub fn copy(&mut self, from: i32, to: i32, length: usize) -> Result<(), Fault> {
        let from = self.check(from, length)?;
        let to = self.check(to, length)?;
        self.bytes.copy_within(from..from + length, to);
        Ok(())
    }

    /// Bytes of a NUL-terminated text, without the NUL.
    pub fn text(&self, address: i32) -> Result<&[u8], Fault> {
        let bytes = &self.bytes[self.check(address, 1)?..];
        let end = bytes.iter().position(|byte| *byte == 0);
        let end = end.ok_or_else(|| Fault::error("A text has no end"))?;
        Ok(&bytes[..end])
    }

    /// Writes as much of a text as fits into `size` bytes with its NUL, without cutting a character. Returns the number
    /// of bytes.
    pub fn write_text(&mut self, address: i32, size: i32, text: &[u8]) -> Result<i32, Fault> {
        let Some(room) = usize::try_from(size)
            .ok()
            .and_then(|size| size.checked_sub(1))
        else {
            return Ok(0);
        };
        let mut length = text.len().min(room);
        if length < text.len() {
            while length > 0 && text[length] & 0xc0 == 0x80 {
                length -= 1;
            }
        }
        let target = self.bytes_mut(address, length + 1)?;
        target[..length].copy_from_slice(&text[..length]);
        target[length] = 0;
        Ok(i32::try_from(length).expect("less than the memory"))
    }

    pub fn push(&mut self, value: i32) -> Result<(), Fault> {
        if self.stack <= self.heap + CELL {
            return Err(Fault::error("Not enough space on the stack"));
        }
        self.stack -= CELL;
        self.note_least();
        self.store(self.stack, value)
    }

    pub fn pop(&mut self) -> Result<i32, Fault> {
        if self.stack >= self.bottom {
            return Err(Fault::error("The stack is empty"));
        }
        let value = self.load(self.stack)?;
        self.stack += CELL;
        Ok(value)
    }

    /// Moves the top of the stack; a negative `by` grows the stack.
    pub fn move_stack(&mut self, by: i32) -> Result<(), Fault> {
        let to = self.stack.wrapping_add(by);
        if by < 0 && to < self.heap + MARGIN {
            return Err(Fault::error("Not enough space on the stack"));
        }
        if by >= 0 && to > self.bottom {
            return Err(Fault::error("The stack is empty"));
        }
        self.stack = to;
        self.note_least();
        Ok(())
    }

    /// Moves the end of the heap, and returns the previous end.
    pub fn move_heap(&mut self, by: i32) -> Result<i32, Fault> {
        let (from, to) = (self.heap, self.heap.wrapping_add(by));
        if by < 0 && to < self.data {
            return Err(Fault::error("The heap is empty"));
        }
        if by >= 0 && to.saturating_add(MARGIN) > self.stack {
            return Err(Fault::error("Not enough space on the heap"));
        }
        self.heap = to;
        self.note_least();
        Ok(from)
    }

    pub fn enter_scope(&mut self) -> Result<(), Fault> {
        let outer = self.scope;
        self.scope = self.move_heap(CELL)?;
        self.store(self.scope, outer)
    }

    pub fn leave_scope(&mut self) -> Result<(), Fault> {
        let outer = self.load(self.scope)?;
        self.heap = self.scope;
        self.scope = outer;
        Ok(())
    }

    pub fn enter_frame(&mut self) -> Result<(), Fault> {
        self.push(self.frame)?;
        let saved = self.move_heap(CELL)?;
        self.store(saved, self.scope)?;
        self.push(saved)?;
        self.frame = self.stack;
        Ok(())
    }

    /// Leaves a function and pops its arguments.
    pub fn leave_frame(&mut self) -> Result<(), Fault> {
        self.stack = self.frame;
        let saved = self.pop()?;
        self.scope = self.load(saved)?;
        self.heap = saved;
        self.frame = self.pop()?;
        let arguments = self.pop()?;
        self.move_stack(arguments.wrapping_mul(CELL))
    }

    /// Allocates an array on the heap. Its sizes are on the stack, the last first; its address replaces them.
    pub fn make_array(&mut self, dimensions: usize, zeroed: bool) -> Result<(), Fault> {
        let mut sizes = Vec::with_capacity(dimensions);
        for _ in 0..dimensions {
            sizes.push(self.pop()?);
        }
        let too_big = || Fault::error(format!("Array of {sizes:?} is too big"));
        let (mut cells, mut vectors) = (1_i32, 0_i32);
        for (place, size) in sizes.iter().enumerate() {
            if *size <= 0 {
                return Err(too_big());
            }
            cells = cells.checked_mul(*size).ok_or_else(too_big)?;
            if place > 0 {
                vectors = vectors
                    .checked_mul(*size)
                    .and_then(|vectors| vectors.checked_add(*size))
                    .ok_or_else(too_big)?;
            }
        }
        let bytes = cells
            .checked_add(vectors)
            .and_then(|cells| cells.checked_mul(CELL))
            .ok_or_else(too_big)?;
        let array = self.move_heap(bytes)?;
        let (mut vector, mut data) = (array, array + vectors * CELL);
        self.link(&sizes, &mut vector, &mut data)?;
        if zeroed {
            let length = cells.cast_unsigned() as usize * 4;
            self.bytes_mut(array + vectors * CELL, length)?.fill(0);
        }
        self.push(array)
    }

    /// Writes the indirection vectors of an array of these sizes. Returns the address of the array.
    fn link(&mut self, sizes: &[i32], vector: &mut i32, data: &mut i32) -> Result<i32, Fault> {
        let (size, inner) = sizes.split_last().expect("an array has a size");
        if inner.is_empty() {
            let begins = *data;
            *data += size * CELL;
            return Ok(begins);
        }
        let begins = *vector;
        *vector += size * CELL;
        for place in 0..*size {
            let part = self.link(inner, vector, data)?;
            self.store(begins + place * CELL, part)?;
        }
        Ok(begins)
    }

    /// Writes a constant array: `vectors` cells of offsets within the array, `cells` copied from the data at `from`,
    /// and `fill` more cells of `value`.
    pub fn init_array(
        &mut self,
        to: i32,
        [from, vectors, cells, fill, value]: [i32; 5],
    ) -> Result<(), Fault> {
        for place in 0..vectors {
            let offset = self.load(from + place * CELL)?;
            self.store(to + place * CELL, offset.wrapping_add(to))?;
        }
        let after = to + vectors * CELL;
        let length = |cells: i32| usize::try_from(cells).map_or(0, |cells| cells * 4);
        if cells > 0 {
            self.copy(from + vectors * CELL, after, length(cells))?;
        }
        for place in cells..cells + fill {
            self.store(after + place * CELL, value)?;
        }
        Ok(())
    }

    fn note_least(&mut self) {
        self.least_left = self.least_left.min(self.stack - self.heap);
    }
}
