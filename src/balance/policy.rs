use super::{Eligibility, PartyMultipliers, Power, Trigger, Weigh};

/// What is done about unbalanced teams, in four parts and how soon.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What a player weighs.
    pub weigh: Weigh,
    /// By how much more those in a party weigh.
    pub party_multipliers: PartyMultipliers,
    /// When teams are unbalanced.
    pub trigger: Trigger,
    /// Who may be moved.
    pub eligible: Eligibility,
    /// What kind of move there is.
    pub act: Act,
    /// The share of all players that one team may get by placing, in ten-thousandths, though never
    /// less than half of them, rounded up.
    pub largest_team_share: u32,
    /// Within how many seconds the moves should be made.
    pub apply_within_seconds: u32,
    /// Whether a player is moved at the next death.
    pub apply_on_death: bool,
}

/// What kind of moves there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Players change from the larger or stronger team to the other.
    Transfer,
    /// As many as the sizes ask for change to the smaller team; then pairs of players change places.
    Swap,
    /// Nobody moves; bots fill up.
    Fill(Filling),
}

/// How bots fill up teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The players and bots that there should be, kept within what the map is made for.
    pub least_players: usize,
    /// What a bot weighs where the match does not tell.
    pub bot_weight: Power,
}
