//! Natives for texts (`core/logic/smn_string.cpp`, `smn_sorting.cpp`).

use crate::machine::Answer;
use crate::sourcemod::arguments::{cell, count, real};
use crate::sourcemod::{Natives, Plugin, complain};

pub const NATIVES: Natives = &[
    ("strlen", length),
    ("strcopy", copy),
    ("Format", format),
    ("FormatEx", format),
    ("VFormat", format_of_caller),
    ("StrCompare", compare),
    ("strcmp", compare),
    ("strncmp", compare_start),
    ("StrContains", contains),
    ("StrCat", concatenate),
    ("StringToInt", to_number),
    ("StringToIntEx", to_number_and_end),
    ("StringToInt64", to_long),
    ("Int64ToString", long_to),
    ("StringToFloat", to_real),
    ("IntToString", number_to),
    ("FloatToString", real_to),
    ("TrimString", trim),
    ("StripQuotes", strip_quotes),
    ("ReplaceString", replace),
    ("SplitString", split),
    ("BreakString", next_word),
    ("IsCharAlpha", is_alpha),
    ("IsCharNumeric", is_numeric),
    ("IsCharSpace", is_space),
    ("IsCharMB", char_bytes),
    ("GetCharBytes", bytes_of_char),
    ("IsCharUpper", is_upper),
    ("IsCharLower", is_lower),
    ("CharToLower", lower),
    ("CharToUpper", upper),
];

fn length(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(count(plugin.memory.text(arguments[0])?.len()))
}

fn copy(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.memory.text(arguments[2])?.to_vec();
    plugin.memory.write_text(arguments[0], arguments[1], &text)
}

/// May cut a character in half, unlike other natives.
fn write_cut(plugin: &mut Plugin, address: i32, size: i32, mut text: Vec<u8>) -> Answer {
    text.truncate(usize::try_from(size - 1).unwrap_or(0));
    plugin.memory.write_text(address, size, &text)
}

fn format(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.format_bytes(arguments, 2)?;
    write_cut(plugin, arguments[0], arguments[1], text)
}

/// Formats with the parameters of the calling function, from that parameter number on.
fn format_of_caller(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let frame = plugin.memory.frame;
    let total = plugin.memory.load(frame + 8)?;
    let mut gathered = vec![arguments[2]];
    for number in arguments[3]..=total {
        gathered.push(plugin.memory.load(frame + 8 + 4 * number)?);
    }
    let text = plugin.format_bytes(&gathered, 0)?;
    write_cut(plugin, arguments[0], arguments[1], text)
}

fn order(first: &[u8], second: &[u8], sensitive: bool) -> i32 {
    let ordering = if sensitive {
        first.cmp(second)
    } else {
        first.to_ascii_lowercase().cmp(&second.to_ascii_lowercase())
    };
    ordering as i32
}

fn compare(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (first, second) = (
        plugin.memory.text(arguments[0])?,
        plugin.memory.text(arguments[1])?,
    );
    Ok(order(first, second, arguments[2] != 0))
}

fn compare_start(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (first, second) = (
        plugin.memory.text(arguments[0])?,
        plugin.memory.text(arguments[1])?,
    );
    let most = usize::try_from(arguments[2]).unwrap_or(0);
    let cut = |text: &[u8]| text[..text.len().min(most)].to_vec();
    Ok(order(&cut(first), &cut(second), arguments[3] != 0))
}

fn contains(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (mut text, mut part) = (
        plugin.memory.text(arguments[0])?.to_vec(),
        plugin.memory.text(arguments[1])?.to_vec(),
    );
    if arguments[2] == 0 {
        text.make_ascii_lowercase();
        part.make_ascii_lowercase();
    }
    if part.is_empty() {
        return Ok(0);
    }
    let found = text.windows(part.len()).position(|window| window == part);
    Ok(found.map_or(-1, count))
}

fn concatenate(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let mut text = plugin.memory.text(arguments[0])?.to_vec();
    let before = text.len();
    text.extend_from_slice(plugin.memory.text(arguments[2])?);
    let written = plugin
        .memory
        .write_text(arguments[0], arguments[1], &text)?;
    Ok(written - count(before))
}

/// Parses like C's `strtol`: ignores trailing text, returns 0 without a number, and saturates.
fn number_at_start(text: &str, radix: i32) -> (i32, usize) {
    let blanks = text.len() - text.trim_start().len();
    let mut rest = &text[blanks..];
    let negative = rest.starts_with('-');
    let signed = usize::from(rest.starts_with(['-', '+']));
    rest = &rest[signed..];
    let prefix = if radix == 16 && rest.to_ascii_lowercase().starts_with("0x") {
        2
    } else {
        0
    };
    rest = &rest[prefix..];
    let base = radix.cast_unsigned();
    let digits = rest
        .bytes()
        .take_while(|byte| char::from(*byte).is_digit(base))
        .count();
    if digits == 0 {
        return (0, 0);
    }
    let value = rest[..digits].bytes().fold(0_i64, |value, byte| {
        let digit = char::from(byte).to_digit(base).unwrap_or(0);
        value
            .saturating_mul(i64::from(base))
            .saturating_add(i64::from(digit))
    });
    let value = if negative { -value } else { value };
    let value = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    (
        i32::try_from(value).expect("clamped"),
        blanks + signed + prefix + digits,
    )
}

fn to_number(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    Ok(number_at_start(&text, arguments[1]).0)
}

fn to_number_and_end(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    let (value, length) = number_at_start(&text, arguments[2]);
    plugin.memory.store(arguments[1], value)?;
    Ok(count(length))
}

/// Writes two cells, the lower half first.
fn to_long(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    let digits = text.trim_start();
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit() && letter != '-')
        .unwrap_or(digits.len());
    let value: i64 = digits[..end].parse().unwrap_or(0);
    let bytes = value.to_le_bytes();
    plugin
        .memory
        .bytes_mut(arguments[1], 8)?
        .copy_from_slice(&bytes);
    Ok(count(end))
}

fn long_to(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let bytes = plugin
        .memory
        .bytes(arguments[0], 8)?
        .try_into()
        .expect("eight bytes");
    let value = i64::from_le_bytes(bytes);
    plugin.write(arguments[1], arguments[2], &value.to_string())
}

fn to_real(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    let text = text.trim_start();
    let mut longest = (0..=text.len())
        .rev()
        .filter(|end| text.is_char_boundary(*end));
    let value = longest.find_map(|end| text[..end].parse::<f32>().ok());
    Ok(cell(value.unwrap_or(0.0)))
}

fn number_to(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.write(arguments[1], arguments[2], &arguments[0].to_string())
}

fn real_to(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.write(
        arguments[1],
        arguments[2],
        &format!("{:.6}", real(arguments[0])),
    )
}

fn trim(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.memory.text(arguments[0])?.to_vec();
    let trimmed = text.trim_ascii();
    plugin
        .memory
        .write_text(arguments[0], count(text.len()) + 1, trimmed)
}

fn strip_quotes(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    let Some(inner) = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
    else {
        return Ok(0);
    };
    plugin.write(arguments[0], count(text.len()), inner)?;
    Ok(1)
}

fn replace(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (text, part, with) = (
        plugin.text(arguments[0])?,
        plugin.text(arguments[2])?,
        plugin.text(arguments[3])?,
    );
    if part.is_empty() {
        return complain("You cannot replace searches of empty strings");
    }
    let found = text.matches(&part).count();
    plugin.write(arguments[0], arguments[1], &text.replace(&part, &with))?;
    Ok(count(found))
}

fn split(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let (text, separator) = (plugin.text(arguments[0])?, plugin.text(arguments[1])?);
    let Some(found) = text.find(&separator) else {
        return Ok(-1);
    };
    plugin.write(arguments[2], arguments[3], &text[..found])?;
    Ok(count(found + separator.len()))
}

/// Reads the first word, which may be quoted. Returns the start of the next word, or -1.
fn next_word(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let text = plugin.text(arguments[0])?;
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let (word, end) = if let Some(quoted) = rest.strip_prefix('"') {
        let close = quoted.find('"');
        let end = close.map_or(text.len(), |close| start + close + 2);
        (&quoted[..close.unwrap_or(quoted.len())], end)
    } else {
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        (&rest[..length], start + length)
    };
    plugin.write(arguments[1], arguments[2], word)?;
    let after = &text[end..];
    let next = end + after.len() - after.trim_start().len();
    Ok(if next >= text.len() { -1 } else { count(next) })
}

/// Lowest byte of a cell, which holds a character.
fn byte(character: i32) -> u8 {
    character.to_le_bytes()[0]
}

fn is_alpha(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).is_ascii_alphabetic()))
}

fn is_numeric(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).is_ascii_digit()))
}

fn is_space(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).is_ascii_whitespace()))
}

fn is_upper(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).is_ascii_uppercase()))
}

fn is_lower(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).is_ascii_lowercase()))
}

fn lower(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).to_ascii_lowercase()))
}

fn upper(_: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(i32::from(byte(arguments[0]).to_ascii_uppercase()))
}

/// Number of bytes of a character, by its first byte.
fn width(first: u8) -> i32 {
    match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0.. => 4,
        _ => 1,
    }
}

fn char_bytes(_: &mut Plugin, arguments: &[i32]) -> Answer {
    let bytes = width(byte(arguments[0]));
    Ok(if bytes == 1 { 0 } else { bytes })
}

fn bytes_of_char(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    Ok(width(plugin.memory.bytes(arguments[0], 1)?[0]))
}
