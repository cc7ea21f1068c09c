use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;

use clap::{Args, Subcommand};

use super::follow::follow;
use super::view::{Page, PoolOrServer, next_page};
use super::void::VoidRounds;
use super::{Client, Path, Target, Unsuccessful};
use crate::api::{
    ListedRoundAnswer, PairAnswer, PoolsAnswer, RoundAnswer, RoundPlayerAnswer, RoundsAnswer,
    WholeRoundAnswer,
};
use crate::cli::arguments;
use crate::cli::terminal::figures::{Number, moment, or_nothing, percent, progress_text};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Tone;
use crate::cli::terminal::table::{Table, visible};
use crate::config::Flags;
use crate::domain::{
    Fingerprint, MapName, MutatorName, PlayerEntry, PlayerId, RoundId, ServerName, Side, StatCount,
    StatName, Stats, TeamBots, Timestamp,
};

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_long_help = "\
Examples:
  rbs rounds --server arena-1 --limit 10
  rbs rounds --player STEAM_0:1:11101 --from 2h
  rbs rounds --follow
  rbs rounds show arena-1 arena-1:1763640000:17
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --reason 'teams were swapped' --dry-run"
)]
pub(crate) struct Rounds {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    of: PoolOrServer,
    /// List only rounds on this map
    #[arg(long, value_name = "NAME")]
    map: Option<MapName>,
    /// List only rounds in which this player took part
    #[arg(long, value_name = "ID")]
    player: Option<PlayerId>,
    /// List only rounds that ended at or after this time, such as 2h (two hours ago), yesterday or 2026-11-20
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    from: Option<Timestamp>,
    /// List only rounds that ended before this time
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    to: Option<Timestamp>,
    /// List only rounds sent with the secret that has this fingerprint
    #[arg(long, value_name = "FINGERPRINT")]
    secret: Option<Fingerprint>,
    /// List only rounds that arrived at or after this time, no matter when they ended
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    received_from: Option<Timestamp>,
    /// List only rounds that arrived before this time
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    received_to: Option<Timestamp>,
    /// Print new rounds as they come, until Ctrl-C
    ///
    /// First prints the latest rounds so far, as many as --limit says, then each new round below them. With --json,
    /// each round is an object on its own line.
    #[arg(long, short, conflicts_with_all = ["to", "received_to", "after"])]
    follow: bool,
    #[command(flatten)]
    page: Page,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show one round with all its players
    Show {
        /// Name of the server of the round
        server: ServerName,
        /// Id of the round to show
        round: RoundId,
        #[command(flatten)]
        target: Target,
    },
    /// Void all rounds of a server, a secret or a pool in a period, all at once
    Void(VoidRounds),
}

impl Rounds {
    pub(crate) fn run(mut self, flags: &Flags) -> anyhow::Result<()> {
        match self.action.take() {
            None => self.list(flags),
            Some(Action::Show {
                server,
                round,
                target,
            }) => target.show(flags, &round_path(&server, &round, &[]), round_text),
            Some(Action::Void(void)) => void.run(flags),
        }
    }

    fn list(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::at("/v1/admin/rounds")
            .with("map", self.map.as_ref())
            .with("player", self.player.as_ref())
            .with("from", self.from.as_ref())
            .with("to", self.to.as_ref())
            .with("secret", self.secret.as_ref())
            .with("received_from", self.received_from.as_ref())
            .with("received_to", self.received_to.as_ref());
        let (client, path) = self.of.client(flags, path)?;
        let answer = client.get(&self.page.onto(path.clone()))?;
        let found: RoundsAnswer = answer.read()?;
        if let Some(server) = self.of.server.as_ref().filter(|_| found.rounds.is_empty()) {
            check_known(&client, server)?;
        }
        if self.follow {
            return follow(
                client,
                &path,
                self.page.limit as usize,
                self.of.target.format,
            );
        }
        answer.print(self.of.target.format, list_text)
    }
}

pub(crate) fn round_path(server: &ServerName, round: &RoundId, behind: &[&str]) -> Path {
    let own = ["v1", "admin", "rounds", server.as_str(), round.as_str()];
    Path::of(&[&own, behind].concat())
}

/// Returns an error if no pool is configured with the server or has a round of it. An empty list for a misspelt name
/// would look as if the server had no rounds.
fn check_known(client: &Client, server: &ServerName) -> anyhow::Result<()> {
    let pools: PoolsAnswer = client.get(&Path::at("/v1/admin/pools"))?.read()?;
    if pools.pools.iter().any(|pool| pool.servers.contains(server)) {
        return Ok(());
    }
    for pool in &pools.pools {
        let path = Path::at("/v1/admin/rounds")
            .with("pool", Some(&pool.pool))
            .with("server", Some(server))
            .with("limit", Some(&1));
        let found: RoundsAnswer = client.get(&path)?.read()?;
        if !found.rounds.is_empty() {
            return Ok(());
        }
    }
    Err(Unsuccessful::NotFound(format!(
        "there is no server {server}: the configuration does not name it, and no pool has a round from it; `rbs pools` \
         lists the configured servers"
    ))
    .into())
}

fn list_text(found: &RoundsAnswer, text: &mut Output) -> fmt::Result {
    if found.rounds.is_empty() {
        return writeln!(text, "No such rounds in the pool {}", found.pool);
    }
    let rounds: Vec<&ListedRoundAnswer> = found.rounds.iter().collect();
    text.table(rounds_table(&rounds));
    next_page(text, found.next.as_deref())
}

pub(super) fn rounds_table<'all, 'found>(
    rounds: &'all [&'found ListedRoundAnswer],
) -> Table<'all, &'found ListedRoundAnswer> {
    Table::new(rounds)
        .moment("ended", |listed| Some(listed.round.ended_at))
        .elastic("server", |listed| &listed.round.server)
        .left("round", |listed| &listed.round.round_id)
        .left("winner", |listed| listed.round.winner)
        .right("odds of a", |listed| odds_of_a(&listed.round))
        .right("players", |listed| listed.players)
        .left("void", |listed| match listed.round.void {
            Some(_) => "void",
            None => "",
        })
        .toned(|_| Tone::Warning)
}

fn odds_of_a(round: &RoundAnswer) -> Number {
    percent(Some(round.win_probability.a.get()))
}

pub(crate) fn round_text(whole: &WholeRoundAnswer, text: &mut Output) -> fmt::Result {
    let round = &whole.round;
    let map = round.map.as_ref().map_or("not given", MapName::as_str);
    let odds = odds_of_a(round);
    writeln!(text, "Round:     {}", round.round_id)?;
    writeln!(text, "Server:    {}", round.server)?;
    writeln!(text, "Pool:      {}", round.pool)?;
    writeln!(text, "Map:       {map}")?;
    if let Some(mode) = &round.mode {
        writeln!(text, "Mode:      {mode}")?;
    }
    if !round.mutators.is_empty() {
        let names: Vec<&str> = round.mutators.iter().map(MutatorName::as_str).collect();
        writeln!(text, "Mutators:  {}", names.join(", "))?;
    }
    let PairAnswer { a, b } = round.bots.clone();
    let bots = TeamBots { a, b };
    if !bots.is_empty() {
        let listed = bots
            .iter()
            .map(|(team, level, count)| format!("{count} {level} on {team}"));
        writeln!(text, "Bots:      {}", listed.collect::<Vec<_>>().join(", "))?;
    }
    write!(text, "Ended:     {} UTC", moment(round.ended_at))?;
    text.ago(round.ended_at);
    write!(text, "\nReceived:  {} UTC", moment(round.received_at))?;
    match round.secret {
        Some(secret) => writeln!(text, ", with the secret {secret}")?,
        None => writeln!(text)?,
    }
    writeln!(text, "Winner:    {}; odds of team a: {odds}", round.winner)?;
    if let Some(correction) = &round.correction {
        let reason = correction.reason.as_deref().unwrap_or("no reason given");
        let (reported, since) = (correction.reported, moment(correction.at));
        let reason = visible(reason);
        writeln!(
            text,
            "Corrected: on {since} UTC, from the reported winner {reported}: {reason}"
        )?;
    }
    if let Some(void) = &round.void {
        let reason = void.reason.as_deref().unwrap_or("no reason given");
        let since = moment(void.at);
        writeln!(text, "Void:      since {since} UTC: {}", visible(reason))?;
    }
    if let Some(in_progress) = whole.in_progress {
        let far = whole.progress.as_ref();
        let far = or_nothing(far.map(|far| format!(", {}", progress_text(far))));
        writeln!(text, "Running:   {in_progress}{far}")?;
    }
    if !whole.players.is_empty() {
        text.next_table(ratings_table(whole));
    }
    add_scoreboard(text, whole);
    Ok(())
}

fn ratings_table(whole: &WholeRoundAnswer) -> Table<'_, RoundPlayerAnswer> {
    Table::new(&whole.players)
        .left("team", |listed| listed.player.team)
        .elastic("player", |listed| match &listed.name {
            Some(name) => name.to_string(),
            None => listed.player.id.to_string(),
        })
        .right("before", |listed| listed.player.before)
        .right("change", |listed| format!("{:+}", listed.player.delta))
        .toned(|listed| Tone::of_change(listed.player.delta))
        .right("rating", |listed| listed.player.rating)
        .right("K", |listed| format!("{:.1}", listed.player.k))
        .right("rounds", |listed| listed.player.rounds)
}

type Row<'round> = (Side, &'round PlayerEntry, &'round Stats);

type Count = fn(&Stats) -> Option<StatCount>;

/// Prints the scoreboard of the round, if there is one. Leaves out columns without numbers.
fn add_scoreboard(text: &mut Output, whole: &WholeRoundAnswer) {
    let teams = [(Side::A, &whole.team_a), (Side::B, &whole.team_b)];
    let entries = teams
        .into_iter()
        .flat_map(|(side, team)| team.iter().map(move |entry| (side, entry)));
    let rows: Vec<Row<'_>> = entries
        .filter_map(|(side, entry)| Some((side, entry, entry.stats.as_deref()?)))
        .collect();
    if rows.is_empty() {
        return;
    }
    let mut table = Table::new(&rows)
        .left("team", |(side, _, _)| side)
        .left("player", |(_, entry, _)| entry.id);
    if rows.iter().any(|(_, _, stats)| stats.score.is_some()) {
        table = table.right("score", |(_, _, stats)| or_nothing(stats.score));
    }
    let counts: [(&str, Count); 3] = [
        ("kills", |stats| stats.kills),
        ("deaths", |stats| stats.deaths),
        ("assists", |stats| stats.assists),
    ];
    for (name, count) in counts {
        if rows.iter().any(|(_, _, stats)| count(stats).is_some()) {
            table = table.right(name, |(_, _, stats)| or_nothing(count(stats)));
        }
    }
    let named: BTreeSet<&StatName> = rows
        .iter()
        .flat_map(|(_, _, stats)| stats.named.keys())
        .collect();
    for name in named {
        table = table.right(name.as_str(), |(_, _, stats)| {
            or_nothing(stats.named.get(name))
        });
    }
    text.next_table(table);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_nobody_has_has_no_column() {
        let players = json!({
            "round_id": "1", "server": "s", "pool": "p", "map": null, "mode": null, "ended_at": 0,
            "received_at": 0, "winner": "a", "win_probability": {"a": 0.5, "b": 0.5}, "void": null,
            "theta": 400, "in_progress": null, "progress": null, "players": [],
            "team_a": [{"id": "[U:1:1]", "stats": {"score": -2, "damage": 0.5}}, "[U:1:2]"],
            "team_b": [{"id": "[U:1:3]", "stats": {"score": 12, "kills": 7}}],
        });
        let mut whole: WholeRoundAnswer = serde_json::from_value(players).unwrap();
        let shown = |whole: &WholeRoundAnswer| {
            let mut text = Output::default();
            add_scoreboard(&mut text, whole);
            text.to_string()
        };
        let expected = "
team  player             score  kills  damage
a     76561197960265729     -2            0.5
b     76561197960265731     12      7\n";
        assert_eq!(shown(&whole), expected);
        whole.team_a.clear();
        whole.team_b.clear();
        assert_eq!(shown(&whole), "");
    }
}
