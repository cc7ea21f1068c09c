//! The game's queue of arena (`tf_arena_use_queue`): who waits for a place, and who plays the next round.
//!
//! Follows the functions of `CTFGameRules` (tf_gamerules.cpp) whose names begin with `Arena_`. The limit of
//! `tf_arena_max_streak` is left out.

use super::{Client, Mode, RoundState, SLOTS, Team};
use crate::machine::Fault;
use crate::sourcemod::Plugin;

/// A client in the queue with the values by which the game sorts the losers of a round.
struct Loser {
    index: i32,
    team_since: f64,
    since: f64,
}

impl Plugin {
    /// Value of a convar of the game as a number; 0 if the bed does not have the convar.
    pub(crate) fn game_number(&self, convar: &str) -> i64 {
        let value = self.host.convars.get(convar).map(|convar| &convar.value);
        value
            .and_then(|value| value.trim().parse().ok())
            .unwrap_or(0)
    }

    pub(crate) fn is_arena(&self) -> bool {
        self.host.game.map.mode == Mode::Arena
    }

    pub(crate) fn uses_arena_queue(&self) -> bool {
        self.is_arena() && self.game_number("tf_arena_use_queue") != 0
    }

    /// Follows `CTFGameRules::AddPlayerToQueue`: arena spectators by choice are not queued.
    pub(crate) fn add_to_queue(&mut self, index: i32) {
        let game = &mut self.host.game;
        let by_choice = game.client(index).is_none_or(Client::is_arena_spectator);
        if !by_choice && !game.arena_queue.contains(&index) {
            game.arena_queue.push(index);
        }
    }

    /// Puts a client at the head of arena's queue, as `CTFGameRules::AddPlayerToQueueHead` does.
    pub(crate) fn add_to_queue_head(&mut self, index: i32) {
        let queue = &mut self.host.game.arena_queue;
        if !queue.contains(&index) {
            queue.insert(0, index);
        }
    }

    /// Takes a client out of arena's queue, as `CTFGameRules::RemovePlayerFromQueue` does.
    pub fn remove_from_queue(&mut self, index: i32) {
        self.host.game.arena_queue.retain(|queued| *queued != index);
    }

    /// Follows `CTFGameRules::BHavePlayers` and `CTeamplayRoundBasedRules::BHavePlayers`.
    pub fn have_players(&self) -> bool {
        let game = &self.host.game;
        let is_empty = |team| game.on_team(team).next().is_none();
        if self.is_arena() {
            if game.arena_queue.len() >= 2 {
                return true;
            }
            if is_empty(Team::Red) || is_empty(Team::Blue) {
                return false;
            }
        }
        game.clients().any(|(_, client)| client.is_ready_to_play())
    }

    /// Chooses the players of the next round, before they spawn. Returns `false` if there are too few, so that the game
    /// goes back to the state before its first round. Follows `CTFGameRules::Arena_RunTeamLogic`.
    pub fn run_arena_team_logic(&mut self) -> Result<bool, Fault> {
        if !self.is_arena() || self.host.game.waits_for_players {
            return Ok(true);
        }
        let too_few = !self.have_players();
        if !self.uses_arena_queue() {
            let game = &self.host.game;
            let is_empty = |team| game.on_team(team).next().is_none();
            return Ok(!(too_few || is_empty(Team::Red) || is_empty(Team::Blue)));
        }
        self.queue_the_losers(too_few)?;
        if too_few {
            return Ok(false);
        }
        let needed = self.arena_players_needed()?;
        if self.arena_lead().is_some() && needed > 0 {
            self.fill_the_teams(needed)?;
        }
        self.clean_up_the_queue();
        Ok(true)
    }

    /// Sends the losers, or everybody, to the queue. Follows `CTFGameRules::Arena_PrepareNewPlayerQueue`.
    fn queue_the_losers(&mut self, everybody: bool) -> Result<(), Fault> {
        let game = &self.host.game;
        let winner = game.winning_team;
        let lost = game.clients().filter(|(_, client)| {
            everybody || winner.plays() && client.team != winner && client.is_ready_to_play()
        });
        let ready = lost.filter(|(_, client)| client.is_ready_to_play() && !client.is_tv);
        let mut losers: Vec<Loser> = ready
            .map(|(index, client)| Loser {
                index,
                team_since: client.team_since,
                since: client.since,
            })
            .collect();
        if everybody {
            // `ScramblePlayersSort`: the highest score first.
            let score = |loser: &Loser| game.client(loser.index).map_or(0, |it| it.shown_score);
            losers.sort_by_key(|loser| std::cmp::Reverse(score(loser)));
        } else {
            // `SortPlayerSpectatorQueue`: the latest arrival on a team first, then the earliest connection.
            losers.sort_by(|first, second| {
                let by_team = second.team_since.total_cmp(&first.team_since);
                by_team.then(first.since.total_cmp(&second.since))
            });
        }
        for loser in losers {
            self.change_team(loser.index, Team::Spectator)?;
            self.set_just_played(loser.index, true);
        }
        Ok(())
    }

    /// Number of places to fill from the queue. Winners beyond the size of a team go to the head of the queue. Follows
    /// `CTFGameRules::Arena_PlayersNeededForMatch`, which counts a queued player on a team twice.
    fn arena_players_needed(&mut self) -> Result<usize, Fault> {
        let limit = match self.game_number("tf_arena_override_team_size") {
            0 => (f64::from(SLOTS) / 3.0).round(),
            size => f64::from(i32::try_from(size).unwrap_or(SLOTS)),
        };
        #[expect(clippy::cast_possible_truncation, reason = "a few players")]
        #[expect(clippy::cast_sign_loss, reason = "a size")]
        let limit = limit as usize;
        let game = &self.host.game;
        let playing = game.clients().filter(|(_, it)| it.is_ready_to_play());
        let playing = playing.count();
        let even = usize::midpoint(game.arena_queue.len(), playing);
        let mut needed = (2 * even).min(2 * limit).saturating_sub(playing);
        let winner = game.winning_team;
        let winners = game.on_team(winner).count();
        let size = if winners > limit { limit } else { even };
        while winner.plays() && self.host.game.on_team(winner).count() > size {
            let newest = self.host.game.on_team(winner);
            // Of equal times, the first slot.
            let newest = newest.min_by(|(_, a), (_, b)| b.team_since.total_cmp(&a.team_since));
            let Some(newest) = newest.map(|(index, _)| index) else {
                break;
            };
            self.force_change_team(newest, Team::Spectator)?;
            self.mark_team_join_time(newest);
            if needed < size {
                needed += 1;
            }
            let to = winner.other() as i32;
            let values = [("player", newest.into()), ("team", to.into())];
            self.fire("teamplay_teambalanced_player", &values)?;
        }
        Ok(needed)
    }

    /// Moves the head of the queue to the teams. They stay queued until the queue is cleaned up. Follows the second
    /// half of `CTFGameRules::Arena_RunTeamLogic`.
    fn fill_the_teams(&mut self, needed: usize) -> Result<(), Fault> {
        let next: Vec<i32> = self.host.game.arena_queue.clone();
        let needed = needed.min(next.len());
        let winner = self.host.game.winning_team;
        let winners = self.host.game.on_team(winner).count();
        // Places that the winners' team gets before the others are filled.
        let to_winners = usize::midpoint(winners, needed).saturating_sub(winners);
        for (place, index) in next.into_iter().take(needed).enumerate() {
            let team = if winner.plays() && place < to_winners {
                winner
            } else {
                self.auto_team()
            };
            self.give_place(index, team)?;
        }
        Ok(())
    }

    /// Takes players on a team out of the queue. Follows `CTFGameRules::Arena_CleanupPlayerQueue`.
    fn clean_up_the_queue(&mut self) {
        let game = &mut self.host.game;
        let clients = &game.clients;
        game.arena_queue.retain(|index| {
            let client = clients.get(index);
            client.is_none_or(|client| client.team == Team::Spectator)
        });
        for client in game.clients.values_mut() {
            client.just_played = false;
        }
    }

    /// A player left before the doors opened: the head of the queue fills the smaller team. The game looks before the
    /// leaver's team loses a player. Its queue shrinks while it is read, so that every other client in it gets a place,
    /// and it reads beyond the end of a short queue. Follows `CTFGameRules::Arena_ClientDisconnect`.
    pub fn fill_after_leaving(&mut self) -> Result<(), Fault> {
        let game = &self.host.game;
        let fills = self.is_arena() && !game.waits_for_players;
        if !fills || game.state != RoundState::Preround || game.arena_queue.is_empty() {
            return Ok(());
        }
        let places = self.arena_lead().unwrap_or(0);
        let queue = game.arena_queue.iter().step_by(2).copied();
        let next: Vec<i32> = queue.take(places).collect();
        assert_eq!(
            next.len(),
            places,
            "the game reads beyond the end of its arena queue"
        );
        for index in next {
            self.give_place(index, self.auto_team())?;
            self.remove_from_queue(index);
            self.set_just_played(index, false);
        }
        Ok(())
    }

    /// A client from the queue gets a place on a team.
    fn give_place(&mut self, index: i32, team: Team) -> Result<(), Fault> {
        self.force_change_team(index, team)?;
        if !self.did_just_play(index) {
            self.mark_team_join_time(index);
        }
        Ok(())
    }

    /// Difference of the team sizes if the game fills the teams; 0 if both are empty. Follows
    /// `CTeamplayRoundBasedRules::AreTeamsUnbalanced` for arena with the queue.
    fn arena_lead(&self) -> Option<usize> {
        let size = |team| self.host.game.on_team(team).count();
        let (red, blue) = (size(Team::Red), size(Team::Blue));
        (self.uses_arena_queue() && (red != blue || red == 0)).then(|| red.abs_diff(blue))
    }

    fn did_just_play(&self, index: i32) -> bool {
        (self.host.game.client(index)).is_some_and(|client| client.just_played)
    }

    fn set_just_played(&mut self, index: i32, just_played: bool) {
        if let Some(client) = self.host.game.client_mut(index) {
            client.just_played = just_played;
        }
    }

    /// Notes the time of joining a team, as `CTFPlayer::MarkTeamJoinTime` (tf_player.h) does.
    fn mark_team_join_time(&mut self, index: i32) {
        let now = self.host.game.now();
        if let Some(client) = self.host.game.client_mut(index) {
            client.team_since = now;
        }
    }
}
