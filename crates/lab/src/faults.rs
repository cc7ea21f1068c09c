//! Power and false alarms of the search for faults, in simulated pools.

use std::io;
use std::io::Write as _;
use std::num::NonZeroU64;

use clap::Args;
use rbs::domain::{
    PlayerEntry, PlayerId, Report, Round, RoundParts, Score, Side, Timestamp, Winner,
};
use rbs::rating::{
    DepartureKind, Habit, InMemoryPool, ModelName, Parameters, People, Scope, WatchedPlayer,
    WatchedRound, departures, theta_for_team_size,
};

use crate::simulation::Dice;

/// Number of regulars, and of players per team.
const PLAYERS: usize = 60;
const TEAM: usize = 6;
/// Rounds between two searches.
const STEP: usize = 50;
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;

/// Arguments of `rbs-lab faults`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each pool has 2,000 rounds of 6 v 6 on three servers and four maps, by 60 players whose skills spread by 250 points, rated by
SynElo; half of the teams are even, half are random. `named` is the share of pools in which the search named the fault, `rounds`
the number of affected rounds until then (median), and `other places` and `other players` the shares of pools with any
other name.")]
pub(crate) struct Faults {
    /// Number of pools for each fault
    #[arg(long, default_value = "200")]
    seeds: NonZeroU64,
    /// Number of rounds of each pool
    #[arg(long, default_value = "2000")]
    rounds: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    MapLeans,
    Opposed,
    Swapped,
    SwappedThirty,
    SwappedTen,
    SwappedThirtyWithoutScoreboards,
    Friends,
    Leaver,
    Smurf,
}

impl Fault {
    const ALL: [(Self, &'static str); 10] = [
        (Self::None, "none"),
        (
            Self::MapLeans,
            "a map worth 16 points of probability to team a",
        ),
        (
            Self::Opposed,
            "that map, and one server with its teams swapped",
        ),
        (Self::Swapped, "a server reports all winners wrong"),
        (
            Self::SwappedThirty,
            "a server reports 30 % of its winners wrong",
        ),
        (
            Self::SwappedTen,
            "a server reports 10 % of its winners wrong",
        ),
        (
            Self::SwappedThirtyWithoutScoreboards,
            "30 % wrong, without scoreboards",
        ),
        (Self::Friends, "three friends who always share a team"),
        (Self::Leaver, "a player who leaves rounds that are lost"),
        (
            Self::Smurf,
            "a player 700 points above the mean who joins in the middle",
        ),
    ];
}

/// Result of the searches in one pool.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// Number of affected rounds until the fault was named.
    after: Option<usize>,
    /// `true` if a map or server without a fault is named.
    place: bool,
    /// `true` if a player without a habit is named.
    player: bool,
}

impl Faults {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = io::stdout();
        writeln!(
            out,
            "| fault | named | rounds | other places | other players |\n| --- | --- | --- | --- | --- |"
        )?;
        for (fault, name) in Fault::ALL {
            let mut found = Vec::new();
            for seed in 0..self.seeds.get() {
                found.push(play(fault, seed, self.rounds)?);
            }
            let share = |count: usize| format!("{:.1} %", 100.0 * ratio(count, found.len()));
            let mut after: Vec<usize> = found.iter().filter_map(|one| one.after).collect();
            after.sort_unstable();
            let median = after.get(after.len() / 2);
            let median = median.map_or("-".to_owned(), usize::to_string);
            let named = if fault == Fault::None {
                "-".to_owned()
            } else {
                share(after.len())
            };
            let places = share(found.iter().filter(|one| one.place).count());
            let players = share(found.iter().filter(|one| one.player).count());
            writeln!(
                out,
                "| {name} | {named} | {median} | {places} | {players} |"
            )?;
        }
        Ok(())
    }
}

struct Pool {
    fault: Fault,
    /// Number of rounds to play.
    length: usize,
    dice: Dice,
    skills: Vec<f64>,
    rated: InMemoryPool,
    parameters: Parameters,
    played: Vec<u32>,
}

fn play(fault: Fault, seed: u64, length: usize) -> anyhow::Result<Found> {
    let mut dice = Dice::new(seed);
    let mut skills: Vec<f64> = (0..PLAYERS).map(|_| 250.0 * dice.normal()).collect();
    if fault == Fault::Smurf {
        skills[0] = 700.0;
    }
    let parameters = Parameters {
        theta: theta_for_team_size(u32::try_from(TEAM)?),
        ..Parameters::default()
    };
    let mut pool = Pool {
        fault,
        length,
        dice,
        skills,
        rated: InMemoryPool::new(ModelName::SynElo, &parameters),
        parameters,
        played: vec![0; PLAYERS],
    };
    let mut people = People::default();
    let (mut rounds, mut affected, mut found) = (Vec::new(), 0, Found::default());
    for number in 0..length {
        let (round, is_affected) = pool.round(number)?;
        people.add(&round);
        rounds.push(round);
        affected += usize::from(is_affected);
        if (number + 1).is_multiple_of(STEP) {
            let (right, place, player) = search(fault, &rounds, &people);
            found.place |= place;
            found.player |= player;
            if right && found.after.is_none() {
                found.after = Some(affected);
            }
        }
    }
    Ok(found)
}

/// Returns whether the fault is named, and whether another place and another player are.
fn search(fault: Fault, rounds: &[WatchedRound], people: &People) -> (bool, bool, bool) {
    let of_departure = |place: &Scope, kind: DepartureKind| match fault {
        Fault::MapLeans => kind == DepartureKind::Side && has(place, Some("map-0"), None),
        Fault::Opposed => {
            kind == DepartureKind::Side
                && matches!(place, Scope::Map(map) | Scope::MapOnServer(map, _) if map.as_str() == "map-0")
        }
        Fault::Swapped
        | Fault::SwappedThirty
        | Fault::SwappedTen
        | Fault::SwappedThirtyWithoutScoreboards => {
            kind != DepartureKind::Side && has(place, None, Some("server-0"))
        }
        _ => false,
    };
    let of_habit = |habit: Habit, players: &[PlayerId]| match fault {
        Fault::Friends => {
            habit == Habit::ShareTeam && players.iter().all(|player| number_of(*player) < 3)
        }
        Fault::Leaver => {
            habit == Habit::LeaveWhenLosing && players.iter().all(|player| number_of(*player) == 0)
        }
        Fault::Smurf => {
            habit == Habit::AboveRating && players.iter().all(|player| number_of(*player) == 0)
        }
        _ => false,
    };
    let habits = people.named();
    let places: Vec<bool> = departures(rounds)
        .iter()
        .map(|one| of_departure(&one.place, one.kind))
        .collect();
    let players: Vec<bool> = habits
        .iter()
        .map(|one| of_habit(one.habit, &one.players))
        .collect();
    (
        places.contains(&true) || players.contains(&true),
        places.contains(&false),
        players.contains(&false),
    )
}

fn has(place: &Scope, map: Option<&str>, server: Option<&str>) -> bool {
    match place {
        Scope::Everywhere => false,
        Scope::Server(found) => map.is_none() && server == Some(found.as_str()),
        Scope::Map(found) => server.is_none() && map == Some(found.as_str()),
        Scope::MapOnServer(found_map, found) => {
            server.is_none_or(|server| server == found.as_str())
                && map.is_none_or(|map| map == found_map.as_str())
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of pools and players")]
fn ratio(part: usize, of: usize) -> f64 {
    part as f64 / of as f64
}

fn number_of(player: PlayerId) -> u64 {
    player.steam_id64() - FIRST_ACCOUNT
}

impl Pool {
    /// Plays the next round. Also returns `true` if the fault affects it.
    fn round(&mut self, number: usize) -> anyhow::Result<(WatchedRound, bool)> {
        let (map, server) = (self.dice.below(4), self.dice.below(3));
        let teams = self.teams(number)?;
        let strength = |team: &[usize]| team.iter().map(|player| self.skills[*player]).sum::<f64>();
        let lead = strength(&teams.0) - strength(&teams.1);
        let mut chance = 1.0 / (1.0 + (-lead / self.parameters.theta).exp());
        let leans = matches!(self.fault, Fault::MapLeans | Fault::Opposed) && map == 0;
        if leans {
            let is_swapped = self.fault == Fault::Opposed && server == 0;
            chance += if is_swapped { -0.16 } else { 0.16 };
        }
        let a_won = self.dice.unit() < chance;
        let share = match self.fault {
            Fault::Swapped => 1.0,
            Fault::SwappedThirty | Fault::SwappedThirtyWithoutScoreboards => 0.3,
            Fault::SwappedTen => 0.1,
            _ => 0.0,
        };
        let is_wrong = server == 0 && self.dice.unit() < share;
        let reported_a = a_won != is_wrong;
        let has_scoreboards = self.fault != Fault::SwappedThirtyWithoutScoreboards;
        let leader_won = a_won == (self.dice.unit() < 0.93);
        let score = |won: bool| if won { Score::WIN } else { Score::LOSS };
        let round = made(number, server, map, &teams, reported_a)?;
        let everybody: Vec<(usize, Side)> = teams
            .0
            .iter()
            .map(|player| (*player, Side::A))
            .chain(teams.1.iter().map(|player| (*player, Side::B)))
            .collect();
        let points: Vec<f64> = everybody
            .iter()
            .map(|(player, _)| self.skills[*player] + 250.0 * self.dice.normal())
            .collect();
        let mut players = Vec::with_capacity(everybody.len());
        for ((player, side), own) in everybody.iter().zip(&points) {
            let lost = (*side == Side::A) != a_won;
            let leaves = self.fault == Fault::Leaver && *player == 0 && lost;
            let left = leaves || self.dice.unit() < 0.05;
            let id = id(*player)?;
            let lower = points.iter().filter(|points| *points < own).count();
            players.push(WatchedPlayer {
                id,
                side: *side,
                at_start: true,
                presence: Some(if left { 0.5 } else { 1.0 }),
                standing: has_scoreboards.then(|| ratio(lower, points.len() - 1)),
                rounds: self.played[*player],
            });
            self.played[*player] += 1;
        }
        let predicted = self.rated.rate(&round)?;
        let affected = match self.fault {
            Fault::None => false,
            Fault::MapLeans | Fault::Opposed => map == 0,
            Fault::Friends => everybody.iter().any(|(player, _)| *player == 0),
            Fault::Leaver | Fault::Smurf => everybody.iter().any(|(player, _)| *player == 0),
            _ => server == 0,
        };
        let watched = WatchedRound {
            map: round.parts().map.clone(),
            server: round.parts().server.clone(),
            predicted,
            score: score(reported_a),
            scoreboard: has_scoreboards.then(|| score(leader_won)),
            leading_share: None,
            seconds: Some(600),
            is_scrambled: None,
            players,
        };
        Ok((watched, affected))
    }

    /// Draws the players of a round. Every second round is the most even of thirty random splits, by the ratings.
    fn teams(&mut self, number: usize) -> anyhow::Result<(Vec<usize>, Vec<usize>)> {
        let mut lobby: Vec<usize> = (0..PLAYERS).collect();
        self.dice.shuffle(&mut lobby);
        if self.fault == Fault::Smurf && number < self.length / 2 {
            lobby.retain(|player| *player > 0);
        }
        let friends = self.fault == Fault::Friends;
        if friends {
            lobby.retain(|player| *player > 2);
        }
        lobby.truncate(2 * TEAM);
        let with_friends = friends && self.dice.unit() < 0.5;
        let mut best: Option<(f64, Vec<usize>)> = None;
        for _ in 0..if number.is_multiple_of(2) { 30 } else { 1 } {
            self.dice.shuffle(&mut lobby);
            let mut seats = lobby.clone();
            if with_friends {
                seats.splice(0..3, [0, 1, 2]);
            }
            let points = |player: &usize| -> anyhow::Result<f64> {
                Ok(f64::from(self.rated.rating(id(*player)?)?.points()))
            };
            let mut lead = 0.0;
            for (seat, player) in seats.iter().enumerate() {
                lead += if seat < TEAM {
                    points(player)?
                } else {
                    -points(player)?
                };
            }
            if best.as_ref().is_none_or(|(least, _)| lead.abs() < *least) {
                best = Some((lead.abs(), seats));
            }
        }
        let mut seats = best.map(|(_, seats)| seats).unwrap_or_default();
        let others = seats.split_off(TEAM);
        Ok(if self.dice.unit() < 0.5 {
            (seats, others)
        } else {
            (others, seats)
        })
    }
}

fn id(player: usize) -> anyhow::Result<PlayerId> {
    Ok(PlayerId::from_steam_id64(FIRST_ACCOUNT + player as u64)?)
}

fn made(
    number: usize,
    server: usize,
    map: usize,
    (a, b): &(Vec<usize>, Vec<usize>),
    a_won: bool,
) -> anyhow::Result<Round> {
    let team = |players: &[usize]| -> anyhow::Result<Vec<PlayerEntry>> {
        players
            .iter()
            .map(|player| Ok(PlayerEntry::present(id(*player)?)))
            .collect()
    };
    let parts = RoundParts {
        round_id: number.to_string().parse()?,
        server: format!("server-{server}").parse()?,
        map: Some(format!("map-{map}").parse()?),
        mode: None,
        mutators: rbs::domain::Mutators::default(),
        ended_at: None,
        pool: None,
        round_seconds: Some(600),
        winner: if a_won { Winner::A } else { Winner::B },
        bots: rbs::domain::TeamBots::default(),
        team_a: team(a)?,
        team_b: team(b)?,
    };
    let report = Report::try_from(parts).map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
    let ended_at = Timestamp::from_unix_seconds(1_763_640_000 + 600 * i64::try_from(number)?)?;
    Ok(report.settled(ended_at, rbs::domain::PoolName::default()))
}
