//! Random and deliberately hard requests for splits, and their encoding as process arguments.

use rbs::partition::{Pool, Wishes};

use super::Dice;
use super::pools::{CLASSES, Class, all_wishes, pairs, pool_of, random_wishes};

/// A pool of a random class with random wishes.
pub fn random(players: usize, seed: u64) -> (Pool, Wishes) {
    let mut dice = Dice::new(seed);
    let class = CLASSES[dice.roll(CLASSES.len())];
    let pool = pool_of(&class.ratings(players, &mut dice));
    (pool, random_wishes(players, &mut dice))
}

/// A request whose memory is measured in a child process, which receives the request as arguments.
#[derive(Clone, Copy, Debug)]
pub enum Request {
    /// No request, as the baseline.
    Nothing,
    /// A uniform pool with that number of players and all wishes.
    Everything(usize),
    /// A typical pool with that number of players and of pairs apart.
    Web(usize, usize),
    /// The request with random wishes for that number of players and that seed.
    Random(usize, u64),
}

impl Request {
    /// Encodes the request for [`Request::parse`].
    pub fn arguments(self) -> Vec<String> {
        match self {
            Self::Nothing => vec!["nothing".to_owned()],
            Self::Everything(players) => vec!["everything".to_owned(), players.to_string()],
            Self::Web(players, pairs) => {
                vec!["web".to_owned(), players.to_string(), pairs.to_string()]
            }
            Self::Random(players, seed) => {
                vec!["random".to_owned(), players.to_string(), seed.to_string()]
            }
        }
    }

    pub fn parse(arguments: &[String]) -> Option<Self> {
        let (kind, numbers) = arguments.split_first()?;
        let number = |index: usize| numbers.get(index)?.parse::<usize>().ok();
        match kind.as_str() {
            "nothing" => Some(Self::Nothing),
            "everything" => Some(Self::Everything(number(0)?)),
            "web" => Some(Self::Web(number(0)?, number(1)?)),
            "random" => Some(Self::Random(number(0)?, number(1)? as u64)),
            _ => None,
        }
    }

    pub fn name(self) -> String {
        match self {
            Self::Nothing => "nothing".to_owned(),
            Self::Everything(players) => format!("{players} uniform, all wishes"),
            Self::Web(players, pairs) => format!("{players} typical, {pairs} pairs apart"),
            Self::Random(players, _) => format!("{players}, slowest of the random wishes"),
        }
    }

    /// The pool and the wishes; `None` for the baseline.
    pub fn draw(self) -> Option<(Pool, Wishes)> {
        let mut dice = Dice::new(0);
        match self {
            Self::Nothing => None,
            Self::Everything(players) => {
                let pool = pool_of(&Class::Uniform.ratings(players, &mut dice));
                Some((pool, all_wishes(players, &mut dice)))
            }
            Self::Web(players, count) => {
                let pool = pool_of(&Class::Typical.ratings(players, &mut dice));
                let apart = pairs(count, players, &mut dice);
                let wishes = Wishes {
                    apart,
                    ..Wishes::default()
                };
                Some((pool, wishes))
            }
            Self::Random(players, seed) => Some(random(players, seed)),
        }
    }
}
