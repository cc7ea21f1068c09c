//! The rounds that skills are fitted to.

/// No more rounds than these are fitted to, the last ones: they bound what a refit takes.
const LONGEST: usize = 20_000;
/// Newton steps of each skill in a refit, which begins where the last one ended.
const SWEEPS: usize = 2;
/// No step makes a skill more than so many times larger or smaller: skills stay above 0.
const FURTHEST: f64 = 2.0;

/// The Gamma distribution of skills: its density is proportional to x^(shape - 1) · e^(-rate · x).
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    shape: f64,
    rate: f64,
}

impl Prior {
    /// That with this mean and standard deviation, as near as a distribution with a mode comes to it.
    pub(super) fn new(mean: f64, deviation: f64) -> Self {
        let ratio = mean / deviation;
        // Up to a shape of 1 the likeliest skill is 0, which nobody could leave.
        let shape = (ratio * ratio).max(1.1);
        Self {
            shape,
            rate: shape / mean,
        }
    }

    /// The likeliest skill: that of a player of whom nothing is known.
    pub(super) fn mode(&self) -> f64 {
        (self.shape - 1.0) / self.rate
    }

    /// The derivative of the logarithm of the density.
    fn slope(&self, skill: f64) -> f64 {
        (self.shape - 1.0) / skill - self.rate
    }

    /// The second derivative, less than 0, with the other sign.
    fn curvature(&self, skill: f64) -> f64 {
        (self.shape - 1.0) / (skill * skill)
    }
}

/// A player's skill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    /// Above 0.
    pub(super) value: f64,
    /// The curvature of the likelihood of the rounds so far, with the other sign: the information in them.
    information: f64,
}

impl Skill {
    pub(super) fn new(prior: &Prior) -> Self {
        Self {
            value: prior.mode(),
            information: 0.0,
        }
    }

    /// Goes a Newton step uphill where the likelihood has this slope; answers how far.
    fn step(&mut self, slope: f64, curvature: f64) -> f64 {
        let before = self.value;
        let to = before + slope / curvature;
        self.value = to.clamp(before / FURTHEST, before * FURTHEST);
        self.value - before
    }
}

/// A round that is over.
#[derive(Clone, Debug)]
pub(super) struct Past {
    /// The participants' numbers, each with s_i t_i / Σ t_i.
    pub(super) parts: Vec<(usize, f64)>,
    /// b, as it was before the round.
    pub(super) intercept: f64,
    /// Team a's, 0 to 1.
    pub(super) score: f64,
}

impl Past {
    fn lead(&self, skills: &[Skill]) -> f64 {
        let parts = self.parts.iter();
        parts.fold(self.intercept, |sum, (player, part)| {
            sum + part * skills[*player].value
        })
    }

    /// Moves the skills of its players by this round, until the next refit.
    pub(super) fn learn(&self, skills: &mut [Skill], prior: &Prior) {
        let predicted = logistic(self.lead(skills));
        let miss = self.score - predicted;
        for (player, part) in &self.parts {
            let skill = &mut skills[*player];
            skill.information += part * part * predicted * (1.0 - predicted);
            let curvature = skill.information + prior.curvature(skill.value);
            skill.step(part * miss, curvature);
        }
    }
}

/// The last rounds.
#[derive(Debug, Default)]
pub(super) struct History(Vec<Past>);

impl History {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn push(&mut self, past: Past) {
        self.0.push(past);
    }

    /// Moves all skills towards the likeliest ones: one after another to the maximum of a parabola that fits
    /// the posterior where the others stand.
    pub(super) fn refit(&mut self, skills: &mut [Skill], prior: &Prior) {
        let more = self.0.len().saturating_sub(LONGEST);
        self.0.drain(..more);
        let mut leads: Vec<f64> = self.0.iter().map(|past| past.lead(skills)).collect();
        // Each player's rounds, one player after another.
        let mut starts = vec![0; skills.len() + 1];
        for (player, _) in self.0.iter().flat_map(|past| &past.parts) {
            starts[player + 1] += 1;
        }
        for player in 0..skills.len() {
            starts[player + 1] += starts[player];
        }
        let mut places = starts.clone();
        let mut played = vec![(0, 0.0); starts[skills.len()]];
        for (number, past) in self.0.iter().enumerate() {
            for (player, part) in &past.parts {
                played[places[*player]] = (number, *part);
                places[*player] += 1;
            }
        }
        for _ in 0..SWEEPS {
            for (skill, ends) in skills.iter_mut().zip(starts.windows(2)) {
                let rounds = &played[ends[0]..ends[1]];
                let (mut slope, mut information) = (0.0, 0.0);
                for (number, part) in rounds {
                    let predicted = logistic(leads[*number]);
                    slope += part * (self.0[*number].score - predicted);
                    information += part * part * predicted * (1.0 - predicted);
                }
                skill.information = information;
                let moved = skill.step(
                    slope + prior.slope(skill.value),
                    information + prior.curvature(skill.value),
                );
                for (number, part) in rounds {
                    leads[*number] += part * moved;
                }
            }
        }
    }
}

/// The logistic function, without an overflow on either side.
pub(super) fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + libm::exp(-log_odds))
    } else {
        let odds = libm::exp(log_odds);
        odds / (1.0 + odds)
    }
}
