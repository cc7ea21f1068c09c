use crate::api::DepartureAnswer;
use crate::domain::{MapName, PoolName, ServerName};
use crate::rating::{Advantages, Departure, DepartureKind, ModelName, Parameters, Scope, number};

/// Describes each departure of a pool's results from its predictions in a sentence with advice.
pub(super) fn described(
    departures: &[Departure],
    pool: &PoolName,
    model: ModelName,
    parameters: &Parameters,
) -> Vec<DepartureAnswer> {
    let takes_advantages = model.counts_advantages() && !model.learns_maps();
    let is_side = |departure: &Departure| departure.kind == DepartureKind::Side;
    let advice = if departures.iter().any(is_side) {
        BESIDE_A_SIDE
    } else {
        SWAPPED
    };
    let mut answers = Vec::with_capacity(departures.len());
    for departure in departures {
        let (map, server) = match &departure.place {
            Scope::Everywhere => (None, None),
            Scope::Server(server) => (None, Some(server)),
            Scope::Map(map) => (Some(map), None),
            Scope::MapOnServer(map, server) => (Some(map), Some(server)),
        };
        let setting = map
            .filter(|_| takes_advantages)
            .map(|map| setting(map, departure, pool, parameters));
        let mut message = message(departure, (map, server), advice, setting.as_deref());
        if departures.iter().any(|other| are_opposed(departure, other)) {
            message.push_str(OPPOSED);
        }
        answers.push(DepartureAnswer {
            from: departure.kind,
            map: map.cloned(),
            server: server.cloned(),
            rounds: departure.rounds,
            expected: departure.expected,
            observed: departure.observed,
            standard_error: departure.standard_error,
            message,
        });
    }
    answers
}

const SWAPPED: &str =
    "check whether the plugin there reports the losers as winners; if so, void those rounds";
/// Advice to an admin about favourites who lose too often, if one side also wins more often than predicted. That side
/// distorts the ratings, so favourites lose even on servers that report winners correctly.
const BESIDE_A_SIDE: &str = "first follow the advice about the side that wins too often, because that side \
                             distorts all ratings; if this warning remains, check whether the plugin there reports the \
                             losers as winners";

/// End of the message that one side wins too often on a map, if the other side wins too often there on another server.
const OPPOSED: &str =
    "; elsewhere the other team wins too often on this map; perhaps one server swaps the two teams";

/// Returns `true` if two departures of results from predictions concern the same map, and team a wins too often in one
/// and too rarely in the other.
fn are_opposed(one: &Departure, other: &Departure) -> bool {
    let map = |of: &Departure| match &of.place {
        Scope::Map(map) | Scope::MapOnServer(map, _) if of.kind == DepartureKind::Side => {
            Some(map.clone())
        }
        _ => None,
    };
    let lean = |of: &Departure| of.observed - of.expected;
    map(one).is_some() && map(one) == map(other) && lean(one) * lean(other) < 0.0
}

/// Returns the advantage of team a beyond the predictions, in points of a team's sum, rounded to tens. The result is Θ
/// times the log-odds of the mean score minus the log-odds of the mean prediction. Half a win is added for each team,
/// so that the result is finite if one team has won all rounds.
fn points(departure: &Departure, theta: f64) -> i64 {
    let rounds = number(departure.rounds);
    let log_odds = |mean: f64| {
        let share = (mean * rounds + 0.5) / (rounds + 1.0);
        libm::log(share / (1.0 - share))
    };
    let points = theta * (log_odds(departure.observed) - log_odds(departure.expected));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast ends at the ends of the type"
    )]
    let tens = (points / 10.0).round_ties_even() as i64;
    tens.saturating_mul(10)
}

/// Returns the advantage to configure for a map on which one side wins too often.
fn setting(
    map: &MapName,
    departure: &Departure,
    pool: &PoolName,
    parameters: &Parameters,
) -> String {
    let points = points(departure, parameters.theta) + parameters.advantages.on(Some(map));
    let most = i64::from(Advantages::MAX_POINTS);
    let points = points.clamp(-most, most);
    let key = map.as_str().replace('\\', "\\\\").replace('"', "\\\"");
    let others = if parameters.advantages.is_empty() {
        ""
    } else {
        ", in addition to the current ones"
    };
    format!("\"{key}\" = {points} under [pools.{pool}.advantages]{others}")
}

fn message(
    departure: &Departure,
    (map, server): (Option<&MapName>, Option<&ServerName>),
    advice: &str,
    setting: Option<&str>,
) -> String {
    let place = match (map, server) {
        (None, None) => "on all maps and servers".to_owned(),
        (None, Some(server)) => format!("on the server {server}"),
        (Some(map), None) => format!("on the map {map}"),
        (Some(map), Some(server)) => format!("on the map {map} of the server {server}"),
    };
    let Departure {
        kind,
        rounds,
        expected,
        observed,
        ..
    } = departure;
    match kind {
        DepartureKind::Side => {
            // The sentence is about the team that wins more than predicted.
            let (team, expected, observed) = if observed > expected {
                ("a", *expected, *observed)
            } else {
                ("b", 1.0 - expected, 1.0 - observed)
            };
            let what_to_do = match (map, server) {
                (Some(_), None) => {
                    "the map favours that side; change the map, or let the teams change sides on it"
                }
                (_, Some(_)) => {
                    "check whether its plugin always puts the same people on that team, reports all players of \
                     both teams, and names the right winners"
                }
                (None, None) => {
                    "the game favours that side, or the plugin always calls the same side team a; let the \
                     teams change sides"
                }
            };
            let setting = match (server, setting) {
                (None, Some(setting)) => {
                    format!(", or let the odds and splits account for it: set {setting}")
                }
                _ => String::new(),
            };
            format!(
                "{place} team {team} wins {:.0} percentage points more often than predicted ({} instead of {}, in \
                 {rounds} rounds): {what_to_do}{setting}",
                (observed - expected) * 100.0,
                percent(observed),
                percent(expected),
            )
        }
        DepartureKind::Favourites => format!(
            "{place} favourites lose too often: predicted to win {}, they won {}, in {rounds} rounds; {advice}",
            percent(*expected),
            percent(*observed),
        ),
        DepartureKind::Scoreboards => format!(
            "{place} teams that are behind on the scoreboard win too often: of {rounds} rounds, the winners were ahead \
             in only {}, but in at least {} of the pool's other rounds; {advice}",
            percent(*observed),
            percent(*expected),
        ),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn departure(place: Scope, kind: DepartureKind, expected: f64, observed: f64) -> Departure {
        Departure {
            place,
            kind,
            rounds: 400,
            expected,
            observed,
            standard_error: Some(0.03),
        }
    }

    fn message_on(departure: Departure, pool: &str, model: ModelName, set: &Parameters) -> String {
        let mut answers = described(&[departure], &pool.parse().unwrap(), model, set);
        answers.remove(0).message
    }

    #[test]
    fn the_sentence_names_the_place_and_how_far_it_is_off() {
        let (map, server) = ("cp_dustbowl".parse().unwrap(), "us-2".parse().unwrap());
        let map_on_server = Scope::MapOnServer("a b".parse().unwrap(), "s".parse().unwrap());
        for (departure, beginning) in [
            (
                departure(Scope::Map(map), DepartureKind::Side, 0.5, 0.704),
                "on the map cp_dustbowl team a wins 20 percentage points more often than predicted (70 % instead \
                 of 50 %, in 400 rounds): the map favours that side",
            ),
            (
                departure(Scope::Server(server), DepartureKind::Side, 0.5, 0.35),
                "on the server us-2 team b wins 15 percentage points more often than predicted (65 % instead of \
                 50 %, in 400 rounds): check whether its plugin",
            ),
            (
                departure(map_on_server, DepartureKind::Favourites, 0.64, 0.36),
                "on the map a b of the server s favourites lose too often: predicted to win 64 %, they won 36 %",
            ),
            (
                departure(Scope::Everywhere, DepartureKind::Scoreboards, 0.75, 0.25),
                "on all maps and servers teams that are behind on the scoreboard win too often: of 400 rounds, the \
                 winners were ahead in only 25 %, but in at least 75 % of the pool's other rounds",
            ),
        ] {
            let message = message_on(
                departure,
                "arena",
                ModelName::SynElo,
                &Parameters::default(),
            );
            assert!(message.starts_with(beginning), "{message}");
        }
    }

    #[test]
    fn nobody_is_told_to_void_rounds_for_swapped_winners_while_a_side_departs() {
        let departure = |place, kind| departure(place, kind, 0.59, 0.47);
        let server = Scope::Server("sv2".parse().unwrap());
        let swapped = [
            departure(server, DepartureKind::Favourites),
            departure(Scope::Everywhere, DepartureKind::Scoreboards),
        ];
        let map = Scope::Map("cp_dustbowl".parse().unwrap());
        let sides = [departure(map, DepartureKind::Side)];
        let said = |departures: &[Departure]| {
            let (pool, parameters) = (PoolName::default(), Parameters::default());
            described(departures, &pool, ModelName::SynElo, &parameters)
        };
        let advises = |answer: &DepartureAnswer| answer.message.contains("void those rounds");
        assert!(said(&swapped).iter().all(advises));
        for together in [
            [sides.to_vec(), swapped.to_vec()],
            [swapped.to_vec(), sides.to_vec()],
        ] {
            let said = said(&together.concat());
            assert!(!said.iter().any(advises), "{said:?}");
        }
    }

    #[test]
    fn a_map_that_favours_a_side_has_its_setting_named_with_the_points() {
        let assert_ends = |observed, pool, model, parameters: &Parameters, ending: &str| {
            let map = Scope::Map("a \"b\"".parse().unwrap());
            let departure = departure(map, DepartureKind::Side, 0.5, observed);
            let message = message_on(departure, pool, model, parameters);
            assert!(message.ends_with(ending), "{message}");
        };
        let (none, synelo) = (Parameters::default(), ModelName::SynElo);
        // 2400 ln(0.7 / 0.3), shrunk a little towards even.
        let setting = "set \"a \\\"b\\\"\" = 2030 under [pools.arena.advantages]";
        assert_ends(0.7, "arena", synelo, &none, setting);
        // The suggested advantage includes the one already set, and its sign is that of team a.
        let set = Parameters {
            advantages: serde_json::from_str(r#"{"a \"b\"": 500}"#).unwrap(),
            ..none.clone()
        };
        let more = "= -1530 under [pools.default.advantages], in addition to the current ones";
        assert_ends(0.3, "default", synelo, &set, more);
        let most = "= -10000 under [pools.arena.advantages]";
        assert_ends(0.0, "arena", synelo, &none, most);
        assert_ends(0.7, "arena", ModelName::Ns2, &none, "change sides on it");
    }
}
