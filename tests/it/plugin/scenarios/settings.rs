//! Convars and commands: existence, documentation in the README, and behavior at their limits.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::queue::{play, server};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};
use sourcemod_bed::sourcemod::convars::PROTECTED;

same_on_both_databases![
    every_convar_works_at_both_ends,
    convars_and_commands_are_those_of_the_readme,
    every_command_answers_players_admins_and_the_console,
    keys_of_requests_are_in_the_description,
    the_configuration_is_written_without_what_is_secret_or_the_servers_own,
];

async fn every_convar_works_at_both_ends(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    bed.fill(1, 6);
    let convars = bed.plugin().host.convars.of_the_plugin();
    let bounded: Vec<(String, String, (f32, f32))> = convars
        .filter_map(|(name, convar)| {
            let bounds = (convar.least?, convar.most?);
            Some((name.clone(), convar.default.clone(), bounds))
        })
        .collect();
    assert!(bounded.len() >= 25, "{} convars have bounds", bounded.len());
    for (name, default, (least, most)) in bounded {
        for value in [least, most] {
            bed.set(&name, &value.to_string());
            bed.play(Win::of(Team::Red), 10.0).await;
            bed.change_map_and_teams(Mode::Koth).await;
        }
        for (value, kept) in [(least - 1.0, least), (most + 1.0, most)] {
            bed.set(&name, &value.to_string());
            let now: f32 = bed.value(&name).parse().expect("a number");
            assert_eq!(now, kept, "{name} {value}");
        }
        bed.set(&name, &default);
    }
}

/// Cells of the README table rows whose first cell begins with `start`.
fn rows(start: &str) -> Vec<Vec<String>> {
    let lines = include_str!("../../../../plugin/README.md").lines();
    let rows = lines.filter(|line| line.starts_with(&format!("| `{start}")));
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().replace('`', "")).collect()
    };
    rows.map(cells).collect()
}

async fn convars_and_commands_are_those_of_the_readme(app: &App) {
    let bed = Bed::start(app, Mode::Koth).await;
    let documented: BTreeMap<String, Vec<String>> = rows("rbs_")
        .into_iter()
        .map(|row| (row[0].clone(), row))
        .collect();
    let all = bed.plugin().host.convars.of_the_plugin();
    let convars: Vec<_> = all.filter(|(name, _)| *name != "rbs_version").collect();
    for (name, convar) in &convars {
        let row = documented
            .get(*name)
            .unwrap_or_else(|| panic!("the README does not have {name}"));
        assert_eq!(row[1], convar.default, "the default of {name}");
        let bounds = convar.least.zip(convar.most);
        let range = bounds.map(|(least, most)| format!("{least} to {most}"));
        let range = range.unwrap_or_default();
        assert_eq!(row[2], range, "the range of {name}");
        assert!(
            convar.text.starts_with(&row[3].trim_end_matches('.')[..20]),
            "{name}: {} / {}",
            convar.text,
            row[3]
        );
    }
    assert_eq!(documented.len(), convars.len(), "{:?}", documented.keys());
    for command in &bed.plugin().host.commands.all {
        assert!(
            !command.text.is_empty(),
            "{} has no description",
            command.name
        );
    }
    let secret = bed.plugin().host.convars.get("rbs_secret");
    let flags = secret.expect("the secret").flags;
    assert_eq!(
        flags & PROTECTED,
        PROTECTED,
        "clients could ask for the secret"
    );
    let written: BTreeSet<String> = [rows("sm_rbs"), rows("!")]
        .concat()
        .iter()
        .map(|row| {
            let name = row[0].split([' ', ',']).next().expect("a name");
            name.replace('!', "sm_")
        })
        .collect();
    let commands = BTreeSet::from_iter(bed.commands());
    assert_eq!(written, commands, "the README's commands and the plugin's");
}

async fn every_command_answers_players_admins_and_the_console(app: &App) {
    let mut bed = server(app, 6).await;
    play(&mut bed, 2).await;
    let commands = bed.commands();
    let player = bed.team(Team::Red)[0];
    let admin = bed.team(Team::Blue)[0];
    bed.client_mut(admin).flags = 1 << 14;
    for language in ["en", "de"] {
        language.clone_into(&mut bed.client_mut(player).language);
        language.clone_into(&mut bed.client_mut(admin).language);
        for command in &commands {
            for words in [
                "", " player2", " nobody", " now", " leave", " \"\"", " player",
            ] {
                for index in [player, admin] {
                    bed.heard(index);
                    let line = format!("!{}{words}", command.trim_start_matches("sm_"));
                    bed.say(index, &line);
                    bed.settle().await;
                    let heard = bed.heard(index);
                    assert!(!heard.is_empty(), "{line} says nothing");
                }
                bed.console(&format!("{command}{words}"));
                bed.settle().await;
            }
        }
    }
}

async fn keys_of_requests_are_in_the_description(app: &App) {
    let mut bed = server(app, 7).await;
    play(&mut bed, 2).await;
    bed.change_map_and_teams(Mode::Koth).await;
    play(&mut bed, 2).await;
    let new = bed.connect(99);
    bed.join(new, Team::Red);
    bed.settle().await;
    let text = include_str!("../../../../docs/openapi.json");
    let description: Value = serde_json::from_str(text).expect("JSON");
    let known = description.to_string();
    for (line, body) in bed.plugin().host.requests.log.clone() {
        let path = line.split(' ').nth(1).expect("a path");
        let described = description["paths"].get(path);
        assert!(described.is_some(), "{path} is not described");
        let body: Value = serde_json::from_str(&body.expect("a body")).expect("JSON");
        for key in keys(&body) {
            let described = known.contains(&format!("\"{key}\":"));
            assert!(described, "{path}: {key} is not described");
        }
    }
}

fn keys(value: &Value) -> Vec<String> {
    match value {
        Value::Object(entries) => {
            let inner = entries.values().flat_map(keys);
            entries.keys().cloned().chain(inner).collect()
        }
        Value::Array(elements) => elements.iter().flat_map(keys).collect(),
        _ => Vec::new(),
    }
}

async fn the_configuration_is_written_without_what_is_secret_or_the_servers_own(app: &App) {
    let bed = Bed::start(app, Mode::Koth).await;
    let written = bed.file("cfg/sourcemod/rbs.cfg");
    assert!(written.contains("rbs_scramble_streak \"3\""), "{written}");
    for name in ["rbs_version", "rbs_server", "rbs_url", "rbs_secret"] {
        assert!(
            !written.contains(&format!("\n{name} ")),
            "{name} is in a file that servers share: {written}"
        );
    }
}
