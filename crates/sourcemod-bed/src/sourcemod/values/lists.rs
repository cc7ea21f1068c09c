//! ArrayList (`core/logic/smn_adt_array.cpp`): blocks of cells.

use crate::machine::{Answer, Fault};
use crate::sourcemod::arguments::count;
use crate::sourcemod::handles::Object;
use crate::sourcemod::{DONE, Natives, Plugin, complain};

#[derive(Clone, Debug)]
pub struct List {
    pub cells: Vec<i32>,
    block: usize,
}

impl List {
    fn len(&self) -> i32 {
        count(self.cells.len() / self.block)
    }

    /// Index of the first cell of a block.
    fn place(&self, index: i32) -> Result<usize, Fault> {
        if index < 0 || index >= self.len() {
            return complain(format!("Invalid index {index} (count: {})", self.len()));
        }
        Ok(index.cast_unsigned() as usize * self.block)
    }

    fn cell(&self, index: i32, cell: i32) -> Result<usize, Fault> {
        let place = self.place(index)?;
        match usize::try_from(cell) {
            Ok(cell) if cell < self.block => Ok(place + cell),
            _ => complain(format!("Invalid block {cell} (blocksize: {})", self.block)),
        }
    }

    fn text(&self, index: i32) -> Result<Vec<u8>, Fault> {
        let place = self.place(index)?;
        let bytes = self.cells[place..place + self.block]
            .iter()
            .flat_map(|cell| cell.to_le_bytes());
        Ok(bytes.take_while(|byte| *byte != 0).collect())
    }

    /// A block with a text, truncated to the block size.
    fn block_of(&self, text: &[u8]) -> Vec<i32> {
        let mut bytes = text[..text.len().min(self.block * 4 - 1)].to_vec();
        bytes.resize(self.block * 4, 0);
        bytes
            .chunks_exact(4)
            .map(|cell| i32::from_le_bytes(cell.try_into().expect("four bytes")))
            .collect()
    }
}

pub const NATIVES: Natives = &[
    ("ArrayList.ArrayList", create),
    ("ArrayList.Length.get", length),
    ("ArrayList.BlockSize.get", block_size),
    ("ArrayList.Clear", clear),
    ("ArrayList.Resize", resize),
    ("ArrayList.Push", push),
    ("ArrayList.PushString", push_text),
    ("ArrayList.PushArray", push_array),
    ("ArrayList.Get", get),
    ("ArrayList.GetString", get_text),
    ("ArrayList.GetArray", get_array),
    ("ArrayList.Set", set),
    ("ArrayList.SetString", set_text),
    ("ArrayList.SetArray", set_array),
    ("ArrayList.ShiftUp", shift_up),
    ("ArrayList.Erase", erase),
    ("ArrayList.SwapAt", swap),
    ("ArrayList.FindValue", find),
    ("ArrayList.FindString", find_text),
    ("ArrayList.Clone", clone),
    ("ArrayList.SortCustom", sort_custom),
    ("SortCustom1D", sort_cells),
];

fn create(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (block, length) = (arguments[0], arguments.get(1).copied().unwrap_or(0));
    let Some(block) = usize::try_from(block).ok().filter(|block| *block > 0) else {
        return complain("Invalid block size (must be > 0)");
    };
    let length = usize::try_from(length).unwrap_or(0);
    let list = List {
        cells: vec![0; length * block],
        block,
    };
    Ok(plugin.host.handles.add(Object::List(list)))
}

fn length(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(plugin.host.handles.list(arguments[0])?.len())
}

fn block_size(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(count(plugin.host.handles.list(arguments[0])?.block))
}

fn clear(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.list_mut(arguments[0])?.cells.clear();
    DONE
}

fn resize(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let length = usize::try_from(arguments[1])
        .map_err(|_| Fault::error("Unable to resize array to \"-\""))?;
    list.cells.resize(length * list.block, 0);
    DONE
}

fn push(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let index = list.len();
    list.cells.push(arguments[1]);
    let whole = list.cells.len().next_multiple_of(list.block);
    list.cells.resize(whole, 0);
    Ok(index)
}

fn push_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.memory.text(arguments[1])?.to_vec();
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let index = list.len();
    list.cells.extend(list.block_of(&text));
    Ok(index)
}

fn push_array(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let block = count(plugin.host.handles.list(arguments[0])?.block);
    let size = if arguments[2] == -1 {
        block
    } else {
        arguments[2].min(block)
    };
    let cells = plugin.cells(arguments[1], size)?;
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let index = list.len();
    list.cells.extend(cells);
    let whole = list.cells.len().next_multiple_of(list.block);
    list.cells.resize(whole, 0);
    Ok(index)
}

fn get(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list(arguments[0])?;
    let place = list.cell(arguments[1], arguments[2])?;
    if arguments[3] != 0 {
        let at = list.place(arguments[1])?;
        let byte = usize::try_from(arguments[2]).expect("checked");
        return Ok(i32::from(list.cells[at + byte / 4].to_le_bytes()[byte % 4]));
    }
    Ok(list.cells[place])
}

fn get_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.host.handles.list(arguments[0])?.text(arguments[1])?;
    plugin.memory.write_text(arguments[2], arguments[3], &text)
}

fn get_array(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list(arguments[0])?;
    let place = list.place(arguments[1])?;
    let most = usize::try_from(arguments[3])
        .unwrap_or(list.block)
        .min(list.block);
    let cells = list.cells[place..place + most].to_vec();
    plugin.write_cells(arguments[2], &cells)?;
    Ok(count(cells.len()))
}

fn set(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let place = list.cell(arguments[1], arguments[3])?;
    if arguments[4] != 0 {
        return complain("the test bed sets no single bytes of a list");
    }
    list.cells[place] = arguments[2];
    DONE
}

fn set_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.memory.text(arguments[2])?.to_vec();
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let place = list.place(arguments[1])?;
    let block = list.block_of(&text);
    list.cells[place..place + block.len()].copy_from_slice(&block);
    Ok(count(text.len()))
}

fn set_array(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list(arguments[0])?;
    let place = list.place(arguments[1])?;
    let block = count(list.block);
    let size = if arguments[3] == -1 {
        block
    } else {
        arguments[3].min(block)
    };
    let cells = plugin.cells(arguments[2], size)?;
    let list = plugin.host.handles.list_mut(arguments[0])?;
    list.cells[place..place + cells.len()].copy_from_slice(&cells);
    Ok(size)
}

fn shift_up(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let place = list.place(arguments[1])?;
    let block = vec![0; list.block];
    list.cells.splice(place..place, block);
    DONE
}

fn erase(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let place = list.place(arguments[1])?;
    list.cells.drain(place..place + list.block);
    DONE
}

fn swap(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list_mut(arguments[0])?;
    let (first, second) = (list.place(arguments[1])?, list.place(arguments[2])?);
    for cell in 0..list.block {
        list.cells.swap(first + cell, second + cell);
    }
    DONE
}

fn find(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list(arguments[0])?;
    let cell = arguments.get(2).copied().unwrap_or(0);
    for index in 0..list.len() {
        if list.cells[list.cell(index, cell)?] == arguments[1] {
            return Ok(index);
        }
    }
    Ok(-1)
}

fn find_text(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.memory.text(arguments[1])?.to_vec();
    let list = plugin.host.handles.list(arguments[0])?;
    for index in 0..list.len() {
        if list.text(index)? == text {
            return Ok(index);
        }
    }
    Ok(-1)
}

fn clone(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let list = plugin.host.handles.list(arguments[0])?.clone();
    Ok(plugin.host.handles.add(Object::List(list)))
}

/// The comparison function receives two indices, the list, and a value.
fn sort_custom(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (handle, function) = (arguments[0], arguments[1]);
    let list = plugin.host.handles.list(handle)?;
    let (length, block) = (list.len(), list.block);
    // Insertion sort keeps the list complete at all times, because the comparison function reads it.
    for end in 1..length {
        let mut at = end;
        while at > 0 {
            let order = plugin.invoke(function, &[at - 1, at, handle, arguments[2]])?;
            if order <= 0 {
                break;
            }
            let list = plugin.host.handles.list_mut(handle)?;
            let (first, second) = (list.place(at - 1)?, list.place(at)?);
            for cell in 0..block {
                list.cells.swap(first + cell, second + cell);
            }
            at -= 1;
        }
    }
    DONE
}

/// The comparison function receives two elements, the array, and a value.
fn sort_cells(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let [array, length, function, value] = arguments[..4] else {
        return complain("SortCustom1D has four arguments");
    };
    let mut cells = plugin.cells(array, length)?;
    for end in 1..cells.len() {
        let mut at = end;
        while at > 0 && plugin.invoke(function, &[cells[at - 1], cells[at], array, value])? > 0 {
            cells.swap(at - 1, at);
            at -= 1;
        }
    }
    plugin.write_cells(array, &cells)?;
    DONE
}
