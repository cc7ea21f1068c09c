use crate::api::{BalanceTicket, SinceTicketAnswer};
use crate::domain::{PlayerId, TeamLetter, Timestamp};

/// Comparison of a match with the ticket of its balance request, and the ticket for the next request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recheck {
    pub(crate) ticket: Option<String>,
    pub(crate) ask_again_in_seconds: Option<u32>,
    pub(crate) since_ticket: Option<SinceTicketAnswer>,
}

/// Compares the state of a match, described by the ticket `found`, with the ticket `sent` with its balance request.
/// While a rule named by the sent ticket is still broken, the policy's `wait_seconds` count from the first request that
/// found it broken.
pub(crate) fn recheck(
    mut found: BalanceTicket,
    sent: Option<&BalanceTicket>,
    wait_seconds: u32,
) -> Recheck {
    let now = found.found_at;
    let now = Timestamp::from_unix_micros(now.unix_micros().div_euclid(1_000_000) * 1_000_000)
        .unwrap_or(now);
    // The clock of another instance may be a little ahead.
    let first = |ticket: &BalanceTicket| ticket.found_at.min(now);
    let seconds = |found_at: Timestamp| {
        let seconds = now.whole_seconds_since(found_at).max(0);
        u32::try_from(seconds)
            .unwrap_or(u32::MAX)
            .min(i32::MAX.unsigned_abs())
    };
    let since_ticket = sent.map(|ticket| SinceTicketAnswer {
        found_at: first(ticket),
        seconds: seconds(first(ticket)),
        stands: ticket.rules.iter().any(|rule| found.rules.contains(rule)),
        rules_kept: those(&found.rules, |rule| ticket.rules.contains(rule)),
        rules_added: those(&found.rules, |rule| !ticket.rules.contains(rule)),
        rules_dropped: those(&ticket.rules, |rule| !found.rules.contains(rule)),
        moves_kept: players(&found.moves, |one| ticket.moves.contains(one)),
        moves_added: players(&found.moves, |one| !ticket.moves.contains(one)),
        moves_dropped: players(&ticket.moves, |one| !found.moves.contains(one)),
    });
    let stands = since_ticket.as_ref().filter(|since| since.stands);
    found.found_at = stands.map_or(now, |since| since.found_at);
    let left = wait_seconds.saturating_sub(seconds(found.found_at));
    let is_unbalanced = !found.rules.is_empty();
    Recheck {
        ticket: is_unbalanced.then(|| found.to_string()),
        ask_again_in_seconds: is_unbalanced.then_some(left),
        since_ticket,
    }
}

fn those(rules: &[String], keep: impl Fn(&String) -> bool) -> Vec<String> {
    rules.iter().filter(|rule| keep(rule)).cloned().collect()
}

fn players(
    moves: &[(PlayerId, TeamLetter)],
    keep: impl Fn(&(PlayerId, TeamLetter)) -> bool,
) -> Vec<PlayerId> {
    let kept = moves.iter().filter(|one| keep(one));
    kept.map(|(player, _)| *player).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_counts_from_the_first_finding_as_long_as_a_rule_stands() {
        let player = PlayerId::from_steam_id64(76_561_197_960_265_729).unwrap();
        let found = |rule: &str, second: i64| BalanceTicket {
            found_at: Timestamp::from_unix_seconds(1_764_072_000 + second).unwrap(),
            rules: vec![rule.to_owned()],
            moves: vec![(player, TeamLetter::at(1))],
        };
        let sent = found("size_pairs", 0);
        for (rule, second, left) in [
            ("size_pairs", 15, 5),
            ("size_pairs", 40, 0),
            // A finding that shares no rule with the ticket counts as a first finding.
            ("win_probability", 40, 20),
            // If the ticket lies in the future, the wait counts from now.
            ("size_pairs", -5, 20),
        ] {
            let is = recheck(found(rule, second), Some(&sent), 20);
            assert_eq!(is.ask_again_in_seconds, Some(left), "{rule} {second}");
            assert_eq!(is.since_ticket.unwrap().stands, rule == "size_pairs");
            let ticket: BalanceTicket = is.ticket.unwrap().parse().unwrap();
            let since = second.min(if rule == "size_pairs" { 0 } else { second });
            assert_eq!(ticket, found(rule, since));
        }
    }
}
