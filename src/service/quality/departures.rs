use crate::api::{DepartureAnswer, DepartureFrom};
use crate::domain::{MapName, ServerName};
use crate::rating::{Departure, DepartureKind, Place};

/// What departs from the predictions, each in a sentence with what to do.
pub(super) fn described(departures: &[Departure]) -> Vec<DepartureAnswer> {
    departures.iter().map(answer).collect()
}

fn answer(departure: &Departure) -> DepartureAnswer {
    let (map, server) = match &departure.place {
        Place::Everywhere => (None, None),
        Place::Server(server) => (None, Some(server.clone())),
        Place::Map(map) => (Some(map.clone()), None),
        Place::MapOnServer(map, server) => (Some(map.clone()), Some(server.clone())),
    };
    let say = say(departure, map.as_ref(), server.as_ref());
    DepartureAnswer {
        from: match departure.kind {
            DepartureKind::Side => DepartureFrom::Side,
            DepartureKind::Favourites => DepartureFrom::Favourites,
            DepartureKind::Scoreboards => DepartureFrom::Scoreboards,
        },
        map,
        server,
        rounds: departure.rounds,
        expected: departure.expected,
        observed: departure.observed,
        standard_error: departure.standard_error,
        say,
    }
}

fn say(departure: &Departure, map: Option<&MapName>, server: Option<&ServerName>) -> String {
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
            // Seen from the team that gets more.
            let (team, expected, observed) = if observed > expected {
                ("a", *expected, *observed)
            } else {
                ("b", 1.0 - expected, 1.0 - observed)
            };
            let what_to_do = match (map, server) {
                (Some(_), None) => {
                    "the map favours that side; change it, or let the teams change sides on it"
                }
                (_, Some(_)) => {
                    "look whether its plugin always puts the same people on that team, reports whole teams, and \
                     names the right winners"
                }
                (None, None) => {
                    "the game favours that side, or the plugin always names the same side team a; let the \
                     teams change sides"
                }
            };
            format!(
                "{place} team {team} wins {:.0} points more often than predicted ({} in place of {}, in {rounds} \
                 rounds): {what_to_do}",
                (observed - expected) * 100.0,
                percent(observed),
                percent(expected),
            )
        }
        DepartureKind::Favourites => format!(
            "{place} favourites lose: predicted to win {}, they won {}, in {rounds} rounds; look whether the \
             winners are reported the wrong way round there, and void the rounds since then",
            percent(*expected),
            percent(*observed),
        ),
        DepartureKind::Scoreboards => format!(
            "{place} those who are behind on the scoreboard win: in {rounds} rounds the winners were ahead in {}, \
             elsewhere in at least {}; look whether the winners are reported the wrong way round there, and void \
             the rounds since then",
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

    #[test]
    fn the_sentence_names_the_place_and_how_far_it_is_off() {
        let departure = |place, kind, expected, observed| Departure {
            place,
            kind,
            rounds: 181,
            expected,
            observed,
            standard_error: Some(0.03),
        };
        let (map, server) = ("cp_dustbowl".parse().unwrap(), "us-2".parse().unwrap());
        for (departure, beginning) in [
            (
                departure(Place::Map(map), DepartureKind::Side, 0.5, 0.704),
                "on the map cp_dustbowl team a wins 20 points more often than predicted (70 % in place of \
                 50 %, in 181 rounds): the map favours that side",
            ),
            (
                departure(Place::Server(server), DepartureKind::Side, 0.5, 0.35),
                "on the server us-2 team b wins 15 points more often than predicted (65 % in place of 50 %, in 181 \
                 rounds): look whether its plugin",
            ),
            (
                departure(
                    Place::MapOnServer("a b".parse().unwrap(), "s".parse().unwrap()),
                    DepartureKind::Favourites,
                    0.64,
                    0.36,
                ),
                "on the map a b of the server s favourites lose: predicted to win 64 %, they won 36 %",
            ),
            (
                departure(Place::Everywhere, DepartureKind::Scoreboards, 0.75, 0.25),
                "on all maps and servers those who are behind on the scoreboard win: in 181 rounds the winners \
                 were ahead in 25 %, elsewhere in at least 75 %",
            ),
        ] {
            let answer = answer(&departure);
            assert!(answer.say.starts_with(beginning), "{}", answer.say);
        }
    }
}
