use anyhow::ensure;

use super::list::ListedPlayer;
use crate::api::{MAX_ROLES, Object, RoleRequest};
use crate::domain::PlayerId;

/// Parses the value of `--role`: a role, and the number of players for the role that each team should have.
pub(super) fn role(text: &str) -> Result<RoleRequest, String> {
    let (name, each) = text.split_once('=').unwrap_or((text, "1"));
    let each = each.parse();
    Ok(RoleRequest {
        name: name.parse().map_err(|error| format!("the name {error}"))?,
        each: Some(each.map_err(|error| format!("the number after = {error}"))?),
        players: Vec::new(),
    })
}

/// Word at the end of a player's line that says that the rating is a guess.
const NEWCOMER: &str = "+newcomer";

/// Removes the role marks and newcomer marks from the ends of the players' names. Returns the roles with their players,
/// and the newcomers. A mark is `+` with the name of a role, or `+newcomer`. Marks of other roles stay in the name.
pub(super) fn take_marks(
    players: &mut [ListedPlayer],
    options: &[RoleRequest],
) -> anyhow::Result<(Vec<Object<RoleRequest>>, Vec<PlayerId>)> {
    ensure!(
        options.len() <= MAX_ROLES,
        "{} roles are asked for; give --role at most {MAX_ROLES} times",
        options.len()
    );
    let mut roles: Vec<RoleRequest> = Vec::new();
    for role in options {
        let name = &role.name;
        ensure!(
            name.as_str() != &NEWCOMER[1..],
            "{NEWCOMER} already marks players whose ratings are guesses; choose another name for --role {name}"
        );
        ensure!(
            roles.iter().all(|role| role.name != *name),
            "the role {name} is asked for twice; give --role only once for each role"
        );
        roles.push(role.clone());
    }
    let mut newcomers = Vec::new();
    for player in players {
        let (mut name, mut others) = (player.name.as_str(), Vec::new());
        while let Some((rest, mark)) = trailing_mark(name) {
            match roles
                .iter_mut()
                .find(|role| *role.name.as_str() == mark[1..])
            {
                Some(role) if role.players.contains(&player.id) => {}
                Some(role) => role.players.push(player.id),
                None if mark == NEWCOMER => newcomers.push(player.id),
                None => others.push(mark),
            }
            name = rest;
        }
        others.push(name);
        others.reverse();
        player.name = others.join(" ");
    }
    if let Some(role) = roles.iter().find(|role| role.players.is_empty()) {
        let name = &role.name;
        anyhow::bail!(
            "no player in the list has the role {name}; write +{name} at the end of the line of each player \
             who can play it, or leave --role {name} out"
        );
    }
    newcomers.dedup();
    Ok((roles.into_iter().map(Object).collect(), newcomers))
}

/// Splits a player's name into the rest and its last word, if that begins with `+`. A single word is a name.
fn trailing_mark(name: &str) -> Option<(&str, &str)> {
    let (rest, word) = name.rsplit_once(char::is_whitespace)?;
    word.starts_with('+').then_some((rest.trim_end(), word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::split::list;

    fn options(texts: &[&str]) -> Vec<RoleRequest> {
        texts.iter().map(|text| role(text).unwrap()).collect()
    }

    #[test]
    fn marks_of_roles_asked_for_are_taken_off_the_names() {
        let lines = "0 Ramona +medic\n0 +medic\n0 Sascha  +pilot  +medic\n0 Wombat +tank\n\
                     0 The +medic Duke\n0 Lag Spike+medic\n0 Otto +pilot +tank +medic\n0 Ada +newcomer +medic +newcomer";
        let mut list = list::players(lines.as_bytes()).unwrap();
        let asked = options(&["medic=2", "pilot"]);
        let with = |option: usize, lines: &[usize]| {
            Object(RoleRequest {
                players: lines.iter().map(|line| list[line - 1].id).collect(),
                ..asked[option].clone()
            })
        };
        let expected = [with(0, &[1, 3, 7, 8]), with(1, &[3, 7])];
        let (roles, newcomers) = take_marks(&mut list, &asked).unwrap();
        assert_eq!((roles, newcomers), (expected.to_vec(), vec![list[7].id]));
        let names: Vec<&str> = list.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "Ramona",
                "+medic",
                "Sascha",
                "Wombat +tank",
                "The +medic Duke",
                "Lag Spike+medic",
                "Otto +tank",
                "Ada"
            ]
        );
    }

    #[test]
    fn roles_that_make_no_sense_are_refused() {
        let refusal = |texts: &[&str]| {
            let mut list = list::players(b"0 a +medic\n0 b").unwrap();
            take_marks(&mut list, &options(texts))
                .unwrap_err()
                .to_string()
        };
        assert!(refusal(&["medic", "medic=2"]).contains("medic is asked for twice"));
        assert!(refusal(&["newcomer"]).contains("another name"));
        assert!(refusal(&["x"; 9]).contains("at most 8 times"));
    }
}
