use crate::domain::Timestamp;
use crate::service::{Leaderboard, Pool, RankedPlayer};

/// What the page looks like: light or dark as the reader's device, and on narrow screens without what
/// can be done without.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:48rem;padding:1rem}\
h1{font-size:1.5rem;margin:0}\
p{margin:.25rem 0 1rem;opacity:.75}\
table{border-collapse:collapse;width:100%}\
th,td{padding:.375rem .5rem;text-align:right;white-space:nowrap;\
border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}\
th{font-weight:600}\
th.text,td.text{text-align:left;overflow-wrap:anywhere;white-space:normal}\
td{font-variant-numeric:tabular-nums}\
a{color:inherit}\
@media(max-width:36rem){body{padding:.5rem}.wide{display:none}th,td{padding:.375rem .25rem}}";

/// The best players of `pool` as HTML. Whether it has ratings or divisions is the pool's setting; what
/// is not to be seen is not in it.
pub(super) fn page(pool: &Pool, leaderboard: &Leaderboard) -> String {
    let shows_ratings = pool.settings.leaderboard.shows_ratings();
    let title = format!("Leaderboard of {}", escaped(pool.name.as_str()));
    let mut rows = String::new();
    for player in &leaderboard.players {
        rows.push_str(&row(player, shows_ratings));
    }
    let head = if shows_ratings {
        "<th scope=col>Rating<th scope=col class=wide>30 days"
    } else {
        "<th scope=col class=text>Division"
    };
    let ranked = match leaderboard.ranked {
        0 => "Nobody has a rank yet".to_owned(),
        1 => "1 player has a rank".to_owned(),
        ranked => format!("{ranked} players have a rank"),
    };
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p>{ranked}, as of <time datetime=\"{at}\">{day} {clock} UTC</time>.</p>\n\
         <table>\n<thead><tr><th scope=col>Rank<th scope=col class=text>Player{head}\
         <th scope=col>Rounds<th scope=col class=wide>Last played</thead>\n<tbody>\n{rows}\
         </tbody>\n</table>\n</body>\n</html>\n",
        at = leaderboard.computed_at,
        day = day(leaderboard.computed_at),
        clock = clock(leaderboard.computed_at),
    )
}

fn row(player: &RankedPlayer, shows_ratings: bool) -> String {
    let view = &player.view;
    let worth = if shows_ratings {
        let (rating, change) = (view.rating, change(player.change));
        format!("<td>{rating}<td class=wide>{change}")
    } else {
        let division = player.division.as_deref().map_or_else(String::new, escaped);
        format!("<td class=text>{division}")
    };
    format!(
        "<tr><td>{rank}<td class=text>\
         <a href=\"https://steamcommunity.com/profiles/{id}\" rel=nofollow>{id}</a>{worth}\
         <td>{rounds}<td class=wide>{last}\n",
        rank = player.rank,
        id = view.id,
        rounds = view.rounds,
        last = view.last_played.map_or_else(String::new, day),
    )
}

/// A change with its sign, of which a minus is the printers' one.
fn change(points: i32) -> String {
    match points {
        0 => "0".to_owned(),
        1.. => format!("+{points}"),
        _ => format!("\u{2212}{}", points.unsigned_abs()),
    }
}

fn day(moment: Timestamp) -> String {
    moment.to_string().chars().take(10).collect()
}

fn clock(moment: Timestamp) -> String {
    moment.to_string().chars().skip(11).take(5).collect()
}

/// A text where HTML may stand, in elements and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_can_say_anything_but_itself() {
        assert_eq!(
            escaped("<a href=\"x\" title='&'>ü</a>"),
            "&lt;a href=&quot;x&quot; title=&#39;&amp;&#39;&gt;ü&lt;/a&gt;"
        );
    }

    #[test]
    fn changes_have_signs_and_moments_days() {
        assert_eq!([0, 12, -3].map(change), ["0", "+12", "\u{2212}3"]);
        let moment: Timestamp = "2026-11-20T07:05:09.25Z".parse().unwrap();
        assert_eq!(
            (day(moment), clock(moment)),
            ("2026-11-20".to_owned(), "07:05".to_owned())
        );
    }
}
