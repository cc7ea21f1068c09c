//! SourcePawn programs and faults. SourceMod's virtual machine is the reference if the language leaves a choice.

#![expect(
    clippy::unnecessary_wraps,
    reason = "natives have one signature, even if they cannot fail"
)]

use std::collections::HashMap;

use super::{Answer, Fault, Machine, Native};
use crate::compiler::compile;

type Said = Vec<String>;

const DECLARATIONS: &str = "
typedef Handler = function int (int value);
native void say(int value);
native void say_text(const char[] text);
native int call_back(Handler handler, int value);
native int fail(const char[] text);
native int number(int value);
#pragma semicolon 1
#pragma newdecls required
\n";

fn say(machine: &mut Machine<Said>, arguments: &[i32]) -> Answer {
    machine.host.push(arguments[0].to_string());
    Ok(0)
}

fn say_text(machine: &mut Machine<Said>, arguments: &[i32]) -> Answer {
    let text = String::from_utf8_lossy(machine.memory.text(arguments[0])?).into_owned();
    machine.host.push(text);
    Ok(0)
}

fn call_back(machine: &mut Machine<Said>, arguments: &[i32]) -> Answer {
    match machine.invoke(arguments[0], &arguments[1..]) {
        Ok(value) => Ok(value),
        Err(fault) => {
            machine.host.push(fault.message);
            Ok(-1)
        }
    }
}

fn fail(machine: &mut Machine<Said>, arguments: &[i32]) -> Answer {
    let text = String::from_utf8_lossy(machine.memory.text(arguments[0])?).into_owned();
    Err(Fault::error(text))
}

/// Returns its argument, so that the compiler cannot fold the constant.
fn number(_: &mut Machine<Said>, arguments: &[i32]) -> Answer {
    Ok(arguments[0])
}

fn start(program: &str) -> Machine<Said> {
    let natives: HashMap<&str, Native<Said>> = HashMap::from([
        ("say", say as Native<Said>),
        ("say_text", say_text),
        ("call_back", call_back),
        ("fail", fail),
        ("number", number),
    ]);
    let image = compile(&format!("{DECLARATIONS}{program}"));
    Machine::new(image, &natives, Said::new())
}

/// Runs the function `main` of a program. Returns its output, and the fault that stopped it.
fn run(program: &str) -> (Said, Option<Fault>) {
    let mut machine = start(program);
    let main = machine.image.public("main").expect("a function main");
    let before = (machine.memory.stack, machine.memory.heap);
    let fault = machine.invoke(main, &[]).err();
    let after = (machine.memory.stack, machine.memory.heap);
    assert_eq!(before, after, "stack or heap is not given back: {program}");
    (machine.host, fault)
}

fn says(body: &str, expected: &[&str]) {
    let (said, fault) = run(body);
    assert!(fault.is_none(), "{}\n{body}", fault.expect("a fault"));
    assert_eq!(said, expected, "{body}");
}

fn stops(body: &str, message: &str) {
    let (said, fault) = run(body);
    let fault = fault.unwrap_or_else(|| panic!("nothing stops it; it said {said:?}: {body}"));
    assert_eq!(fault.message, message, "{fault}\n{body}");
}

#[test]
fn numbers_wrap_and_divide_towards_zero() {
    says(
        "public void main() {
            int most = number(2147483647), least = number(-2147483648);
            say(most + 1); say(least - 1); say(most * 2); say(-least); say(~5);
            say(number(-7) / 2); say(number(-7) % 2); say(number(7) / -2); say(7 % number(-2));
            say(number(1) << 31); say(number(-8) >> 1); say(number(-8) >>> 28); say(6 & number(3)); say(6 | number(9)); say(6 ^ number(3));
            int count = 3; count += 4; count -= 1; count *= number(5); count /= 4; count %= 4; say(count++); say(--count); say(!count);
        }",
        &[
            "-2147483648", "2147483647", "-2", "-2147483648", "-6", "-3", "-1", "-3", "1", "-2147483648", "-4",
            "15", "2", "15", "5", "3", "3", "0",
        ],
    );
}

#[test]
fn a_division_by_zero_or_one_that_overflows_stops_the_callback() {
    stops(
        "public void main() { say(5 / number(0)); }",
        "Divide by zero",
    );
    stops(
        "public void main() { say(5 % number(0)); }",
        "Divide by zero",
    );
    stops(
        "public void main() { say(number(-2147483648) / number(-1)); }",
        "Integer overflow",
    );
    stops(
        "public void main() { say(number(-2147483648) % number(-1)); }",
        "Integer overflow",
    );
}

#[test]
fn loops_switches_and_comparisons() {
    says(
        "int twice(int value) { return value * 2; }
        int kind(int value) { switch (value) { case 0: return 100; case 1, 2: return 200; } return 300; }
        public void main() {
            for (int i = 0; i < 3; i++) { if (i != 1) say(i); }
            int at = 5;
            while (at > 0) { at -= 2; if (at == 1) break; }
            say(at);
            do { at++; } while (at <= 2);
            say(at);
            for (int turn = 0; turn < 5; turn++) { say(kind(number(turn))); }
            say(number(3) >= 3 && number(2) < 3 || fail(\"never\") > 0);
            say(number(1) != 1 ? 7 : 8); say(twice(twice(3)));
        }",
        &["0", "2", "1", "3", "100", "200", "200", "300", "300", "1", "8", "12"],
    );
}

#[test]
fn arrays_of_every_shape() {
    says(
        r#"char names[3][8] = {"red", "blue", "none"};
        int table[2][3][2] = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
        void fill(int[][] grid, int rows, int columns) {
            for (int row = 0; row < rows; row++) for (int column = 0; column < columns; column++) grid[row][column] = row * 10 + column;
        }
        int sum(const int[] values, int count) { int all; for (int i = 0; i < count; i++) all += values[i]; return all; }
        public void main() {
            int grid[3][4]; fill(grid, 3, 4); say(grid[2][3]); say(sum(grid[1], 4));
            say_text(names[1]); names[1][0] = 'g'; say_text(names[1]);
            say(table[1][2][1]); table[0][1][1] = 44; say(table[0][1][1]);
            int copy[2]; copy = table[1][0]; copy[0] = -1; say(table[1][0][0]); say(copy[1]);
            int size = number(5); int[] some = new int[size]; some[4] = 9; say(sum(some, size));
            char[][] texts = new char[number(2)][number(16)]; texts[1][0] = 'x'; texts[1][1] = 0; say_text(texts[1]);
            int filled[6] = {3, 3, 3, ...}; say(sum(filled, 6));
        }"#,
        &[
            "23", "46", "blue", "glue", "12", "44", "7", "8", "9", "x", "18",
        ],
    );
}

#[test]
fn structures_references_and_statics() {
    says(
        r#"enum struct Seat {
            int who;
            char id[12];
            int Twice() { return this.who * 2; }
        }
        Seat seats[4];
        int next() { static int last = 6; return ++last; }
        void swap(int &a, int &b) { int kept = a; a = b; b = kept; }
        int later(int a, int b = 5, const char[] text = "none") { say_text(text); return a + b; }
        Seat find(int place) { return seats[place]; }
        public void main() {
            seats[2].who = 21; seats[2].id = "[U:1:7]"; Seat one; one = seats[2]; one.who++; say(one.Twice()); say(seats[2].who);
            say_text(one.id); Seat found; found = find(2); say_text(found.id);
            int a = 1, b = 2; swap(a, b); say(a); say(b); swap(seats[0].who, a); say(seats[0].who);
            next(); say(next()); say(later(1)); say(later(1, 1, "given"));
        }"#,
        &[
            "44", "21", "[U:1:7]", "[U:1:7]", "2", "1", "2", "8", "none", "6", "given", "2",
        ],
    );
}

#[test]
fn an_index_out_of_bounds_stops_the_callback_on_both_sides() {
    let program = |index: &str| {
        format!("int some[4]; public void main() {{ some[number({index})] = 1; say(some[3]); }}")
    };
    says(&program("3"), &["1"]);
    stops(
        &program("4"),
        "Array index out-of-bounds (index 4, limit 4)",
    );
    stops(
        &program("-1"),
        "Array index out-of-bounds (index -1, limit 4)",
    );
    stops(
        "public void main() { int[] some = new int[number(2)]; say(some[number(-1)]); }",
        "Array index out-of-bounds (index -1, limit 2147483648)",
    );
}

#[test]
fn too_much_stack_or_heap_stops_the_callback() {
    stops(
        "int deep(int value) { return deep(value + 1) + 1; } public void main() { say(deep(0)); }",
        "Not enough space on the heap",
    );
    stops(
        "public void main() { int[] some = new int[number(1000000)]; some[0] = 1; }",
        "Not enough space on the heap",
    );
    stops(
        "public void main() { int[] some = new int[number(0)]; some[0] = 1; }",
        "Array of [0] is too big",
    );
    stops(
        "public void main() { int[] some = new int[number(-1)]; some[0] = 1; }",
        "Array of [-1] is too big",
    );
}

#[test]
fn memory_between_heap_and_stack_belongs_to_nobody() {
    let mut machine = start("public void main() { say(1); }");
    let memory = &mut machine.memory;
    assert!(memory.load(memory.heap - 4).is_ok());
    assert!(memory.load(memory.heap).is_err());
    assert!(memory.load(memory.stack - 4).is_err());
    assert!(memory.load(-4).is_err());
    assert!(memory.bytes(0, 1 << 30).is_err());
    let lent = memory.heap;
    let address = machine.lend(b"lent\0").expect("room");
    assert_eq!(machine.memory.text(address).expect("a text"), b"lent");
    machine.release(lent);
    assert!(machine.memory.text(address).is_err());
}

#[test]
fn a_text_is_cut_between_characters() {
    let mut machine = start("public void main() { say(1); }");
    let lent = machine.lend(&[1; 16]).expect("room");
    let memory = &mut machine.memory;
    let text = "aé€".as_bytes();
    for (size, kept) in [
        (1, ""),
        (2, "a"),
        (3, "a"),
        (4, "aé"),
        (6, "aé"),
        (7, "aé€"),
        (9, "aé€"),
    ] {
        let written = memory.write_text(lent, size, text).expect("room");
        assert_eq!(
            memory.text(lent).expect("a text"),
            kept.as_bytes(),
            "{size}"
        );
        assert_eq!(written, i32::try_from(kept.len()).expect("short"), "{size}");
    }
    memory.write_text(lent, 9, b"before").expect("room");
    assert_eq!(memory.write_text(lent, 0, text).expect("no room"), 0);
    assert_eq!(memory.text(lent).expect("a text"), b"before");
}

#[test]
fn what_stops_a_function_that_a_native_calls_stops_only_that() {
    let (said, fault) = run(
        "int inner(int value) { return 100 / value; }
        public void main() { say(call_back(inner, 5)); say(call_back(inner, 0)); say(call_back(inner, 4)); }",
    );
    assert!(fault.is_none());
    assert_eq!(said, ["20", "Divide by zero", "-1", "25"]);
}

#[test]
fn a_native_that_fails_stops_the_callback_and_names_the_lines() {
    let (said, fault) = run(
        "void inner() {\n fail(\"no such client\");\n say(2);\n}\npublic void main() {\n inner();\n}",
    );
    let fault = fault.expect("a fault");
    assert!(said.is_empty());
    assert_eq!(fault.message, "no such client");
    assert_eq!(
        fault.trace,
        ["inner (program.sp:12)", "main (program.sp:16)"]
    );
}

#[test]
fn a_native_that_the_host_does_not_have_is_named() {
    let (_, fault) = run("native void odd(); public void main() { odd(); }");
    let message = fault.expect("a fault").message;
    assert!(message.contains("no native odd"), "{message}");
}

#[test]
fn a_callback_that_never_ends_is_stopped() {
    let mut machine = start("public void main() { while (number(1)) { } }");
    let main = machine.image.public("main").expect("a function main");
    let fault = machine.invoke(main, &[]).expect_err("it never ends");
    assert_eq!(fault.message, "The callback does not end");
}

#[test]
fn instructions_are_counted() {
    let program =
        |turns: u32| format!("public void main() {{ for (int i = 0; i < {turns}; i++) {{ }} }}");
    let count = |turns: u32| {
        let mut machine = start(&program(turns));
        let main = machine.image.public("main").expect("a function main");
        machine.invoke(main, &[]).expect("an end");
        machine.instructions
    };
    let each = count(11) - count(10);
    assert!((3..=15).contains(&each), "{each} instructions a turn");
    assert_eq!(count(110) - count(10), 100 * each);
}

#[test]
fn only_what_the_compiler_of_1_11_makes_is_read() {
    use super::Image;
    assert!(
        Image::parse(b"no plugin")
            .expect_err("no plugin")
            .contains("no compiled plugin")
    );
}
