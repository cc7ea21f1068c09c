use super::plural;
use crate::domain::Probability;
use crate::matchmaking::{Match, WaitReason};

pub(crate) fn made(found: &Match, for_a: Probability) -> String {
    let favourite = if for_a >= Probability::HALF {
        for_a
    } else {
        for_a.complement()
    };
    let lacking: u32 = found.missing.iter().sum();
    let lacks = match lacking {
        0 => String::new(),
        lacking => format!(
            ", {} unfilled",
            plural(lacking, "role place", "role places")
        ),
    };
    let ping = found
        .worst_ping
        .map_or_else(String::new, |ping| format!(", ping up to {ping} ms"));
    let due = if found.limits.is_none() {
        "; a ticket had waited long enough for any match"
    } else {
        ""
    };
    format!(
        "{0}v{0}: odds {1:.0} to {2:.0}, rating spread {3:.0}{ping}{lacks}, longest wait {4} s{due}.",
        found.size,
        100.0 * favourite.get(),
        100.0 * favourite.complement().get(),
        found.spread,
        found.longest_wait,
    )
}

/// Explains in one sentence why a matchmaking ticket waits. `due_in_seconds` is the time until the quality limits of
/// matches no longer apply to the ticket.
pub(crate) fn waits(why: WaitReason, due_in_seconds: u32) -> String {
    match why {
        WaitReason::NoServer => {
            "no free server with room for this ticket runs a mode its players play and gives them a ping they accept."
                .to_owned()
        }
        WaitReason::TooFew => {
            "too few other waiting players could play with the players of this ticket.".to_owned()
        }
        WaitReason::Taken => {
            "other matches took the server or the players that this ticket needs.".to_owned()
        }
        WaitReason::Limits if due_in_seconds > 0 => {
            format!(
                "no match is good enough yet; in {due_in_seconds} s this ticket takes any possible match."
            )
        }
        WaitReason::Limits => {
            "the other players of every possible match still wait for a better one.".to_owned()
        },
    }
}

pub(crate) fn summary(matches: usize, waiting: usize) -> String {
    let matches = match matches {
        0 => "no match".to_owned(),
        matches => plural(matches, "match", "matches"),
    };
    let waiting = match waiting {
        0 => "nobody waits".to_owned(),
        waiting => plural(waiting, "ticket waits", "tickets wait"),
    };
    format!("{matches}, {waiting}.")
}
