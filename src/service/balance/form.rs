//! Forms of a match in requests: two teams, or any number of teams.

use super::Subject;
use super::evaluate::in_order;
use crate::api::{
    AdvantageAnswer, BalanceAnswer, FillAnswer, LobbyPlayer, MoveAnswer, OtherPlacementAnswer,
    OtherTeamSeatsAnswer, PlaceAnswer, PlacedAnswer, PlacedInTeamAnswer, TeamFillAnswer,
    TeamMoveAnswer, TeamTalliesAnswer, TeamTallyAnswer, TeamsAnswer,
};
use crate::balance::{
    Advantage, Fill, Match, MissingWeight, Move, OtherPlacement, Pick, Placed, PlacedInTeam,
    Placement, Player, Policy, Tally, TeamFill, TeamMatch, TeamMove, TeamSeats, TeamTallies,
    Verdict, balance, balance_teams, place, place_in_teams,
};
use crate::domain::{PlayerId, Side, TeamLetter};
use crate::service::convert::convert;
use crate::service::interventions::record::{player_move, team_sums};
use crate::service::phrases;

pub(super) type VerdictOf<F> = Verdict<<F as Form>::Moved, <F as Form>::Teams, <F as Form>::Filled>;
pub(super) type PlacementOf<F> =
    Placement<<F as Form>::Seat, <F as Form>::Other, <F as Form>::Teams, <F as Form>::Filled>;
pub(super) type BalanceAnswerOf<F> = BalanceAnswer<
    <F as Form>::SeatAnswer,
    <F as Form>::MoveAnswer,
    <F as Form>::TeamsAnswer,
    Option<<F as Form>::FillAnswer>,
>;
pub(super) type PlaceAnswerOf<F> = PlaceAnswer<
    <F as Form>::SeatAnswer,
    <F as Form>::OtherAnswer,
    <F as Form>::TeamsAnswer,
    Option<<F as Form>::FillAnswer>,
>;

/// Form of a match: two teams, or any number of teams. Judges the match and converts the results into answers.
pub(super) trait Form: Sized + Send + 'static {
    type Seat: Copy + Send + 'static;
    type Other: Send + 'static;
    type Moved: Send + 'static;
    type Teams: Send + 'static;
    type Filled: Send + 'static;
    type SeatAnswer;
    type OtherAnswer;
    type MoveAnswer;
    type TeamsAnswer;
    type FillAnswer;

    fn pick(&mut self) -> &mut Option<Pick>;

    fn place(
        &self,
        joining: &[Player],
        policy: &Policy,
        theta: f64,
    ) -> Result<PlacementOf<Self>, MissingWeight>;

    fn join(&mut self, player: Player, seat: Self::Seat);

    fn balance(&self, policy: &Policy, theta: f64) -> Result<VerdictOf<Self>, MissingWeight>;

    /// Returns the balance verdict if the match has two teams. Only matches of two teams are recorded as interventions.
    fn of_two(verdict: &VerdictOf<Self>) -> Option<&Verdict>;

    fn id(seat: &Self::Seat) -> PlayerId;

    /// Returns the player of a recommended move, and the destination team.
    fn goal(moved: &Self::Moved) -> (PlayerId, TeamLetter);

    fn seat(seat: &Self::Seat, theta: f64) -> Self::SeatAnswer;

    fn other(other: &Self::Other, joining: &[LobbyPlayer], theta: f64) -> Self::OtherAnswer;

    fn moves(moves: &[Self::Moved], theta: f64) -> Vec<Self::MoveAnswer>;

    fn teams(teams: &Self::Teams, theta: f64) -> Self::TeamsAnswer;

    fn fill(fill: &Self::Filled) -> Self::FillAnswer;

    /// Describes the balance of a match, and the teams of newly placed players, in a sentence.
    fn message(placed: &[Self::Seat], verdict: &VerdictOf<Self>, subject: &Subject<'_>) -> String;

    fn placement_message(placement: &PlacementOf<Self>, subject: &Subject<'_>) -> String;
}

impl Form for Match {
    type Seat = Placed;
    type Other = OtherPlacement;
    type Moved = Move;
    type Teams = Tally;
    type Filled = Fill;
    type SeatAnswer = PlacedAnswer;
    type OtherAnswer = OtherPlacementAnswer;
    type MoveAnswer = MoveAnswer;
    type TeamsAnswer = TeamsAnswer;
    type FillAnswer = FillAnswer;

    fn pick(&mut self) -> &mut Option<Pick> {
        &mut self.pick
    }

    fn place(
        &self,
        joining: &[Player],
        policy: &Policy,
        theta: f64,
    ) -> Result<Placement, MissingWeight> {
        place(self, joining, policy, theta)
    }

    fn join(&mut self, player: Player, seat: Placed) {
        match seat.team {
            Side::A => self.team_a.push(player),
            Side::B => self.team_b.push(player),
        }
    }

    fn balance(&self, policy: &Policy, theta: f64) -> Result<Verdict, MissingWeight> {
        balance(self, policy, theta)
    }

    fn of_two(verdict: &Verdict) -> Option<&Verdict> {
        Some(verdict)
    }

    fn id(seat: &Placed) -> PlayerId {
        seat.id
    }

    fn goal(moved: &Move) -> (PlayerId, TeamLetter) {
        (moved.id, TeamLetter::at(moved.from.other() as usize))
    }

    fn seat(seat: &Placed, theta: f64) -> PlacedAnswer {
        PlacedAnswer {
            id: seat.id,
            team: seat.team,
            alone: Self::teams(&seat.alone, theta),
        }
    }

    fn other(other: &OtherPlacement, _: &[LobbyPlayer], theta: f64) -> OtherPlacementAnswer {
        OtherPlacementAnswer {
            team_a: other.team_a.clone(),
            team_b: other.team_b.clone(),
            after: Self::teams(&other.after, theta),
        }
    }

    fn moves(moves: &[Move], theta: f64) -> Vec<MoveAnswer> {
        moves
            .iter()
            .map(|one| MoveAnswer {
                player: player_move(one).into(),
                alone: Self::teams(&one.alone, theta),
            })
            .collect()
    }

    fn teams(tally: &Tally, theta: f64) -> TeamsAnswer {
        TeamsAnswer {
            sums: team_sums(tally, theta).into(),
            difference: tally.lead().abs().points(),
            rating_a: tally.a.rating,
            rating_b: tally.b.rating,
        }
    }

    fn fill(fill: &Fill) -> FillAnswer {
        FillAnswer {
            bots_a: fill.bots_a,
            bots_b: fill.bots_b,
            bot_weight: fill.bot_weight.points(),
            advantage: fill.advantage.map(Into::into),
        }
    }

    fn message(placed: &[Placed], verdict: &Verdict, subject: &Subject<'_>) -> String {
        let (policy, theta) = (subject.policy, subject.theta());
        phrases::balance::placed_verdict(placed, verdict, subject.policy_name, policy, theta)
    }

    fn placement_message(placement: &Placement, subject: &Subject<'_>) -> String {
        phrases::balance::placement(placement, subject.policy, subject.theta())
    }
}

impl Form for TeamMatch {
    type Seat = PlacedInTeam;
    type Other = TeamSeats;
    type Moved = TeamMove;
    type Teams = TeamTallies;
    type Filled = TeamFill;
    type SeatAnswer = PlacedInTeamAnswer;
    type OtherAnswer = OtherTeamSeatsAnswer;
    type MoveAnswer = TeamMoveAnswer;
    type TeamsAnswer = TeamTalliesAnswer;
    type FillAnswer = TeamFillAnswer;

    fn pick(&mut self) -> &mut Option<Pick> {
        &mut self.pick
    }

    fn place(
        &self,
        joining: &[Player],
        policy: &Policy,
        theta: f64,
    ) -> Result<PlacementOf<Self>, MissingWeight> {
        place_in_teams(self, joining, policy, theta)
    }

    fn join(&mut self, player: Player, seat: PlacedInTeam) {
        self.teams[seat.team].push(player);
    }

    fn balance(&self, policy: &Policy, theta: f64) -> Result<VerdictOf<Self>, MissingWeight> {
        balance_teams(self, policy, theta)
    }

    fn of_two(_: &VerdictOf<Self>) -> Option<&Verdict> {
        None
    }

    fn id(seat: &PlacedInTeam) -> PlayerId {
        seat.id
    }

    fn goal(moved: &TeamMove) -> (PlayerId, TeamLetter) {
        (moved.id, TeamLetter::at(moved.to))
    }

    fn seat(seat: &PlacedInTeam, _: f64) -> PlacedInTeamAnswer {
        PlacedInTeamAnswer {
            id: seat.id,
            team: TeamLetter::at(seat.team),
        }
    }

    fn other(other: &TeamSeats, joining: &[LobbyPlayer], theta: f64) -> OtherTeamSeatsAnswer {
        OtherTeamSeatsAnswer {
            placed: in_order::<Self>(joining, &other.placed)
                .iter()
                .map(|seat| Self::seat(seat, theta))
                .collect(),
            after: Self::teams(&other.after, theta),
        }
    }

    fn moves(moves: &[TeamMove], _: f64) -> Vec<TeamMoveAnswer> {
        moves
            .iter()
            .map(|one| TeamMoveAnswer {
                id: one.id,
                from: TeamLetter::at(one.from),
                to: TeamLetter::at(one.to),
            })
            .collect()
    }

    fn teams(tallies: &TeamTallies, theta: f64) -> TeamTalliesAnswer {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        TeamTalliesAnswer {
            teams: tallies
                .0
                .iter()
                .enumerate()
                .map(|(place, team)| TeamTallyAnswer {
                    team: TeamLetter::at(place),
                    size: count(team.size),
                    bots: count(team.bots),
                    sum: team.power.points(),
                    rating: team.rating,
                })
                .collect(),
            gap: tallies.gap().points(),
            favourite: tallies.favourite(theta),
        }
    }

    fn fill(fill: &TeamFill) -> TeamFillAnswer {
        TeamFillAnswer {
            bots: fill.bots.clone(),
            bot_weight: fill.bot_weight.points(),
        }
    }

    fn message(placed: &[PlacedInTeam], verdict: &VerdictOf<Self>, _: &Subject<'_>) -> String {
        phrases::teams::verdict(verdict, placed)
    }

    fn placement_message(placement: &PlacementOf<Self>, _: &Subject<'_>) -> String {
        phrases::teams::placement(placement)
    }
}

convert! {
    Advantage => AdvantageAnswer { team, factor }
}
