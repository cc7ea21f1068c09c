use crate::rating::{Learnt, LearntFigure, MapLean, ObserverShare};

/// Minimum advantage of one team on a map to be mentioned, in standard errors from 0.
const NOTEWORTHY: f64 = 2.0;

/// Describes in some sentences the sides, maps and players of a pool as its rating model has learnt them.
pub(crate) fn learnt(learnt: &Learnt) -> String {
    let mut sentences = Vec::new();
    if let Some(spread) = learnt.spread {
        sentences.push(format!(
            "Players' strengths seem to vary by about {spread:.0} points around the average (standard deviation)."
        ));
    }
    if let Some(temperature) = learnt.temperature {
        sentences.push(format!(
            "The model combines estimates of strength that forget old rounds at different speeds ({}), and multiplies \
             the difference in strength between the teams by {} to predict the odds.",
            observers(&learnt.observers),
            percent(temperature),
        ));
    }
    sentences.push(format!(
        "With otherwise even teams of {:.0}, team a wins {} of rounds, and a team with one more player wins {}.",
        learnt.team_size,
        odds(learnt.side),
        odds(learnt.extra_player),
    ));
    if let Some(experience) = learnt.experience {
        sentences.push(format!(
            "A player's first 100 rounds add {:.0} points (± {:.0}), whatever their results.",
            experience.value, experience.standard_error,
        ));
    }
    let clear = learnt.maps.iter().filter(|map| is_clear(map));
    let farthest = clear.max_by(|one, other| {
        let (one, other) = (one.lean.value.abs(), other.lean.value.abs());
        one.total_cmp(&other)
    });
    if let Some(MapLean { map, lean }) = farthest {
        sentences.push(format!(
            "The least balanced map is {}: there team a would win {} of rounds if everything else were even.",
            map.as_str(),
            odds(*lean),
        ));
    }
    sentences.join(" ")
}

fn observers(all: &[ObserverShare]) -> String {
    let mut all: Vec<_> = all.iter().collect();
    all.sort_by(|one, other| other.share.total_cmp(&one.share));
    all.iter()
        .map(|one| format!("{} {:.0} %", one.name, 100.0 * one.share))
        .collect::<Vec<_>>()
        .join(", ")
}

fn is_clear(map: &MapLean) -> bool {
    map.lean.value.abs() > NOTEWORTHY * map.lean.standard_error
}

/// Formats log-odds as a percentage of rounds won, with their standard error.
fn odds(log_odds: LearntFigure) -> String {
    let share = 1.0 / (1.0 + libm::exp(-log_odds.value));
    let share = LearntFigure {
        value: share,
        standard_error: share * (1.0 - share) * log_odds.standard_error,
    };
    percent(share)
}

fn percent(share: LearntFigure) -> String {
    let (value, error) = (100.0 * share.value, 100.0 * share.standard_error);
    format!("{value:.1} % (± {error:.1})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, standard_error: f64) -> LearntFigure {
        LearntFigure {
            value,
            standard_error,
        }
    }

    fn map(name: &str, value: f64, standard_error: f64) -> MapLean {
        MapLean {
            map: name.parse().unwrap(),
            lean: figure(value, standard_error),
        }
    }

    #[test]
    fn what_was_learnt_is_said_with_its_errors_and_the_clearest_map() {
        let share = |name: &str, share| ObserverShare {
            name: name.to_owned(),
            share,
        };
        let all = Learnt {
            observers: vec![share("lasting", 0.3), share("slow", 0.7)],
            spread: Some(211.8),
            temperature: Some(figure(1.1, 0.2)),
            side: figure(0.04, 0.02),
            extra_player: figure(0.4, 0.1),
            experience: Some(figure(31.6, 4.4)),
            team_size: 11.6,
            maps: vec![
                map("unclear", 3.0, 2.0),
                map("uphill", 0.5, 0.1),
                map("flat", -0.3, 0.1),
            ],
        };
        assert_eq!(
            learnt(&all),
            "Players' strengths seem to vary by about 212 points around the average (standard deviation). The model \
             combines estimates of strength that forget old rounds at different speeds (slow 70 %, lasting 30 %), and \
             multiplies the difference in strength between the teams by 110.0 % (± 20.0) to predict the odds. With \
             otherwise even teams of 12, team a wins 51.0 % (± 0.5) of rounds, and a team with one more player \
             wins 59.9 % (± 2.4). A player's first 100 rounds add 32 points (± 4), whatever their results. The least \
             balanced map is uphill: there team a would win 62.2 % (± 2.4) of rounds if everything else were even."
        );
        let without_maps = Learnt {
            maps: Vec::new(),
            ..all
        };
        assert!(learnt(&without_maps).ends_with("whatever their results."));
        let the_side_alone = Learnt {
            observers: Vec::new(),
            spread: None,
            temperature: None,
            experience: None,
            ..without_maps
        };
        assert_eq!(
            learnt(&the_side_alone),
            "With otherwise even teams of 12, team a wins 51.0 % (± 0.5) of rounds, and a team with one more \
             player wins 59.9 % (± 2.4)."
        );
    }
}
