//! The opcodes that the SourcePawn 1.11 compiler emits, numbered as in `smx-v1-opcodes.h`. Opcodes listed there as
//! "ungenerated" are missing, and stop the machine with a message. For the opcodes that push several values, only the
//! first and the last of the four kinds are listed: constants, variables, locals, addresses.

pub const LOAD_PRI: i32 = 1;
pub const LOAD_ALT: i32 = 2;
pub const LOAD_S_PRI: i32 = 3;
pub const LOAD_S_ALT: i32 = 4;
pub const LREF_S_PRI: i32 = 7;
pub const LREF_S_ALT: i32 = 8;
pub const LOAD_I: i32 = 9;
pub const LODB_I: i32 = 10;
pub const CONST_PRI: i32 = 11;
pub const CONST_ALT: i32 = 12;
pub const ADDR_PRI: i32 = 13;
pub const ADDR_ALT: i32 = 14;
pub const STOR_PRI: i32 = 15;
pub const STOR_ALT: i32 = 16;
pub const STOR_S_PRI: i32 = 17;
pub const STOR_S_ALT: i32 = 18;
pub const SREF_S_PRI: i32 = 21;
pub const SREF_S_ALT: i32 = 22;
pub const STOR_I: i32 = 23;
pub const STRB_I: i32 = 24;
pub const LIDX: i32 = 25;
pub const IDXADDR: i32 = 27;
pub const MOVE_PRI: i32 = 33;
pub const MOVE_ALT: i32 = 34;
pub const XCHG: i32 = 35;
pub const PUSH_PRI: i32 = 36;
pub const PUSH_ALT: i32 = 37;
pub const PUSH_C: i32 = 39;
pub const PUSH: i32 = 40;
pub const PUSH_S: i32 = 41;
pub const POP_PRI: i32 = 42;
pub const POP_ALT: i32 = 43;
pub const STACK: i32 = 44;
pub const HEAP: i32 = 45;
pub const PROC: i32 = 46;
pub const RETN: i32 = 48;
pub const CALL: i32 = 49;
pub const JUMP: i32 = 51;
pub const JZER: i32 = 53;
pub const JNZ: i32 = 54;
pub const JEQ: i32 = 55;
pub const JNEQ: i32 = 56;
pub const JSLESS: i32 = 61;
pub const JSLEQ: i32 = 62;
pub const JSGRTR: i32 = 63;
pub const JSGEQ: i32 = 64;
pub const SHL: i32 = 65;
pub const SHR: i32 = 66;
pub const SSHR: i32 = 67;
pub const SHL_C_PRI: i32 = 68;
pub const SHL_C_ALT: i32 = 69;
pub const SMUL: i32 = 72;
pub const SDIV: i32 = 73;
pub const SDIV_ALT: i32 = 74;
pub const ADD: i32 = 78;
pub const SUB: i32 = 79;
pub const SUB_ALT: i32 = 80;
pub const AND: i32 = 81;
pub const OR: i32 = 82;
pub const XOR: i32 = 83;
pub const NOT: i32 = 84;
pub const NEG: i32 = 85;
pub const INVERT: i32 = 86;
pub const ADD_C: i32 = 87;
pub const SMUL_C: i32 = 88;
pub const ZERO_PRI: i32 = 89;
pub const ZERO_ALT: i32 = 90;
pub const ZERO: i32 = 91;
pub const ZERO_S: i32 = 92;
pub const EQ: i32 = 95;
pub const NEQ: i32 = 96;
pub const SLESS: i32 = 101;
pub const SLEQ: i32 = 102;
pub const SGRTR: i32 = 103;
pub const SGEQ: i32 = 104;
pub const EQ_C_PRI: i32 = 105;
pub const EQ_C_ALT: i32 = 106;
pub const INC_PRI: i32 = 107;
pub const INC_ALT: i32 = 108;
pub const INC: i32 = 109;
pub const INC_S: i32 = 110;
pub const INC_I: i32 = 111;
pub const DEC_PRI: i32 = 112;
pub const DEC_ALT: i32 = 113;
pub const DEC: i32 = 114;
pub const DEC_S: i32 = 115;
pub const DEC_I: i32 = 116;
pub const MOVS: i32 = 117;
pub const FILL: i32 = 119;
pub const BOUNDS: i32 = 121;
pub const SYSREQ_C: i32 = 123;
pub const SWITCH: i32 = 129;
pub const SWAP_PRI: i32 = 131;
pub const SWAP_ALT: i32 = 132;
pub const PUSH_ADR: i32 = 133;
pub const NOP: i32 = 134;
pub const SYSREQ_N: i32 = 135;
pub const BREAK: i32 = 137;
pub const PUSH2_C: i32 = 138;
pub const PUSH2_ADR: i32 = 141;
pub const PUSH3_C: i32 = 142;
pub const PUSH3_ADR: i32 = 145;
pub const PUSH4_C: i32 = 146;
pub const PUSH4_ADR: i32 = 149;
pub const PUSH5_C: i32 = 150;
pub const PUSH5_ADR: i32 = 153;
pub const LOAD_BOTH: i32 = 154;
pub const LOAD_S_BOTH: i32 = 155;
pub const CONST: i32 = 156;
pub const CONST_S: i32 = 157;
pub const GENARRAY: i32 = 162;
pub const GENARRAY_Z: i32 = 163;
pub const STRADJUST_PRI: i32 = 164;
pub const ENDPROC: i32 = 166;
pub const INITARRAY_PRI: i32 = 169;
pub const INITARRAY_ALT: i32 = 170;
pub const HEAP_SAVE: i32 = 171;
pub const HEAP_RESTORE: i32 = 172;

/// Number of cells of an instruction, including its operands.
pub const fn cells(opcode: i32) -> usize {
    match opcode {
        LOAD_I
        | STOR_I
        | LIDX
        | IDXADDR
        | MOVE_PRI
        | MOVE_ALT
        | XCHG
        | PUSH_PRI
        | PUSH_ALT
        | POP_PRI
        | POP_ALT
        | PROC
        | RETN
        | SHL..=SSHR
        | SMUL..=SDIV_ALT
        | ADD..=INVERT
        | ZERO_PRI
        | ZERO_ALT
        | EQ..=SGEQ
        | INC_PRI
        | INC_ALT
        | INC_I
        | DEC_PRI
        | DEC_ALT
        | DEC_I
        | SWAP_PRI
        | SWAP_ALT
        | NOP
        | BREAK
        | STRADJUST_PRI
        | ENDPROC
        | HEAP_SAVE
        | HEAP_RESTORE => 1,
        SYSREQ_N | LOAD_BOTH | LOAD_S_BOTH | CONST | CONST_S | PUSH2_C..=PUSH2_ADR => 3,
        PUSH3_C..=PUSH3_ADR => 4,
        PUSH4_C..=PUSH4_ADR => 5,
        PUSH5_C..=PUSH5_ADR | INITARRAY_PRI | INITARRAY_ALT => 6,
        _ => 2,
    }
}
