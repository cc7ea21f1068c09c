//! Replays the rounds of `tests/vectors/rating.jsonl.gz`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use rbs::domain::{PlayerEntry, PlayerId, Rating, Side, Winner};
use rbs::rating::{Parameters, Rated, brier_term, convergence, k_factor};
use serde::Deserialize;

use super::projection::Projection;

#[derive(Deserialize)]
struct Line {
    sequence: String,
    #[serde(flatten)]
    event: Event,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Event {
    Start {
        parameters: BTreeMap<String, f64>,
    },
    Set {
        id: PlayerId,
        rating: i32,
    },
    Round {
        winner: Winner,
        team_a: Vec<PlayerEntry>,
        team_b: Vec<PlayerEntry>,
        expect: Answer,
    },
    End {
        brier_all: f64,
        brier_window: f64,
        players: Vec<Final>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    win_probability_a: f64,
    players: Vec<AnsweredPlayer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredPlayer {
    id: PlayerId,
    before: i32,
    rating: i32,
    k: f64,
    rounds: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Final {
    id: PlayerId,
    rating: i32,
    rounds: u32,
    convergence: f64,
    k: f64,
}

/// Default parameters with the changes of a sequence, by the short names of the file.
fn parameters(changes: &BTreeMap<String, f64>) -> Parameters {
    let mut parameters = Parameters::default();
    for (name, &value) in changes {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "counts in the file are small and whole"
        )]
        let count = value as u32;
        match name.as_str() {
            "r0" => parameters.initial_rating = Rating::from_rounded(value),
            "r_min" => parameters.min_rating = Rating::from_rounded(value),
            "r_grad" => parameters.graduation_cap = Rating::from_rounded(value),
            "t_shadow" => parameters.shadow_rounds = count,
            "window" => parameters.window = count,
            "k_min" => parameters.k_min = value,
            "k_max" => parameters.k_max = value,
            "theta" => parameters.theta = value,
            "sigma" => parameters.sigma = value,
            "w_vel" => parameters.weight_velocity = value,
            "w_wre" => parameters.weight_win_rate = value,
            "w_vol" => parameters.weight_volatility = value,
            "wre_norm" => parameters.win_rate_tolerance = value,
            other => panic!("the file names a parameter {other} that this test does not know"),
        }
    }
    parameters.checked().unwrap()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let miss = (found - expected).abs();
    // Written so that a NaN fails.
    let is_close = miss <= tolerance;
    assert!(is_close, "{what}: found {found}, expected {expected}");
}

const PROBABILITY: f64 = 1e-12;
const FACTOR: f64 = 1e-9;

struct Replay {
    sequence: String,
    projection: Projection,
    brier_terms: Vec<f64>,
}

impl Replay {
    fn check_round(
        &mut self,
        line: usize,
        winner: Winner,
        teams: [&[PlayerEntry]; 2],
        answer: &Answer,
    ) {
        let place = format!("{:?}, line {line}", self.sequence);
        let played = self.projection.play(winner, teams[0], teams[1]);
        let predicted = played.predicted.get();
        assert_close(predicted, answer.win_probability_a, PROBABILITY, &place);
        let found = played.results.iter().map(|result| result.id);
        let expected = answer.players.iter().map(|player| player.id);
        assert!(found.eq(expected), "{place}: participants, in order");
        for (found, expected) in played.results.iter().zip(&answer.players) {
            let who = format!("{place}, {}", expected.id);
            let Rated {
                rating, rounds, k, ..
            } = found.rated;
            assert_eq!(found.before.points(), expected.before, "{who}: before");
            assert_close(k, expected.k, FACTOR, &format!("{who}: k"));
            assert_eq!(rating.points(), expected.rating, "{who}: rating");
            assert_eq!(rounds, expected.rounds, "{who}: rounds");
        }
        let term = brier_term(played.predicted, winner.score(Side::A));
        self.brier_terms.push(term);
    }

    fn check_end(&self, line: usize, brier_all: f64, brier_window: f64, players: &[Final]) {
        let place = format!("{:?}, line {line}", self.sequence);
        let parameters = &self.projection.parameters;
        let window = usize::try_from(parameters.window).unwrap();
        let recent = self.brier_terms.len().saturating_sub(window);
        for (figure, terms, expected) in [
            ("brier_all", &self.brier_terms[..], brier_all),
            ("brier_window", &self.brier_terms[recent..], brier_window),
        ] {
            let what = format!("{place}: {figure}");
            assert_close(mean(terms), expected, PROBABILITY, &what);
        }
        let found = self.projection.players.keys().copied();
        let expected = players.iter().map(|player| player.id);
        assert!(found.eq(expected), "{place}: players");
        for expected in players {
            let player = &self.projection.players[&expected.id];
            let score = convergence(&player.window(parameters.window), parameters).score;
            let k = k_factor(player.rating, score, parameters);
            let who = format!("{place}, {}", expected.id);
            assert_eq!(player.rating.points(), expected.rating, "{who}: rating");
            assert_eq!(player.rounds, expected.rounds, "{who}: rounds");
            let what = format!("{who}: convergence");
            assert_close(score, expected.convergence, FACTOR, &what);
            assert_close(k, expected.k, FACTOR, &format!("{who}: k"));
        }
    }
}

fn mean(terms: &[f64]) -> f64 {
    let count = u32::try_from(terms.len()).unwrap();
    terms.iter().sum::<f64>() / f64::from(count)
}

#[test]
fn every_round_of_the_known_answers_comes_out_as_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/rating.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let mut replay: Option<Replay> = None;
    let (mut sequences, mut rounds, mut ratings_set) = (0, 0, 0);
    for (line, text) in (1..).zip(lines) {
        let parsed: Line = serde_json::from_str(&text.unwrap())
            .unwrap_or_else(|error| panic!("line {line}: {error}"));
        if let Event::Start {
            parameters: changes,
        } = &parsed.event
        {
            assert!(
                replay.is_none(),
                "line {line}: the last sequence has no end"
            );
            replay = Some(Replay {
                sequence: parsed.sequence,
                projection: Projection::new(parameters(changes)),
                brier_terms: Vec::new(),
            });
            continue;
        }
        let current = replay
            .as_mut()
            .unwrap_or_else(|| panic!("line {line} is outside every sequence"));
        assert_eq!(parsed.sequence, current.sequence, "line {line}");
        match parsed.event {
            Event::Start { .. } => unreachable!("taken above"),
            Event::Set { id, rating } => {
                current.projection.player(id).rating = Rating::new(rating).unwrap();
                ratings_set += 1;
            }
            Event::Round {
                winner,
                team_a,
                team_b,
                expect,
            } => {
                current.check_round(line, winner, [&team_a, &team_b], &expect);
                rounds += 1;
            }
            Event::End {
                brier_all,
                brier_window,
                players,
            } => {
                current.check_end(line, brier_all, brier_window, &players);
                replay = None;
                sequences += 1;
            }
        }
    }
    assert!(replay.is_none(), "the last sequence has no end");
    assert_eq!((sequences, rounds, ratings_set), (7, 2340, 121));
}
