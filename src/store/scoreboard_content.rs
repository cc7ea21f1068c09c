//! Encoding of scoreboards in postcard, whose integers take a byte for every seven bits.

use serde::{Deserialize, Serialize};

use super::{StoreError, content, corrupt};
use crate::domain::{
    ModeName, MutatorName, Mutators, Scoreboard, Stat, StatCount, StatName, Stats,
};

#[derive(Serialize, Deserialize)]
struct Content {
    mode: Option<ModeName>,
    mutators: Vec<MutatorName>,
    /// Sorted names of the named statistics that any player of the round has.
    names: Vec<StatName>,
    /// For each player of the round, a bit set of the statistics that follow ([`SCORE`] and so on), then these.
    numbers: Vec<u64>,
}

const SCORE: u64 = 1;
const KILLS: u64 = 1 << 1;
const DEATHS: u64 = 1 << 2;
const ASSISTS: u64 = 1 << 3;
/// Bit that is set if the player has the first statistic of `Content::names`. The next bits stand for the next names.
const FIRST_NAMED: u64 = 1 << 4;

/// Integer before the 64 bits of a statistic that is not a whole number. Encoded whole numbers are even.
const NOT_WHOLE: u64 = 1;

pub(super) fn of_scoreboard(scoreboard: &Scoreboard) -> Result<Vec<u8>, StoreError> {
    let given = scoreboard.stats.iter().flatten();
    let mut names: Vec<&StatName> = given.flat_map(|stats| stats.named.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut numbers = Vec::new();
    for stats in &scoreboard.stats {
        match stats {
            Some(stats) => write_stats(stats, &names, &mut numbers),
            None => numbers.push(0),
        }
    }
    content::write(&Content {
        mode: scoreboard.mode.clone(),
        mutators: scoreboard.mutators.iter().cloned().collect(),
        names: names.into_iter().cloned().collect(),
        numbers,
    })
}

fn write_stats(stats: &Stats, names: &[&StatName], numbers: &mut Vec<u64>) {
    let mut present = 0;
    let mut written = Vec::new();
    if let Some(score) = stats.score {
        present |= SCORE;
        write_stat(score, &mut written);
    }
    for (bit, count) in [
        (KILLS, stats.kills),
        (DEATHS, stats.deaths),
        (ASSISTS, stats.assists),
    ] {
        if let Some(count) = count {
            present |= bit;
            written.push(u64::from(count.get()));
        }
    }
    let mut bit = FIRST_NAMED;
    for name in names {
        if let Some(stat) = stats.named.get(*name) {
            present |= bit;
            write_stat(*stat, &mut written);
        }
        bit <<= 1;
    }
    numbers.push(present);
    numbers.append(&mut written);
}

fn write_stat(stat: Stat, numbers: &mut Vec<u64>) {
    match stat.whole() {
        // Zigzag encoding keeps numbers near 0 short, whatever their sign.
        Some(whole) => numbers.push(((whole << 1) ^ (whole >> 63)).cast_unsigned() << 1),
        None => numbers.extend([NOT_WHOLE, stat.value().to_bits()]),
    }
}

pub(super) fn to_scoreboard(content: &[u8]) -> Result<Scoreboard, StoreError> {
    read(content).ok_or_else(|| corrupt("scoreboards", "content"))
}

fn read(content: &[u8]) -> Option<Scoreboard> {
    let content: Content = postcard::from_bytes(content).ok()?;
    let mut numbers = content.numbers.into_iter();
    let mut stats = Vec::new();
    while let Some(present) = numbers.next() {
        stats.push(match present {
            0 => None,
            present => Some(Box::new(read_stats(present, &content.names, &mut numbers)?)),
        });
    }
    Some(Scoreboard {
        mode: content.mode,
        mutators: Mutators::new(content.mutators).ok()?,
        stats,
    })
}

fn read_stats(
    present: u64,
    names: &[StatName],
    numbers: &mut impl Iterator<Item = u64>,
) -> Option<Stats> {
    let mut stats = Stats::default();
    if present & SCORE != 0 {
        stats.score = Some(read_stat(numbers)?);
    }
    for (bit, count) in [
        (KILLS, &mut stats.kills),
        (DEATHS, &mut stats.deaths),
        (ASSISTS, &mut stats.assists),
    ] {
        if present & bit != 0 {
            let number = u32::try_from(numbers.next()?).ok()?;
            *count = Some(StatCount::new(number)?);
        }
    }
    let mut bit = FIRST_NAMED;
    for name in names {
        if present & bit != 0 {
            stats.named.insert(name.clone(), read_stat(numbers)?);
        }
        bit = bit.checked_mul(2)?;
    }
    // An unknown bit means content of another format.
    (present < bit).then_some(stats)
}

fn read_stat(numbers: &mut impl Iterator<Item = u64>) -> Option<Stat> {
    match numbers.next()? {
        NOT_WHOLE => Stat::new(f64::from_bits(numbers.next()?)),
        whole if whole % 2 == 0 => {
            let digits = (whole >> 2).cast_signed();
            let whole = if whole & 2 == 0 { digits } else { !digits };
            #[expect(clippy::cast_precision_loss, reason = "what is in range is exact")]
            Stat::new(whole as f64)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scoreboard() -> Scoreboard {
        let stats = [
            Some(r#"{"score":-3,"kills":0,"deaths":1000000,"assists":7}"#),
            None,
            Some(r#"{"score":0.1,"damage":-1000000000,"healing":12}"#),
            Some(r#"{"healing":0.30000000000000004}"#),
        ]
        .map(|text| text.map(|text| serde_json::from_str(text).unwrap()));
        Scoreboard {
            mode: Some("ctf".parse().unwrap()),
            mutators: Mutators::new(["low gravity".parse().unwrap()]).unwrap(),
            stats: stats.into(),
        }
    }

    #[test]
    fn what_is_written_reads_back_to_the_bit() {
        let written = of_scoreboard(&scoreboard()).unwrap();
        assert_eq!(to_scoreboard(&written).unwrap(), scoreboard());
    }

    #[test]
    fn four_numbers_of_twenty_four_players_take_148_bytes() {
        let stats = r#"{"score":41,"kills":12,"deaths":9,"assists":5}"#;
        let stats: Option<Box<Stats>> = serde_json::from_str(stats).unwrap();
        let scoreboard = Scoreboard {
            stats: vec![stats; 24],
            ..Scoreboard::default()
        };
        let written = of_scoreboard(&scoreboard).unwrap();
        assert_eq!(written.len(), 24 * 6 + 4);
    }

    #[test]
    fn what_was_cut_or_changed_is_corrupt_and_no_other_scoreboard() {
        let written = of_scoreboard(&scoreboard()).unwrap();
        for length in 0..written.len() {
            assert!(to_scoreboard(&written[..length]).is_err(), "{length}");
        }
        let of_numbers = |numbers: &[u64]| {
            let content = Content {
                mode: None,
                mutators: Vec::new(),
                names: Vec::new(),
                numbers: numbers.to_vec(),
            };
            read(&postcard::to_allocvec(&content).unwrap())
        };
        assert!(of_numbers(&[KILLS, 1]).is_some());
        for numbers in [
            &[KILLS][..],
            &[KILLS, 1_000_001],
            &[FIRST_NAMED, 1],
            &[SCORE, NOT_WHOLE],
            &[SCORE, NOT_WHOLE, f64::NAN.to_bits()],
            &[SCORE, 3],
        ] {
            assert!(of_numbers(numbers).is_none(), "{numbers:?}");
        }
    }
}
