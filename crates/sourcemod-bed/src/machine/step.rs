//! Execution of the opcodes.

use super::opcode::*;
use super::{Answer, CELL, Fault, Machine};

impl<H> Machine<H> {
    /// Runs the function at this code address. Its arguments are on the stack.
    pub(super) fn run(&mut self, address: usize) -> Answer {
        let outer = self.returns.len();
        let mut next = self.enter(address)?;
        loop {
            self.at = next;
            self.instructions += 1;
            if self.instructions > self.stop_at {
                return Err(Fault::error("The callback does not end"));
            }
            match self.step(next)? {
                Flow::Next(cells) => next += 4 * cells,
                Flow::Jump(to) => next = to,
                Flow::Call(to, back) => {
                    self.returns.push(back);
                    next = self.enter(to)?;
                }
                Flow::Return => {
                    self.memory.leave_frame()?;
                    if self.returns.len() == outer {
                        return Ok(self.primary);
                    }
                    next = self.returns.pop().expect("a function that called");
                }
            }
        }
    }

    /// Enters the function at this address. Returns the address of its first instruction.
    fn enter(&mut self, address: usize) -> Result<usize, Fault> {
        if self.image.code.get(address / 4) != Some(&PROC) || !address.is_multiple_of(4) {
            return Err(Fault::error(format!("There is no function at {address}")));
        }
        self.memory.enter_frame()?;
        Ok(address + 4)
    }

    #[expect(clippy::too_many_lines, reason = "each opcode takes only a few lines")]
    fn step(&mut self, at: usize) -> Result<Flow, Fault> {
        let code = &self.image.code[at / 4..];
        let (opcode, first) = (code[0], code.get(1).copied().unwrap_or(0));
        let second = code.get(2).copied().unwrap_or(0);
        let jump = || Ok(Flow::Jump(place(first)));
        let memory = &mut self.memory;
        let (primary, alternate) = (&mut self.primary, &mut self.alternate);
        let frame = memory.frame;
        match opcode {
            LOAD_PRI => *primary = memory.load(first)?,
            LOAD_ALT => *alternate = memory.load(first)?,
            LOAD_S_PRI => *primary = memory.load(frame + first)?,
            LOAD_S_ALT => *alternate = memory.load(frame + first)?,
            LOAD_BOTH => {
                (*primary, *alternate) = (memory.load(first)?, memory.load(second)?);
            }
            LOAD_S_BOTH => {
                *primary = memory.load(frame + first)?;
                *alternate = memory.load(frame + second)?;
            }
            LREF_S_PRI => *primary = memory.load(memory.load(frame + first)?)?,
            LREF_S_ALT => *alternate = memory.load(memory.load(frame + first)?)?,
            LOAD_I => *primary = memory.load(*primary)?,
            LODB_I => {
                let mask = match first {
                    1 => 0xff,
                    2 => 0xffff,
                    _ => -1,
                };
                *primary = memory.load(*primary)? & mask;
            }
            LIDX => {
                let element = alternate.wrapping_add(primary.wrapping_mul(CELL));
                *primary = memory.load(element)?;
            }
            IDXADDR => *primary = alternate.wrapping_add(primary.wrapping_mul(CELL)),
            CONST_PRI => *primary = first,
            CONST_ALT => *alternate = first,
            CONST => memory.store(first, second)?,
            CONST_S => memory.store(frame + first, second)?,
            ADDR_PRI => *primary = frame + first,
            ADDR_ALT => *alternate = frame + first,
            STOR_PRI => memory.store(first, *primary)?,
            STOR_ALT => memory.store(first, *alternate)?,
            STOR_S_PRI => memory.store(frame + first, *primary)?,
            STOR_S_ALT => memory.store(frame + first, *alternate)?,
            SREF_S_PRI | SREF_S_ALT => {
                let target = memory.load(frame + first)?;
                let value = if opcode == SREF_S_PRI {
                    *primary
                } else {
                    *alternate
                };
                memory.store(target, value)?;
            }
            STOR_I => memory.store(*alternate, *primary)?,
            STRB_I => {
                let bytes = primary.to_le_bytes();
                match first {
                    1 => memory.store_byte(*alternate, bytes[0])?,
                    2 => memory
                        .bytes_mut(*alternate, 2)?
                        .copy_from_slice(&bytes[..2]),
                    _ => memory.store(*alternate, *primary)?,
                }
            }
            MOVE_PRI => *primary = *alternate,
            MOVE_ALT => *alternate = *primary,
            XCHG => std::mem::swap(primary, alternate),
            SWAP_PRI | SWAP_ALT => {
                let register = if opcode == SWAP_PRI {
                    primary
                } else {
                    alternate
                };
                let value = std::mem::replace(register, memory.pop()?);
                memory.push(value)?;
            }
            PUSH_PRI => memory.push(*primary)?,
            PUSH_ALT => memory.push(*alternate)?,
            POP_PRI => *primary = memory.pop()?,
            POP_ALT => *alternate = memory.pop()?,
            PUSH_C | PUSH | PUSH_S | PUSH_ADR => self.push_many(at, opcode, 1)?,
            PUSH2_C..=PUSH5_ADR => {
                let group = opcode - PUSH2_C;
                let kind = [PUSH_C, PUSH, PUSH_S, PUSH_ADR][place(group % 4)];
                self.push_many(at, kind, place(group / 4) + 2)?;
            }
            STACK => memory.move_stack(first)?,
            HEAP => *alternate = memory.move_heap(first)?,
            HEAP_SAVE => memory.enter_scope()?,
            HEAP_RESTORE => memory.leave_scope()?,
            GENARRAY | GENARRAY_Z => memory.make_array(place(first), opcode == GENARRAY_Z)?,
            INITARRAY_PRI | INITARRAY_ALT => {
                let operands = code[1..6].try_into().expect("five operands");
                let array = if opcode == INITARRAY_PRI {
                    *primary
                } else {
                    *alternate
                };
                memory.init_array(array, operands)?;
            }
            MOVS => memory.copy(*primary, *alternate, place(first))?,
            FILL => {
                for offset in (0..first).step_by(4) {
                    memory.store(*alternate + offset, *primary)?;
                }
            }
            INC_ALT => *alternate = alternate.wrapping_add(1),
            DEC_ALT => *alternate = alternate.wrapping_sub(1),
            SHL_C_ALT => *alternate = alternate.wrapping_shl(first.cast_unsigned()),
            ZERO_PRI => *primary = 0,
            ZERO_ALT => *alternate = 0,
            ZERO => memory.store(first, 0)?,
            ZERO_S => memory.store(frame + first, 0)?,
            INC | DEC | INC_S | DEC_S | INC_I | DEC_I => {
                let target = match opcode {
                    INC | DEC => first,
                    INC_S | DEC_S => frame + first,
                    _ => *primary,
                };
                let by = if matches!(opcode, INC | INC_S | INC_I) {
                    1
                } else {
                    -1
                };
                memory.store(target, memory.load(target)?.wrapping_add(by))?;
            }
            STRADJUST_PRI => *primary = primary.wrapping_add(4) >> 2,
            BOUNDS => {
                if primary.cast_unsigned() > first.cast_unsigned() {
                    let limit = i64::from(first) + 1;
                    let message =
                        format!("Array index out-of-bounds (index {primary}, limit {limit})");
                    return Err(Fault::error(message));
                }
            }
            SYSREQ_C => self.call_native(first)?,
            SYSREQ_N => {
                memory.push(second)?;
                self.call_native(first)?;
                self.memory.move_stack((second + 1) * CELL)?;
            }
            JUMP => return jump(),
            JZER | JNZ => {
                if (*primary == 0) == (opcode == JZER) {
                    return jump();
                }
            }
            JEQ | JNEQ | JSLESS | JSLEQ | JSGRTR | JSGEQ => {
                if compare(opcode, *primary, *alternate) {
                    return jump();
                }
            }
            SWITCH => return Ok(Flow::Jump(self.find_case(place(first)))),
            CALL => return Ok(Flow::Call(place(first), at + 8)),
            RETN => return Ok(Flow::Return),
            NOP | BREAK => {}
            _ => self.compute(opcode, first)?,
        }
        Ok(Flow::Next(cells(opcode)))
    }

    /// Executes an opcode that uses registers only.
    fn compute(&mut self, opcode: i32, operand: i32) -> Result<(), Fault> {
        let (primary, alternate) = (self.primary, self.alternate);
        let bits = alternate.cast_unsigned();
        self.primary = match opcode {
            ADD => primary.wrapping_add(alternate),
            SUB => primary.wrapping_sub(alternate),
            SUB_ALT => alternate.wrapping_sub(primary),
            SMUL => primary.wrapping_mul(alternate),
            ADD_C => primary.wrapping_add(operand),
            SMUL_C => primary.wrapping_mul(operand),
            SDIV => self.divide(primary, alternate)?,
            SDIV_ALT => self.divide(alternate, primary)?,
            SHL_C_PRI => primary.wrapping_shl(operand.cast_unsigned()),
            SHL => primary.wrapping_shl(bits),
            SHR => primary.cast_unsigned().wrapping_shr(bits).cast_signed(),
            SSHR => primary.wrapping_shr(bits),
            AND => primary & alternate,
            OR => primary | alternate,
            XOR => primary ^ alternate,
            NOT => i32::from(primary == 0),
            NEG => primary.wrapping_neg(),
            INVERT => !primary,
            INC_PRI => primary.wrapping_add(1),
            DEC_PRI => primary.wrapping_sub(1),
            EQ_C_PRI => i32::from(primary == operand),
            EQ_C_ALT => i32::from(alternate == operand),
            EQ | NEQ | SLESS | SLEQ | SGRTR | SGEQ => {
                i32::from(compare(opcode, primary, alternate))
            }
            _ => {
                return Err(Fault::error(format!(
                    "The compiler of 1.11 makes no opcode {opcode}"
                )));
            }
        };
        Ok(())
    }

    /// Divides, and leaves the remainder in the alternate register.
    fn divide(&mut self, dividend: i32, divisor: i32) -> Answer {
        if divisor == 0 {
            return Err(Fault::error("Divide by zero"));
        }
        let overflow = || Fault::error("Integer overflow");
        self.alternate = dividend.checked_rem(divisor).ok_or_else(overflow)?;
        Ok(dividend / divisor)
    }

    /// Pushes the values of `count` operands.
    fn push_many(&mut self, at: usize, kind: i32, count: usize) -> Result<(), Fault> {
        for number in 1..=count {
            let operand = self.image.code[at / 4 + number];
            let memory = &mut self.memory;
            let value = match kind {
                PUSH => memory.load(operand)?,
                PUSH_S => memory.load(memory.frame + operand)?,
                PUSH_ADR => memory.frame + operand,
                _ => operand,
            };
            memory.push(value)?;
        }
        Ok(())
    }

    /// Target address of the switch whose case table is at this address.
    fn find_case(&self, table: usize) -> usize {
        // Layout: the opcode, the number of cases, the default target, then the cases.
        let table = &self.image.code[table / 4 + 1..];
        let mut cases = table[2..].chunks_exact(2).take(place(table[0]));
        let found = cases.find(|case| case[0] == self.primary);
        place(found.map_or(table[1], |case| case[1]))
    }
}

/// Control flow after an instruction.
enum Flow {
    /// Continues after the instruction, this number of cells ahead.
    Next(usize),
    Jump(usize),
    /// Calls a function: its address, and the return address.
    Call(usize, usize),
    Return,
}

fn place(operand: i32) -> usize {
    operand.cast_unsigned() as usize
}

fn compare(opcode: i32, left: i32, right: i32) -> bool {
    match opcode {
        EQ | JEQ => left == right,
        NEQ | JNEQ => left != right,
        SLESS | JSLESS => left < right,
        SLEQ | JSLEQ => left <= right,
        SGRTR | JSGRTR => left > right,
        _ => left >= right,
    }
}
