//! Evidence that one map favours team a on some servers and team b on others.

use super::WatchedRound;
use super::evidence::{FORGIVEN, MAX, MIN_ROUNDS, NAMED};
use crate::domain::ServerName;

/// Assumed change of a team's win probability by a server; 0.15 is 15 percentage points.
const LEAN: f64 = 0.15;
/// Evidence that a map favours different teams on different servers, in nats, below which the sums of all servers
/// restart at 0.
const RESTART: f64 = -3.0;

/// Evidence that one map favours team a on some servers and team b on others. The evidence is the logarithm of a
/// likelihood ratio in which both directions are equally likely for every server, so that opposite directions add up.
#[derive(Default)]
pub(super) struct Opposed {
    /// Number of the pool's rounds before the first round in the sums of evidence.
    begin: usize,
    rounds: u64,
    /// Evidence in nats, by server, that team a wins more rounds of the map than predicted, and that team b does.
    servers: Vec<(ServerName, [f64; 2])>,
    is_named: bool,
}

impl Opposed {
    /// Adds a round of this map to the evidence. `index` is the number of the pool's earlier rounds.
    pub(super) fn add(&mut self, index: usize, round: &WatchedRound) {
        if self.rounds == 0 {
            self.begin = index;
        }
        self.rounds += 1;
        let known = self
            .servers
            .iter()
            .position(|(name, _)| *name == round.server);
        let at = known.unwrap_or_else(|| {
            self.servers.push((round.server.clone(), [0.0; 2]));
            self.servers.len() - 1
        });
        let miss = round.score.value() - round.predicted.get();
        for (sum, lean) in self.servers[at].1.iter_mut().zip([LEAN, -LEAN]) {
            *sum = (*sum + libm::log1p(4.0 * lean * miss)).clamp(-MAX, MAX);
        }
        let evidence = self.evidence();
        if evidence < RESTART {
            *self = Self::default();
        } else if evidence >= NAMED && self.rounds >= MIN_ROUNDS && self.servers.len() > 1 {
            self.is_named = true;
        } else if evidence < FORGIVEN {
            self.is_named = false;
        }
    }

    fn evidence(&self) -> f64 {
        let mixed = |[one, other]: [f64; 2]| {
            one.max(other) + libm::log1p(libm::exp(-(one - other).abs())) - std::f64::consts::LN_2
        };
        self.servers.iter().map(|(_, sums)| mixed(*sums)).sum()
    }

    /// Returns the server whose results favour one team most clearly, the evidence of all servers in nats, and the
    /// number of the pool's rounds before the evidence began. Returns `None` while the evidence is too small for a
    /// report.
    pub(super) fn named(&self) -> Option<(&ServerName, f64, usize)> {
        let clearest = |[one, other]: [f64; 2]| one.max(other);
        let servers = self.servers.iter();
        let (server, _) = servers.max_by(|(_, a), (_, b)| clearest(*a).total_cmp(&clearest(*b)))?;
        self.is_named.then(|| (server, self.evidence(), self.begin))
    }
}
