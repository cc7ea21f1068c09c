//! Record of a player: wins, draws, losses, streaks and the highest rating.

use crate::api::{PeakAnswer, RecordAnswer, ResultName, StreakAnswer, TallyAnswer};
use crate::domain::{Rating, Score, Timestamp};
use crate::rating::Entry;

fn result(score: Score) -> ResultName {
    match score {
        Score::WIN => ResultName::Won,
        Score::DRAW => ResultName::Drawn,
        _ => ResultName::Lost,
    }
}

impl TallyAnswer {
    pub(super) fn add(&mut self, entry: &Entry) {
        self.rounds += 1;
        match result(entry.step.score) {
            ResultName::Won => self.won += 1,
            ResultName::Drawn => self.drawn += 1,
            ResultName::Lost => self.lost += 1,
        }
        self.expected += entry.step.win_probability();
    }
}

/// Returns the record (wins, streaks, peak rating) of a player with the rounds `entries`, oldest first. The peak may
/// also be a rating `given` by an admin.
pub(super) fn record(entries: &[Entry], given: &[(Timestamp, Rating)]) -> RecordAnswer {
    let mut record = RecordAnswer {
        since: entries.first().map(|entry| entry.ended_at),
        ..RecordAnswer::default()
    };
    for entry in entries {
        record.tally.add(entry);
        let result = result(entry.step.score);
        let before = record.streak.filter(|streak| streak.result == result);
        let streak = StreakAnswer {
            result,
            rounds: before.map_or(0, |streak| streak.rounds) + 1,
            ended_at: entry.ended_at,
        };
        record.streak = Some(streak);
        let longest = match result {
            ResultName::Won => &mut record.longest_winning,
            ResultName::Lost => &mut record.longest_losing,
            ResultName::Drawn => continue,
        };
        if longest.is_none_or(|longest| streak.rounds >= longest.rounds) {
            *longest = Some(streak);
        }
    }
    let rated = entries
        .iter()
        .map(|entry| (entry.ended_at, entry.step.rating));
    let ratings = rated.chain(given.iter().copied());
    // Of equal ratings, the peak is the first.
    let peak = ratings.reduce(|peak, next| {
        let is_higher = next.1 > peak.1 || (next.1 == peak.1 && next.0 < peak.0);
        if is_higher { next } else { peak }
    });
    record.peak = peak.map(|(at, rating)| PeakAnswer { rating, at });
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Probability;
    use crate::rating::{Totals, TotalsStep};

    fn entry(second: i64, points: i32, score: Score) -> Entry {
        let probability = Probability::new(0.75).unwrap();
        Entry {
            player: "76561197960265729".parse().unwrap(),
            number: 1,
            position: second.unsigned_abs(),
            ended_at: at(second),
            step: TotalsStep::of(Rating::new(points).unwrap(), probability, score),
            totals: Totals::default(),
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix_seconds(second).unwrap()
    }

    #[test]
    fn streaks_and_the_peak_are_found() {
        let (win, loss, draw) = (Score::WIN, Score::LOSS, Score::DRAW);
        let scores = [win, win, loss, win, win, draw, loss];
        let points = [1010, 1020, 1010, 1015, 1020, 1020, 1000];
        let played = scores.into_iter().zip(points).zip(1..);
        let entries: Vec<Entry> = played
            .map(|((score, points), second)| entry(second, points, score))
            .collect();
        let record = record(&entries, &[]);
        let streak = |result, rounds, second| {
            Some(StreakAnswer {
                result,
                rounds,
                ended_at: at(second),
            })
        };
        assert_eq!(record.since, Some(at(1)));
        let TallyAnswer {
            rounds,
            won,
            drawn,
            lost,
            expected,
        } = record.tally;
        assert_eq!((rounds, won, drawn, lost), (7, 4, 1, 2));
        assert!((expected - 5.25).abs() < 1e-9 && (record.tally.excess() + 0.75).abs() < 1e-9);
        assert_eq!(record.streak, streak(ResultName::Lost, 1, 7));
        assert_eq!(record.longest_winning, streak(ResultName::Won, 2, 5));
        assert_eq!(record.longest_losing, streak(ResultName::Lost, 1, 7));
        let peak = record.peak.unwrap();
        assert_eq!((peak.rating.points(), peak.at), (1020, at(2)));
    }
}
