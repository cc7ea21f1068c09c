//! Floats, time and random numbers (`sourcepawn/vm/builtins.cpp`, `core/logic/smn_float.cpp`, `smn_core.cpp`).

use time::OffsetDateTime;

use crate::machine::Answer;
use crate::sourcemod::arguments::{cell, real};
use crate::sourcemod::{Natives, Plugin, complain};

/// Float operators, which the compiler emits as natives.
pub const FLOATS: Natives = &[
    ("float", of_number),
    ("FloatAdd", |_, arguments| two(arguments, |a, b| a + b)),
    ("FloatSub", |_, arguments| two(arguments, |a, b| a - b)),
    ("FloatMul", |_, arguments| two(arguments, |a, b| a * b)),
    ("FloatDiv", |_, arguments| two(arguments, |a, b| a / b)),
    ("FloatAbs", |_, arguments| one(arguments, f32::abs)),
    ("FloatCompare", |_, arguments| compared(arguments)),
    ("__FLOAT_GT__", |_, arguments| test(arguments, |a, b| a > b)),
    ("__FLOAT_GE__", |_, arguments| {
        test(arguments, |a, b| a >= b)
    }),
    ("__FLOAT_LT__", |_, arguments| test(arguments, |a, b| a < b)),
    ("__FLOAT_LE__", |_, arguments| {
        test(arguments, |a, b| a <= b)
    }),
    ("__FLOAT_EQ__", |_, arguments| {
        test(arguments, |a, b| a == b)
    }),
    ("__FLOAT_NE__", |_, arguments| {
        test(arguments, |a, b| a != b)
    }),
    ("__FLOAT_NOT__", not),
    ("RoundToZero", |_, arguments| {
        Ok(whole(real(arguments[0]).trunc()))
    }),
    ("RoundToFloor", |_, arguments| {
        Ok(whole(real(arguments[0]).floor()))
    }),
    ("RoundToCeil", |_, arguments| {
        Ok(whole(real(arguments[0]).ceil()))
    }),
    ("RoundToNearest", |_, arguments| {
        Ok(whole(real(arguments[0]).round_ties_even()))
    }),
    ("RoundFloat", |_, arguments| {
        Ok(whole(real(arguments[0]).round_ties_even()))
    }),
    ("FloatFraction", |_, arguments| {
        one(arguments, |a| a - a.floor())
    }),
    ("SquareRoot", |_, arguments| one(arguments, f32::sqrt)),
    ("Exponential", |_, arguments| one(arguments, f32::exp)),
    ("Pow", |_, arguments| two(arguments, f32::powf)),
    ("Logarithm", |_, arguments| two(arguments, f32::log)),
];

pub const NATIVES: Natives = &[
    ("GetTime", time),
    ("GetGameTime", game_time),
    ("GetEngineTime", game_time),
    ("GetTickedTime", game_time),
    ("GetGameTickCount", tick),
    ("GetTickInterval", |_, _| Ok(cell(crate::game::TICK))),
    ("FormatTime", format_time),
    ("GetRandomInt", random),
    ("GetRandomFloat", random_real),
    ("GetURandomInt", any_random),
    ("GetURandomFloat", |plugin, _| Ok(cell(share(plugin)))),
    ("SetRandomSeed", |_, _| Ok(0)),
];

#[expect(
    clippy::cast_precision_loss,
    reason = "the float of a number is the nearest float"
)]
fn of_number(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(cell(arguments[0] as f32))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "too large numbers saturate"
)]
fn whole(value: f32) -> i32 {
    value as i32
}

fn one(arguments: &[i32], compute: impl Fn(f32) -> f32) -> Answer {
    Ok(cell(compute(real(arguments[0]))))
}

fn two(arguments: &[i32], compute: impl Fn(f32, f32) -> f32) -> Answer {
    Ok(cell(compute(real(arguments[0]), real(arguments[1]))))
}

fn test(arguments: &[i32], holds: impl Fn(f32, f32) -> bool) -> Answer {
    Ok(i32::from(holds(real(arguments[0]), real(arguments[1]))))
}

fn compared(arguments: &[i32]) -> Answer {
    let (first, second) = (real(arguments[0]), real(arguments[1]));
    Ok(i32::from(first > second) - i32::from(first < second))
}

fn not(_: &mut Plugin, arguments: &[i32]) -> Answer {
    let value = real(arguments[0]);
    Ok(i32::from(value == 0.0 || value.is_nan()))
}

/// Unix time in seconds, by the machine's clock, which can be changed.
fn time(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let now = plugin.host.game.unix_time();
    let low = i32::try_from(now).expect("a time before 2038");
    if arguments.first().is_some_and(|address| *address != 0) {
        plugin.write_cells(arguments[0], &[low, 0])?;
    }
    Ok(low)
}

/// Seconds since the start of the map, independent of the machine's clock.
fn game_time(plugin: &mut Plugin, _: &[i32]) -> Answer {
    Ok(cell(plugin.host.game.time()))
}

fn tick(plugin: &mut Plugin, _: &[i32]) -> Answer {
    Ok(plugin.host.game.tick())
}

/// Supports the specifiers of C's `strftime` that plugins use.
fn format_time(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let format = plugin.text(arguments[2])?;
    let at = match arguments.get(3) {
        Some(-1) | None => plugin.host.game.unix_time(),
        Some(at) => i64::from(*at),
    };
    let Ok(at) = OffsetDateTime::from_unix_timestamp(at) else {
        return complain("Invalid time format or buffer too small");
    };
    let text = format
        .replace("%Y", &format!("{:04}", at.year()))
        .replace("%m", &format!("{:02}", u8::from(at.month())))
        .replace("%d", &format!("{:02}", at.day()))
        .replace("%H", &format!("{:02}", at.hour()))
        .replace("%M", &format!("{:02}", at.minute()))
        .replace("%S", &format!("{:02}", at.second()));
    if text.contains('%') {
        return complain(format!(
            "the test bed does not know all of the format {format:?}"
        ));
    }
    plugin.write(arguments[0], arguments[1], &text)
}

fn random(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (least, most) = (i64::from(arguments[0]), i64::from(arguments[1]));
    let span = usize::try_from(most - least + 1).unwrap_or(1).max(1);
    let drawn = least + i64::try_from(plugin.host.dice.below(span)).expect("within the span");
    Ok(i32::try_from(drawn).expect("within the range"))
}

/// Random number in [0, 1).
fn share(plugin: &mut Plugin) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a float holds 24 bits")]
    let drawn = plugin.host.dice.below(1 << 24) as f32;
    drawn / 16_777_216.0
}

fn random_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (least, most) = (real(arguments[0]), real(arguments[1]));
    Ok(cell(least + (most - least) * share(plugin)))
}

/// A random number of 31 bits.
fn any_random(plugin: &mut Plugin, _: &[i32]) -> Answer {
    Ok(i32::try_from(plugin.host.dice.below(1 << 31)).expect("31 bits"))
}
