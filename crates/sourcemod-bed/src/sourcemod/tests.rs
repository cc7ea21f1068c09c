//! Behavior of natives on misuse, as in SourceMod and ripext.

use std::sync::Arc;

use super::files::Files;
use super::{Plugin, SourceMod, natives};
use crate::compiler::compile;
use crate::game::{Game, Map, Mode, Team};
use crate::machine::Machine;

/// Starts a program in a game with a player in slot 1, a connecting client in slot 2, and a bot in slot 3.
fn start(body: &str) -> (Plugin, tempfile::TempDir) {
    let program = format!("#include <sourcemod>\n#include <sdktools>\n#include <ripext>\n{body}");
    let mut game = Game::new(Map::new(Mode::Koth), 1_795_176_000);
    for (name, account) in [("player", 7), ("late", 8), ("bot", 0)] {
        let index = game.add_client(name, account);
        let client = game.client_mut(index).expect("somebody");
        client.in_game = name != "late";
        client.is_authorized = name != "late";
        client.team = Team::Red;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let host = SourceMod::new(game, Files::new(folder.path().to_owned()), 1);
    let plugin = Machine::new(Arc::clone(&compile(&program)), &natives(), host);
    (plugin, folder)
}

/// Returns the output of the statements with `PrintToServer`, and the fault that stopped them.
fn run(statements: &str) -> (Vec<String>, Option<String>) {
    // The compiler requires the lines of a block to begin in the same column.
    let lines: Vec<&str> = statements.lines().map(str::trim_start).collect();
    let (mut plugin, _folder) = start(&format!("public void run()\n{{\n{}\n}}", lines.join("\n")));
    let run = plugin.image.public("run").expect("a function");
    let fault = plugin.invoke(run, &[]).err();
    (
        plugin.host.console.printed.clone(),
        fault.map(|fault| fault.message),
    )
}

fn stops(statements: &str, message: &str) {
    let (said, fault) = run(statements);
    let fault = fault.unwrap_or_else(|| panic!("nothing stops it; it said {said:?}: {statements}"));
    assert!(
        fault.contains(message),
        "{fault:?} is not {message:?}: {statements}"
    );
}

fn says(statements: &str, expected: &[&str]) {
    let (said, fault) = run(statements);
    assert_eq!(fault, None, "{statements}");
    assert_eq!(said, expected, "{statements}");
}

#[test]
fn a_wrong_client_stops_the_callback() {
    for native in [
        "IsClientInGame",
        "IsClientConnected",
        "IsFakeClient",
        "GetClientUserId",
        "GetClientTeam",
        "IsPlayerAlive",
        "GetSteamAccountID",
    ] {
        for index in [0, -1, 37, 1000] {
            stops(
                &format!("{native}({index});"),
                &format!("Client index {index} is invalid"),
            );
        }
    }
    for native in ["IsFakeClient", "GetClientUserId", "GetSteamAccountID"] {
        stops(&format!("{native}(9);"), "Client 9 is not connected");
    }
    for call in [
        "GetClientTeam(2)",
        "IsPlayerAlive(2)",
        "ChangeClientTeam(2, 3)",
        "PrintToChat(2, \"text\")",
        "FakeClientCommand(2, \"jointeam red\")",
    ] {
        stops(&format!("{call};"), "Client 2 is not in game");
    }
    stops("ChangeClientTeam(1, 4);", "Team index 4 is invalid");
    says(
        "PrintToServer(\"%d %d %d\", IsClientInGame(9), GetClientOfUserId(99), GetSteamAccountID(2));",
        &["0 0 0"],
    );
    says(
        "PrintToServer(\"%d %d\", GetSteamAccountID(1), GetSteamAccountID(3));",
        &["7 0"],
    );
}

#[test]
fn a_closed_handle_and_one_of_another_kind_stop_the_callback() {
    stops(
        "ArrayList list = new ArrayList(); delete list; ArrayList other = list; other.Push(1);",
        "Invalid array handle 0",
    );
    stops(
        "ArrayList list = new ArrayList(); ArrayList other = list; delete list; other.Push(1);",
        "(error 3)",
    );
    stops(
        "ArrayList list = new ArrayList(); ArrayList other = list; delete list; delete other;",
        "is invalid (error 3)",
    );
    stops(
        "JSONObject json = new JSONObject(); view_as<ArrayList>(json).Push(1);",
        "(error 2)",
    );
    stops(
        "ArrayList list = new ArrayList(); list.Get(0);",
        "Invalid index 0 (count: 0)",
    );
    stops(
        "ArrayList list = new ArrayList(2); list.Push(1); list.Get(0, 2);",
        "Invalid block 2 (blocksize: 2)",
    );
    says(
        "ArrayList none = null; delete none; PrintToServer(\"fine\");",
        &["fine"],
    );
    stops(
        "Handle timer = CreateTimer(1.0, On); KillTimer(timer); KillTimer(timer);\n}\npublic Action On(Handle timer)\n{\nreturn Plugin_Stop;",
        "Invalid timer handle",
    );
}

#[test]
fn json_of_ripext_is_strict_about_keys_and_lenient_about_kinds() {
    stops(
        "JSONObject json = new JSONObject(); json.GetInt(\"key\");",
        "Could not retrieve value for key 'key'",
    );
    stops(
        "JSONObject json = new JSONObject(); json.Get(\"key\");",
        "Could not retrieve value for key 'key'",
    );
    stops(
        "JSONArray json = new JSONArray(); char text[8]; json.GetString(0, text, 8);",
        "Could not retrieve value at index 0",
    );
    says(
        "char text[8] = \"before\"; JSONObject json = JSONObject.FromString(\"{\\\"a\\\": 1.5, \\\"b\\\": null, \\\"c\\\": \\\"text\\\"}\");
        PrintToServer(\"%d %d %d %.1f\", json.GetInt(\"a\"), json.GetInt(\"b\"), json.GetInt(\"c\"), json.GetFloat(\"a\"));
        PrintToServer(\"%d %s\", json.GetString(\"a\", text, 8), text);
        PrintToServer(\"%d %d\", json.IsNull(\"b\"), json.HasKey(\"d\"));
        JSONObject none = view_as<JSONObject>(json.Get(\"b\")); PrintToServer(\"%d\", none != null && none.HasKey(\"x\"));
        delete none; delete json;",
        &["0 0 0 1.5", "0 before", "1 0", "0"],
    );
    for torn in ["", "{", "[1,", "text", "1", "null", "<html>", "{}x"] {
        stops(
            &format!("JSONObject.FromString(\"{torn}\");"),
            "Invalid JSON",
        );
    }
    says(
        "char text[64]; JSONObject outer = new JSONObject(); JSONObject inner = new JSONObject(); outer.Set(\"inner\", inner);
        inner.SetInt(\"later\", 5); outer.ToString(text, 64); PrintToServer(\"%s\", text);
        outer.ToString(text, 10, JSON_COMPACT); PrintToServer(\"%s\", text); delete inner; delete outer;",
        &["{\"inner\": {\"later\": 5}}", "{\"inner\":"],
    );
}

#[test]
fn a_request_is_closed_when_it_is_made() {
    let answer = "\n}\npublic void On(HTTPResponse response, any value, const char[] error)\n{";
    stops(
        &format!(
            "HTTPRequest request = new HTTPRequest(\"http://a/b\"); JSONObject json = new JSONObject(); HTTPRequest same = request; request.Post(json, On); delete same;{answer}"
        ),
        "is invalid (error 3)",
    );
    stops(
        "HTTPRequest request = new HTTPRequest(\"\"); delete request;",
        "URL cannot be empty",
    );
    stops(
        "HTTPRequest request = new HTTPRequest(\"http://a\"); request.SetHeader(\"\", \"x\");",
        "Header name cannot be empty",
    );
}

#[test]
fn formats_are_checked_and_floats_are_cut() {
    says(
        "char text[64]; FormatEx(text, 64, \"%5d|%-5d|%05d|%x|%X|%c|%%|%s|%.3s|%6s|\", 42, 42, 42, 255, 255, 'q', \"text\", \"text\", \"ab\"); PrintToServer(\"%s\", text);
        FormatEx(text, 64, \"%.2f %.0f %f %5.1f %u %b\", 0.999, 2.9, 1.5, -1.25, -1, 5); PrintToServer(\"%s\", text);
        FormatEx(text, 64, \"%N %N %L\", 0, 1, 1); PrintToServer(\"%s\", text);
        FormatEx(text, 4, \"%d\", 123456); PrintToServer(\"%s\", text);",
        &["   42|42   |00042|ff|FF|q|%|text|tex|ab    |", "0.99 2 1.500000  -1.2 4294967295 101", "Console player player<1><[U:1:7]><>", "123"],
    );
    stops(
        "char text[64]; Format(text, 64, \"%d %d\", 1);",
        "String formatted incorrectly",
    );
    stops(
        "char text[64]; Format(text, 64, \"%N\", 9);",
        "Client index 9 is invalid",
    );
    stops(
        "char text[64]; Format(text, 64, \"%T\", \"No such phrase\", 0);",
        "Language phrase \"No such phrase\" not found",
    );
    stops(
        "char text[64]; Format(text, 64, \"%T\", \"No Access\", 12);",
        "invalid client index 12",
    );
    stops(
        "LoadTranslations(\"missing.phrases\");",
        "Unable to open translation file",
    );
}

#[test]
fn files_that_are_missing_are_null_and_lines_keep_their_ends() {
    says(
        "PrintToServer(\"%d %d %d\", OpenFile(\"missing\", \"r\") == null, FileExists(\"missing\"), DeleteFile(\"missing\"));
        PrintToServer(\"%d %d\", RenameFile(\"b\", \"a\"), CreateDirectory(\"a/b\", 0o755));
        File file = OpenFile(\"a\", \"w\"); file.WriteLine(\"first %d\", 1); file.WriteString(\"last\", false); delete file;
        char text[16]; file = OpenFile(\"a\", \"r\");
        while (!file.EndOfFile() && file.ReadLine(text, sizeof(text)))
        {
            TrimString(text);
            PrintToServer(\"%s\", text);
        }
        delete file; PrintToServer(\"%d\", RenameFile(\"b\", \"a\")); PrintToServer(\"%d\", FileExists(\"b\"));",
        &["1 0 0", "0 0", "first 1", "last", "1", "1"],
    );
}

#[test]
fn an_event_or_a_key_that_the_game_does_not_have_is_an_error() {
    let handler = "\n}\npublic void On(Event event, const char[] name, bool silent)\n{\nevent.GetInt(\"nobody\");";
    stops(
        &format!("HookEvent(\"no_such_event\", On);{handler}"),
        "Game event \"no_such_event\" does not exist",
    );
    let (mut plugin, _folder) = start(&format!(
        "public void run()\n{{\nHookEvent(\"player_death\", On);{handler}\n}}"
    ));
    let run = plugin.image.public("run").expect("a function");
    plugin.invoke(run, &[]).expect("an event of the game");
    plugin
        .fire("player_death", &[("userid", 1.into())])
        .expect("room");
    let fault = plugin.host.faults.pop().expect("a fault");
    assert!(fault.message.contains("no key nobody"), "{fault}");
}

#[test]
fn a_property_that_a_thing_does_not_have_stops_the_callback() {
    stops(
        "GetEntProp(1, Prop_Send, \"m_iNoSuch\");",
        "Property \"m_iNoSuch\" not found",
    );
    stops("GetEntProp(1500, Prop_Send, \"m_iTeamNum\");", "is invalid");
    stops(
        "GameRules_GetProp(\"m_bNoSuch\");",
        "Property \"m_bNoSuch\" not found",
    );
    says(
        "PrintToServer(\"%d %d\", FindEntityByClassname(-1, \"no_such\"), FindEntityByClassname(-1, \"tf_logic_koth\") > 36);",
        &["-1 1"],
    );
}

#[test]
fn a_call_contains_what_goes_wrong_in_it() {
    says(
        "int answer = 3; Call_StartFunction(null, Fails); Call_PushCell(5); PrintToServer(\"%d\", Call_Finish(answer) != SP_ERROR_NONE);
        PrintToServer(\"%d\", answer); Call_StartFunction(null, Works); Call_PushCell(5); Call_Finish(answer); PrintToServer(\"%d\", answer);
}
public int Fails(int value)
{
    return 1 / (value - 5);
}
public int Works(int value)
{
    return value * 2;",
        &["1", "3", "10"],
    );
    stops("Call_Finish();", "no call in progress");
}

#[test]
fn a_convar_stays_within_its_bounds_and_tells_its_hooks_of_changes_only() {
    says(
        "ConVar convar = CreateConVar(\"a\", \"5\", \"text\", _, true, 1.0, true, 10.0); convar.AddChangeHook(On);
        convar.IntValue = 5; convar.IntValue = 50; convar.SetString(\"-3\"); PrintToServer(\"%d\", FindConVar(\"missing\") == null);
        delete convar; PrintToServer(\"%d\", FindConVar(\"a\").IntValue);
}
public void On(ConVar convar, const char[] before, const char[] after)
{
    PrintToServer(\"%s to %s\", before, after);",
        &["5 to 10.000000", "10.000000 to 1.000000", "1", "1"],
    );
}
