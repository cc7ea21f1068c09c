use serde_json::{Value, json};

use crate::cli::process::Finished;
use crate::cli::{Folder, fields, words};

/// Seventeen players of a real community; two share a rating.
const SEVENTEEN: &str = "\
5 Boring John
3 Silly Billy
2 Slartibartfast
7 Chewbacca
23 Ignoramus
92 Riddick
93 Luke Skywalker
95 Darth Vader
27 Peter Griffin
56 Roger
28 Annoying Git
99 Cheat
1 Lame
23 Twonk
83 Foogilicious
41 Flunk Basket
49 Jack O'Neill
";

/// Runs `rbs split` with the options of a command line on a list.
fn split(options: &str, list: &str) -> Finished {
    let arguments = [&["split"], &words(options)[..]].concat();
    Folder::new().pipe(&arguments, list)
}

fn answer(options: &str, list: &str) -> Value {
    let split = split(&format!("--json {options}"), list);
    split.succeeded().json()
}

fn members(split: &Value, team: &str) -> Vec<String> {
    let players = split[team].as_array().expect("players").iter();
    let member = |player: &Value| {
        let name = player["name"].as_str().expect("a name");
        format!("{} {name}", player["rating"])
    };
    players.map(member).collect()
}

#[test]
fn seventeen_players_are_split_for_every_size_without_a_trace() {
    let folder = Folder::new();
    let output = folder.pipe(&["split", "--json"], SEVENTEEN).succeeded();
    assert_eq!(output.stderr, "");
    assert_eq!(folder.count(), 0, "no database, no secret");
    let answer = output.json();
    assert_eq!(fields(&answer, ["eligible", "theta"]), json!([17, 1600]));
    let splits = answer["splits"].as_array().expect("splits");
    let sizes: Vec<&Value> = splits.iter().map(|split| &split["size"]).collect();
    assert_eq!(sizes, [2, 3, 4, 5, 6, 7, 8]);
    let mut everybody: Vec<&str> = SEVENTEEN.lines().collect();
    everybody.sort_unstable();
    for split in splits {
        let [a, b, waiting] = ["a", "b", "waiting"].map(|team| members(split, team));
        assert_eq!(a[0], "99 Cheat", "the best always plays: {split}");
        assert_eq!(split["size"], a.len());
        assert_eq!(split["size"], b.len());
        let mut seated = [a, b, waiting].concat();
        seated.sort_unstable();
        assert_eq!(seated, everybody, "everybody once: {split}");
        assert_eq!(split["sum_a"], split["sum_b"], "{split}");
        assert_eq!(fields(split, ["difference", "optimal"]), json!([0, true]));
        assert_eq!(split["win_probability_a"], 0.5);
    }

    let table = folder.pipe(&["split"], SEVENTEEN).succeeded();
    table.shows("17 players, theta 1600\n");
    for (split, size) in splits.iter().zip(2..) {
        table.shows(&format!("\n{size} v {size}\n  a      99 Cheat"));
        let sum = split["sum_a"].to_string();
        let is_row = |line: &&str| line.trim_start().starts_with(&format!("{size}  "));
        let row = table.stdout.lines().find(is_row).unwrap_or_default();
        let row: Vec<&str> = row.split_whitespace().take(6).collect();
        let expected = [&size.to_string(), "0", &sum, &sum, "50.0", "%"];
        assert_eq!(row, expected, "{table:#?}");
    }
    let ids = table.stdout.contains("7656119");
    assert!(!ids, "no id that nobody knows: {table:#?}");
}

#[test]
fn a_list_is_read_from_a_file_or_standard_input_whatever_the_settings() {
    let folder = Folder::new();
    let expected = split("", SEVENTEEN).succeeded().stdout;
    folder.write("players.txt", SEVENTEEN);
    folder.write("config/rbs.toml", "[rating\n");
    let of_file = folder.run(&["split", "players.txt"]).succeeded();
    assert_eq!(of_file.stdout, expected);
    assert_eq!(split("-", SEVENTEEN).succeeded().stdout, expected);
    let decorated = format!("# ours\r\n\r\n{}", SEVENTEEN.replace('\n', "\r\n\r\n"));
    assert_eq!(split("", &decorated).succeeded().stdout, expected);

    folder.write("bad.txt", "5 a\n6\n");
    folder.write("huge.txt", "#".repeat(1024 * 1024 + 1));
    for (file, says) in [
        ("nowhere.txt", "nowhere.txt"),
        ("bad.txt", "bad.txt, line 2: "),
        ("huge.txt", "huge.txt is over"),
    ] {
        let refused = folder.run(&["split", file]).failed();
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""));
        refused.says(says);
    }
    let refused = split("", &format!("{SEVENTEEN}Roger 5\n")).failed();
    refused.says("rbs: standard input, line 18: ");
    let few = split("--size 8 --size 9", SEVENTEEN).failed();
    few.says("two teams of 9 need 18 players, and standard input has 17");
}

#[test]
fn fewer_than_four_players_are_no_error() {
    for (count, players, list) in [
        (0, "0 players", ""),
        (1, "1 player", "1 a\n"),
        (3, "3 players", "1 a\n2 a\n3 a\n"),
    ] {
        let said = format!("{players}: two teams need at least four\n");
        assert_eq!(split("", list).succeeded().stdout, said);
        let answer = answer("", list);
        assert_eq!(fields(&answer, ["eligible", "splits"]), json!([count, []]));
    }
}

#[test]
fn options_that_make_no_sense_are_refused_as_usage() {
    for (options, says) in [
        ("--size 1", "--size"),
        ("--size 65", "--size"),
        ("--theta 0", "--theta"),
        ("--tolerance=-1", "--tolerance"),
        ("--tolerance 1001", "--tolerance"),
        ("--alternatives 5", "--size"),
        ("--size 3 --alternatives 0", "--alternatives"),
        ("--size 3 --alternatives 21", "--alternatives"),
        ("--size 3 --size 4 --alternatives 2", "exactly one --size"),
        ("--no-bench --size 3", "--size"),
        ("--size 3 --pick 2", "--seed"),
        ("--pick 2 --seed 1", "exactly one --size"),
        ("--size 3 --pick 5 --seed 1", "--pick"),
        ("--role medic=9", "from 1 to 8"),
        ("one.txt two.txt", "two.txt"),
    ] {
        let refused = split(options, SEVENTEEN).failed();
        assert_eq!(refused.code, Some(2), "{options}: {refused:#?}");
        assert_eq!(refused.stdout, "", "{options}");
        refused.says(says);
    }
}

#[test]
fn options_for_the_teams_reach_the_splits() {
    let found = answer("--size 8 --size 3 --size 8", SEVENTEEN);
    let splits = found["splits"].as_array().expect("splits").iter();
    let sizes: Vec<Value> = splits.map(|split| split["size"].clone()).collect();
    assert_eq!(sizes, [3, 8]);

    let drawn = answer("--size 8 --pick 3 --seed 1", SEVENTEEN);
    assert_eq!(drawn["drawn"]["of"], 3, "{drawn}");
    let drawn = split("--no-bench --pick 1 --seed 0", SEVENTEEN).succeeded();
    drawn.shows("17 players, theta 2000, drawn: number 1 of the best 1\n");

    let list = "4000 a\n1000 b\n1000 b\n1000 b\n1000 b\n";
    let usual = answer("", list);
    assert_eq!(usual["theta"], 400, "of 2 v 2");
    let odds = answer("--theta 3000", list)["splits"][0]["win_probability_a"].clone();
    let odds = odds.as_f64().expect("odds");
    assert!((odds - 0.731_058_578_630_004_9).abs() < 1e-12, "{odds}");
    let free = &answer("--no-anchor", list)["splits"][0];
    assert_eq!(free["difference"], 0);
    assert_eq!(members(free, "waiting"), ["4000 a"]);

    let four = "1900 One\n1610 Two\n1300 Three\n1040 Four\n";
    // 1900 and 1040 lead by 30 points, 1900 and 1300 by 550.
    for (points, difference) in [(0, 30), (330, 220), (-330, 220)] {
        let options = format!("--size=2 --theta=1000 --advantage={points}");
        let split = &answer(&options, four)["splits"][0];
        assert_eq!(split["difference"], difference, "{split}");
        let [a, b] = ["sum_a", "sum_b"].map(|sum| split[sum].as_i64().expect("a sum"));
        let lead = i32::try_from(a - b + points).expect("a small lead");
        let odds = 1.0 / (1.0 + (-f64::from(lead) / 1000.0).exp());
        let found = split["win_probability_a"].as_f64().expect("odds");
        assert!((found - odds).abs() < 1e-12, "{split}");
    }

    let list = "1600 a\n1300 b\n1000 c\n1000 d\n900 e\n";
    let everybody = answer("--no-bench", list);
    assert_eq!(everybody["splits"].as_array().map(Vec::len), Some(1));
    let one = &everybody["splits"][0];
    assert_eq!(members(one, "a"), ["1600 a", "1300 b"]);
    assert_eq!(members(one, "b"), ["1000 c", "1000 d", "900 e"]);
    let text = split("--no-bench", list).succeeded();
    text.shows("\n2 v 3\n").shows("  waits  nobody\n");
}

#[test]
fn lines_are_marked_as_newcomers_and_with_roles() {
    let list = "1010 a\n990 b\n1000 c +newcomer\n1000 d +newcomer\n";
    let shared = split("", list).succeeded();
    shared.shows("2 v 2, 20 points apart, 0 possible, newcomers 1 and 1 for 20 points\n");
    let cheap = split("--newcomers=19", list).succeeded();
    cheap.shows("2 v 2, newcomers 0 and 2\n");
    let unshared = answer("--newcomers=0", list)["splits"][0]["newcomers"].clone();
    assert_eq!(unshared, Value::Null);

    let list = "1000 a +medic\n1000 b +medic +pilot\n1000 c\n1000 d +pilot x\n";
    let one = answer("--role medic --role=pilot=1", list)["splits"][0].clone();
    for team in ["a", "b"].map(|team| members(&one, team)) {
        let medics = ["1000 a", "1000 b"].map(str::to_owned);
        let count = medics.iter().filter(|medic| team.contains(medic)).count();
        assert_eq!(count, 1, "{one}");
    }
    // The mark is valid only at the end of a line, so one team lacks a pilot.
    let missing = json!([{"name": "pilot", "missing": 1}]);
    assert_eq!(one["roles"]["missing"], missing, "{one}");
    let pilots = split("--role pilot", list).succeeded();
    pilots
        .shows("\n2 v 2, the role pilot lacks 1 player\n")
        .shows("1000 a +medic");
    let refused = split("--role tank", list).failed();
    refused.says("write +tank at the end of the line of each player");
}
