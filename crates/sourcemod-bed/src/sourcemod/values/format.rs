//! The format specifiers of `Format` and related functions (`core/logic/sprintf.cpp`).

use crate::machine::Fault;
use crate::sourcemod::arguments::real;
use crate::sourcemod::phrases::SERVER;
use crate::sourcemod::{Plugin, complain};

/// Options of a format specifier.
#[derive(Clone, Copy, Default)]
struct Field {
    left: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
}

impl Field {
    /// Appends a number or word with its padding.
    fn pad(self, text: &str, to: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(text.len());
        let filler = if self.zeros { b'0' } else { b' ' };
        if !self.left {
            to.extend(std::iter::repeat_n(filler, missing));
        }
        to.extend_from_slice(text.as_bytes());
        if self.left {
            to.extend(std::iter::repeat_n(filler, missing));
        }
    }

    /// Appends a text, truncated to the precision and padded on the right, whatever side is requested.
    fn text(self, text: &[u8], to: &mut Vec<u8>) {
        let text = &text[..self.precision.unwrap_or(text.len()).min(text.len())];
        to.extend_from_slice(text);
        to.extend(std::iter::repeat_n(
            b' ',
            self.width.saturating_sub(text.len()),
        ));
    }

    /// Appends a float with truncated digits, without rounding.
    fn real(self, value: f64, to: &mut Vec<u8>) {
        if value.is_nan() {
            return self.text(b"NaN", to);
        }
        let precision = self.precision.unwrap_or(6);
        let exact = format!("{:.*}", precision + 20, value.abs());
        let end = exact.find('.').unwrap_or(exact.len());
        let digits = if precision == 0 {
            &exact[..end]
        } else {
            &exact[..=end + precision]
        };
        let sign = if value < 0.0 { "-" } else { "" };
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        let filler = |byte: u8| std::iter::repeat_n(byte, missing);
        match (self.left, self.zeros) {
            (false, false) => to.extend(filler(b' ').chain(sign.bytes()).chain(digits.bytes())),
            (false, true) => to.extend(sign.bytes().chain(filler(b'0')).chain(digits.bytes())),
            (true, _) => to.extend(sign.bytes().chain(digits.bytes()).chain(filler(b' '))),
        }
    }
}

impl Plugin {
    /// Formats a text: `arguments[at]` is the format, followed by its parameters.
    pub fn format(&self, arguments: &[i32], at: usize) -> Result<String, Fault> {
        let bytes = self.format_bytes(arguments, at)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn format_bytes(&self, arguments: &[i32], at: usize) -> Result<Vec<u8>, Fault> {
        let template = self.memory.text(arguments[at])?.to_vec();
        let mut next = at + 1;
        self.expand(&template, arguments, &mut next)
    }

    fn expand(
        &self,
        template: &[u8],
        arguments: &[i32],
        next: &mut usize,
    ) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::with_capacity(template.len());
        let mut rest = template.iter().copied();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                text.push(byte);
                continue;
            }
            let mut field = Field::default();
            let mut kind = rest.next();
            while let Some(flag @ (b'-' | b'!' | b'0')) = kind {
                field.left |= flag == b'-';
                field.zeros |= flag == b'0';
                kind = rest.next();
            }
            while let Some(digit @ b'0'..=b'9') = kind {
                field.width = field.width * 10 + usize::from(digit - b'0');
                kind = rest.next();
            }
            if kind == Some(b'.') {
                let mut precision = 0;
                kind = rest.next();
                while let Some(digit @ b'0'..=b'9') = kind {
                    precision = precision * 10 + usize::from(digit - b'0');
                    kind = rest.next();
                }
                field.precision = Some(precision);
            }
            match kind {
                Some(b'%') | None => text.push(b'%'),
                Some(kind) => self.parameter(kind, field, arguments, next, &mut text)?,
            }
        }
        Ok(text)
    }

    /// Appends one parameter, including the nested parameters of a phrase.
    fn parameter(
        &self,
        kind: u8,
        field: Field,
        arguments: &[i32],
        next: &mut usize,
        text: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        if !b"cbdiufLNstTXx".contains(&kind) {
            text.push(kind);
            return Ok(());
        }
        let address = argument(arguments, next)?;
        let number = || self.memory.load(address);
        match kind {
            b'c' => text.push(self.memory.bytes(address, 1)?[0]),
            b's' => field.text(self.memory.text(address)?, text),
            b'd' | b'i' => field.pad(&number()?.to_string(), text),
            b'u' => field.pad(&number()?.cast_unsigned().to_string(), text),
            b'x' => field.pad(&format!("{:x}", number()?), text),
            b'X' => field.pad(&format!("{:X}", number()?), text),
            b'b' => field.pad(&format!("{:b}", number()?), text),
            b'f' => field.real(f64::from(real(number()?)), text),
            b'N' | b'L' => {
                let described = self.describe_client(number()?, kind == b'L', *next)?;
                field.text(described.as_bytes(), text);
            }
            _ => {
                let key = self.text(address)?;
                let target = if kind == b'T' {
                    self.memory.load(argument(arguments, next)?)?
                } else {
                    self.host.phrases.target
                };
                text.extend(self.translate(&key, target, arguments, next)?);
            }
        }
        Ok(())
    }

    fn describe_client(&self, index: i32, all: bool, argument: usize) -> Result<String, Fault> {
        if index == 0 {
            return Ok(if all {
                "Console<0><Console><Console>"
            } else {
                "Console"
            }
            .to_owned());
        }
        let Some(client) = self.host.game.client(index) else {
            return complain(format!("Client index {index} is invalid (arg {argument})"));
        };
        Ok(if all {
            format!("{}<{}><{}><>", client.name, client.user_id, client.steam3())
        } else {
            client.name.clone()
        })
    }

    /// Translates a phrase with its parameters into the client's language, the server's language, or English.
    pub fn translate(
        &self,
        key: &str,
        target: i32,
        arguments: &[i32],
        next: &mut usize,
    ) -> Result<Vec<u8>, Fault> {
        let phrases = &self.host.phrases;
        let language = match self.host.game.client(target) {
            _ if target == SERVER => phrases.server_language.as_str(),
            Some(client) => client.language.as_str(),
            None => {
                return complain(format!(
                    "Translation failed: invalid client index {target} (arg {next})"
                ));
            }
        };
        let languages = [language, phrases.server_language.as_str(), "en"];
        let Some(phrase) = languages
            .iter()
            .find_map(|language| phrases.find(key, language))
        else {
            return complain(format!("Language phrase \"{key}\" not found (arg {next})"));
        };
        let count = phrase.order.len();
        if *next + count > arguments.len() {
            let missing = *next + count - arguments.len();
            return complain(format!(
                "Translation string formatted incorrectly - missing at least {missing} parameters (arg {next})"
            ));
        }
        let mut ordered = arguments.to_vec();
        for (place, original) in phrase.order.iter().enumerate() {
            ordered[*next + place] = arguments[*next + original];
        }
        let text = phrase.text.clone();
        self.expand(text.as_bytes(), &ordered, next)
    }
}

fn argument(arguments: &[i32], next: &mut usize) -> Result<i32, Fault> {
    let Some(argument) = arguments.get(*next) else {
        let total = arguments.len();
        return complain(format!(
            "String formatted incorrectly - parameter {} (total {total})",
            *next + 1
        ));
    };
    *next += 1;
    Ok(*argument)
}
