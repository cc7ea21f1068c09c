use crate::api::{BalanceTicket, SinceTicketAnswer};
use crate::domain::{PlayerId, TeamLetter, Timestamp};

/// Broken rules and recommended moves of a match, to compare with the ticket of the previous balance request.
#[derive(Debug)]
pub(crate) struct Finding {
    /// Names of the balance rules that the match breaks.
    pub(crate) rules: Vec<String>,
    /// Recommended moves between teams: each player with the destination team.
    pub(crate) moves: Vec<(PlayerId, TeamLetter)>,
}

/// Comparison of a match with the ticket of its balance request, and the ticket for the next request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recheck {
    pub(crate) ticket: Option<String>,
    pub(crate) ask_again_in_seconds: Option<u32>,
    pub(crate) since_ticket: Option<SinceTicketAnswer>,
}

impl Finding {
    /// Compares the state of a match with the ticket of its balance request. While a rule named by the ticket is still
    /// broken, the policy's `wait_seconds` count from the first request that found it broken.
    pub(crate) fn since(
        self,
        sent: Option<&BalanceTicket>,
        wait_seconds: u32,
        now: Timestamp,
    ) -> Recheck {
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
            stands: ticket.rules.iter().any(|rule| self.rules.contains(rule)),
            rules_kept: those(&self.rules, |rule| ticket.rules.contains(rule)),
            rules_added: those(&self.rules, |rule| !ticket.rules.contains(rule)),
            rules_dropped: those(&ticket.rules, |rule| !self.rules.contains(rule)),
            moves_kept: players(&self.moves, |one| ticket.moves.contains(one)),
            moves_added: players(&self.moves, |one| !ticket.moves.contains(one)),
            moves_dropped: players(&ticket.moves, |one| !self.moves.contains(one)),
        });
        let stands = since_ticket.as_ref().filter(|since| since.stands);
        let found_at = stands.map_or(now, |since| since.found_at);
        let is_unbalanced = !self.rules.is_empty();
        let ticket = is_unbalanced.then_some(BalanceTicket {
            found_at,
            rules: self.rules,
            moves: self.moves,
        });
        Recheck {
            ticket: ticket.map(|ticket| ticket.to_string()),
            ask_again_in_seconds: is_unbalanced
                .then(|| wait_seconds.saturating_sub(seconds(found_at))),
            since_ticket,
        }
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

    fn finding(rules: &[&str], moves: &[(u64, usize)]) -> Finding {
        Finding {
            rules: rules.iter().map(|rule| (*rule).to_owned()).collect(),
            moves: moves
                .iter()
                .map(|(n, team)| (player(*n), TeamLetter::at(*team)))
                .collect(),
        }
    }

    fn player(n: u64) -> PlayerId {
        PlayerId::from_steam_id64(76_561_197_960_265_728 + n).unwrap()
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix_seconds(1_764_072_000 + second).unwrap()
    }

    #[test]
    fn the_wait_counts_from_the_first_finding_as_long_as_a_rule_stands() {
        let first = finding(&["size_pairs"], &[(1, 1)]).since(None, 20, at(0));
        assert_eq!(
            (first.ask_again_in_seconds, first.since_ticket),
            (Some(20), None)
        );
        let ticket: BalanceTicket = first.ticket.unwrap().parse().unwrap();
        let rules = &["size_pairs", "power_difference"][..];
        let second = finding(rules, &[(2, 1)]).since(Some(&ticket), 20, at(15));
        assert_eq!(second.ask_again_in_seconds, Some(5));
        let since = second.since_ticket.unwrap();
        assert!(since.stands && since.seconds == 15);
        assert_eq!(since.rules_added, ["power_difference"]);
        assert_eq!(
            (since.moves_added, since.moves_dropped),
            (vec![player(2)], vec![player(1)])
        );
        let ticket: BalanceTicket = second.ticket.unwrap().parse().unwrap();
        assert_eq!(ticket.found_at, at(0));
        let third = finding(rules, &[(2, 1)]).since(Some(&ticket), 20, at(40));
        assert_eq!(third.ask_again_in_seconds, Some(0));
        assert_eq!(third.since_ticket.unwrap().moves_kept, [player(2)]);
        // A finding that shares no rule with the ticket counts as a first finding.
        let other = finding(&["win_probability"], &[]).since(Some(&ticket), 20, at(40));
        assert_eq!(other.ask_again_in_seconds, Some(20));
        assert!(!other.since_ticket.unwrap().stands);
    }

    #[test]
    fn balanced_teams_have_no_ticket_and_say_what_is_gone() {
        let ticket: BalanceTicket = finding(&["size_pairs"], &[(1, 1)])
            .since(None, 20, at(0))
            .ticket
            .unwrap()
            .parse()
            .unwrap();
        let calm = finding(&[], &[]).since(Some(&ticket), 20, at(3));
        assert_eq!((calm.ticket, calm.ask_again_in_seconds), (None, None));
        let since = calm.since_ticket.unwrap();
        assert_eq!(since.rules_dropped, ["size_pairs"]);
        assert_eq!(since.moves_dropped, [player(1)]);
        // If the ticket lies in the future, the wait counts from now.
        let early = finding(&["size_pairs"], &[]).since(Some(&ticket), 20, at(-5));
        assert_eq!(early.ask_again_in_seconds, Some(20));
    }
}
