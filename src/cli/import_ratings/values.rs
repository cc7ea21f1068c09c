//! Ids and numbers as spreadsheets and other programs write them.

use super::table::Bad;
use crate::domain::{InvalidPlayerId, PlayerId};

const DIGITS: usize = 17;

#[derive(Debug, Default)]
pub(super) struct NumericIds {
    count: u64,
    end_in_zero: u64,
    first_line: u64,
}

impl NumericIds {
    pub(super) fn add(&mut self, line: u64, id: &str) {
        if id.len() == DIGITS && id.bytes().all(|byte| byte.is_ascii_digit()) {
            if self.count == 0 {
                self.first_line = line;
            }
            self.count += 1;
            self.end_in_zero += u64::from(id.ends_with('0'));
        }
    }

    /// Returns a fault if the table has two or more numeric ids and all end in 0: a spreadsheet has rounded them.
    pub(super) fn rounded(&self) -> Option<Bad> {
        let are_rounded = self.count > 1 && self.end_in_zero == self.count;
        are_rounded.then(|| Bad {
            line: self.first_line,
            problem: format!(
                "all {} numeric ids end in 0: a spreadsheet or JavaScript has rounded them; export the ids as text, or \
                 write each as STEAM_0:Y:Z or [U:1:N]",
                self.count
            ),
        })
    }
}

/// Parses a player's id in any form, including that of HLstatsX without `STEAM_0:`.
pub(super) fn player(id: &str) -> Result<PlayerId, String> {
    let read: Result<PlayerId, InvalidPlayerId> = id.parse();
    let of_hlstatsx: Result<PlayerId, InvalidPlayerId> = format!("STEAM_0:{id}").parse();
    let read = read.or_else(|error| of_hlstatsx.map_err(|_| error));
    read.map_err(|error| {
        let is_whole = id.bytes().all(|byte| byte.is_ascii_digit());
        let is_rounded = !is_whole && number(id).is_ok_and(|number| number > 1e15);
        if is_rounded {
            format!(
                "the id \"{id}\" is a number that a program has rounded; export the ids as text"
            )
        } else {
            format!("the id \"{id}\" {error}")
        }
    })
}

/// Parses a finite number with a decimal point or a decimal comma.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let written = match text.split_once(',') {
        None => text.to_owned(),
        Some((whole, decimals)) => {
            let is_of_thousands = decimals.len() == 3 && !matches!(whole, "0" | "-0");
            if is_of_thousands || whole.contains('.') || decimals.contains(['.', ',']) {
                return Err(format!(
                    "\"{text}\" may have a comma between thousands; write it with a decimal point and nothing else"
                ));
            }
            format!("{whole}.{decimals}")
        }
    };
    written
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(|| format!("\"{text}\" is not a number"))
}
