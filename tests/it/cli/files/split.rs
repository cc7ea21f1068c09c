use serde_json::Value;

use crate::cli::Folder;
use crate::cli::process::Finished;

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

fn split(folder: &Folder, arguments: &[&str], list: &str) -> Finished {
    folder.pipe(&[&["split"], arguments].concat(), list)
}

fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
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
    let output = split(&folder, &["--json"], SEVENTEEN).succeeded();
    assert_eq!(output.stderr, "");
    let answer = json(&output);
    assert_eq!(
        (&answer["eligible"], &answer["theta"]),
        (&17.into(), &1600.into())
    );
    let splits = answer["splits"].as_array().expect("splits");
    let sizes: Vec<u64> = splits
        .iter()
        .filter_map(|split| split["size"].as_u64())
        .collect();
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
        assert_eq!(
            (&split["difference"], &split["optimal"]),
            (&0.into(), &true.into())
        );
        assert_eq!(split["win_probability_a"], 0.5);
    }

    let table = split_text(&folder, &[]);
    assert!(table.starts_with("17 players, theta 1600\n"), "{table}");
    for (split, size) in splits.iter().zip(2..) {
        let (sum, heading) = (
            &split["sum_a"],
            format!("\n{size} v {size}\n  a      99 Cheat"),
        );
        let row = table
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{size}  ")));
        let row: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
        let sum = sum.to_string();
        assert_eq!(
            row[..6],
            [&size.to_string(), "0", &sum, &sum, "50.0", "%"],
            "{table}"
        );
        assert!(table.contains(&heading), "{table}");
    }
    assert!(table.contains("49 Jack O'Neill"), "{table}");
    assert!(
        !table.contains("7656119"),
        "no id that nobody knows: {table}"
    );
    assert!(table.lines().all(|line| line.len() <= 80), "{table}");
    let left = std::fs::read_dir(folder.0.path()).expect("a folder");
    assert_eq!(left.count(), 0, "no database, no secret");
}

fn split_text(folder: &Folder, arguments: &[&str]) -> String {
    split(folder, arguments, SEVENTEEN).succeeded().stdout
}

#[test]
fn a_list_is_read_from_a_file_or_standard_input_whatever_the_settings() {
    let folder = Folder::new();
    let expected = split_text(&folder, &[]);
    folder.write("players.txt", SEVENTEEN);
    folder.write("config/rbs.toml", "[rating\n");
    assert_eq!(
        split(&folder, &["players.txt"], "").succeeded().stdout,
        expected
    );
    assert_eq!(split_text(&folder, &["-"]), expected);
    let decorated = format!("# ours\r\n\r\n{}", SEVENTEEN.replace('\n', "\r\n\r\n"));
    assert_eq!(split(&folder, &[], &decorated).succeeded().stdout, expected);
    let missing = split(&folder, &["nowhere.txt"], "").failed();
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("nowhere.txt"), "{missing:#?}");
}

#[test]
fn theta_sets_the_odds() {
    let folder = Folder::new();
    let list = "4000 a\n1000 b\n1000 b\n1000 b\n1000 b\n";
    let output = json(&split(&folder, &["--json", "--theta", "3000"], list).succeeded());
    assert_eq!(output["theta"], 3000);
    let usual = json(&split(&folder, &["--json"], list).succeeded());
    assert_eq!(usual["theta"], 400, "of 2 v 2");
    let odds = output["splits"][0]["win_probability_a"]
        .as_f64()
        .expect("odds");
    assert!((odds - 0.731_058_578_630_004_9).abs() < 1e-12, "{odds}");
    let table = split(&folder, &["--theta", "3000"], list)
        .succeeded()
        .stdout;
    assert!(
        table.contains("theta 3000") && table.contains(" 73.1 % "),
        "{table}"
    );
}

#[test]
fn newcomers_of_a_list_are_shared_out_for_their_price() {
    let folder = Folder::new();
    let list = "1010 a\n990 b\n1000 c +newcomer\n1000 d +newcomer\n";
    let shared = split(&folder, &[], list).succeeded().stdout;
    let heading = "2 v 2, 20 points apart, 0 possible, newcomers 1 and 1 for 20 points\n";
    assert!(shared.contains(heading), "{shared}");
    let cheap = split(&folder, &["--newcomers=19"], list).succeeded().stdout;
    assert!(cheap.contains("2 v 2, newcomers 0 and 2\n"), "{cheap}");
    let counts = |arguments: &[&str]| {
        let answer = json(&split(&folder, &[&["--json"], arguments].concat(), list).succeeded());
        answer["splits"][0]["newcomers"].clone()
    };
    assert_eq!(counts(&[])["cost"], 20);
    assert_eq!(counts(&["--newcomers=0"]), Value::Null);
}

#[test]
fn fewer_than_four_players_are_no_error() {
    let folder = Folder::new();
    for (count, players, list) in [
        (0, "0 players", ""),
        (1, "1 player", "1 a\n"),
        (3, "3 players", "1 a\n2 a\n3 a\n"),
    ] {
        let output = split(&folder, &[], list).succeeded();
        let said = format!("{players}: two teams need at least four\n");
        assert_eq!(output.stdout, said);
        let answer = json(&split(&folder, &["--json"], list).succeeded());
        assert_eq!(
            (&answer["eligible"], &answer["splits"]),
            (&count.into(), &Value::Array(vec![]))
        );
    }
}

#[test]
fn a_bad_line_is_named_and_nothing_is_printed() {
    let folder = Folder::new();
    for (line, says) in [
        ("Roger 5", "write a whole number from -100000 to 1000000"),
        (
            "1000001 Roger",
            "write a whole number from -100000 to 1000000",
        ),
        (
            "-100001 Roger",
            "write a whole number from -100000 to 1000000",
        ),
        ("5", "such as: 5 Roger"),
    ] {
        let list = format!("{SEVENTEEN}\n{line}\n");
        let refused = split(&folder, &[], &list);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""));
        let said = &refused.stderr;
        assert!(said.starts_with("rbs: standard input, line 19: "), "{said}");
        assert!(said.contains(says), "{said}");
    }
    folder.write("players.txt", "5 a\n6\n");
    let refused = split(&folder, &["players.txt"], "").failed();
    assert!(
        refused.stderr.contains("players.txt, line 2: "),
        "{refused:#?}"
    );
    folder.write("huge.txt", "#".repeat(1024 * 1024 + 1));
    let refused = split(&folder, &["huge.txt"], "").failed();
    assert!(refused.stderr.contains("huge.txt is over"), "{refused:#?}");
}

#[test]
fn options_that_make_no_sense_are_refused_as_usage() {
    let folder = Folder::new();
    for (arguments, says) in [
        (&["--size", "1"][..], "--size"),
        (&["--size", "65"], "--size"),
        (&["--theta", "0"], "--theta"),
        (&["--tolerance=-1"], "--tolerance"),
        (&["--tolerance", "1001"], "--tolerance"),
        (&["--alternatives", "5"], "--size"),
        (&["--size", "3", "--alternatives", "0"], "--alternatives"),
        (&["--size", "3", "--alternatives", "21"], "--alternatives"),
        (
            &["--size", "3", "--size", "4", "--alternatives", "2"],
            "exactly one --size",
        ),
        (&["--no-bench", "--size", "3"], "--size"),
        (&["--size", "3", "--pick", "2"], "--seed"),
        (&["--pick", "2", "--seed", "1"], "exactly one --size"),
        (&["--size", "3", "--pick", "5", "--seed", "1"], "--pick"),
        (&["--role", "medic=9"], "from 1 to 8"),
        (&["--role", "combat medic"], "1 to 32 visible"),
        (&["one.txt", "two.txt"], "two.txt"),
    ] {
        let refused = split(&folder, arguments, SEVENTEEN);
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (Some(2), ""),
            "{refused:#?}"
        );
        assert!(refused.stderr.contains(says), "{arguments:?}: {refused:#?}");
    }
}

#[test]
fn teams_for_which_there_are_too_few_players_are_refused() {
    let folder = Folder::new();
    let refused = split(&folder, &["--size", "8", "--size", "9"], SEVENTEEN);
    assert_eq!(refused.code, Some(1));
    let said = "two teams of 9 need 18 players, and standard input has 17";
    assert!(refused.stderr.contains(said), "{refused:#?}");
}

#[test]
fn the_sizes_asked_for_are_the_only_ones() {
    let folder = Folder::new();
    let asked = ["--json", "--size", "8", "--size", "3", "--size", "8"];
    let answer = json(&split(&folder, &asked, SEVENTEEN).succeeded());
    let splits = answer["splits"].as_array().expect("splits").iter();
    let sizes: Vec<&Value> = splits.map(|split| &split["size"]).collect();
    assert_eq!(sizes, [3, 8]);
    let table = split_text(&folder, &["--size", "8"]);
    assert_eq!(table.matches(" v ").count(), 1, "{table}");
}

#[test]
fn a_draw_takes_one_of_the_best_splits_by_its_seed() {
    let folder = Folder::new();
    let asked = ["--json", "--size", "8", "--pick", "3", "--seed", "1"];
    let answer = json(&split(&folder, &asked, SEVENTEEN).succeeded());
    assert_eq!(answer["drawn"]["of"], 3, "{answer}");
    let text = split_text(&folder, &["--no-bench", "--pick", "1", "--seed", "0"]);
    let heading = "17 players, theta 2000, drawn: number 1 of the best 1\n";
    assert!(text.starts_with(heading), "{text}");
}

#[test]
fn without_an_anchor_the_best_may_wait() {
    let folder = Folder::new();
    let list = "4000 a\n1000 b\n1000 b\n1000 b\n1000 b\n";
    let answer = json(&split(&folder, &["--json", "--no-anchor"], list).succeeded());
    let free = &answer["splits"][0];
    assert_eq!(
        (&free["difference"], members(free, "waiting")),
        (&0.into(), vec!["4000 a".into()])
    );
}

#[test]
fn each_team_has_a_role_that_lines_are_marked_with() {
    let folder = Folder::new();
    let list = "1000 a +medic\n1000 b +medic +pilot\n1000 c\n1000 d +pilot x\n";
    let output = split(
        &folder,
        &["--json", "--role", "medic", "--role=pilot=1"],
        list,
    )
    .succeeded();
    let answer = json(&output);
    let one = &answer["splits"][0];
    let teams = ["a", "b"].map(|team| members(one, team));
    assert!(
        teams.iter().any(|team| team.contains(&"1000 a".to_owned())),
        "{one}"
    );
    assert!(
        teams.iter().all(|team| {
            let medics = ["1000 a", "1000 b"].map(str::to_owned);
            medics.iter().filter(|medic| team.contains(medic)).count() == 1
        }),
        "{one}"
    );
    // The mark is valid only at the end of a line, so one team lacks a pilot.
    let missing = serde_json::json!([{"name": "pilot", "missing": 1}]);
    assert_eq!(one["roles"]["missing"], missing, "{one}");
    let output = split(&folder, &["--role", "pilot"], list).succeeded();
    let heading = "\n2 v 2, the role pilot lacks 1 player\n";
    assert!(output.stdout.contains(heading), "{output:#?}");
    assert!(output.stdout.contains("1000 a +medic"), "{output:#?}");
    let refused = split(&folder, &["--role", "tank"], list).failed();
    let said = "write +tank at the end of the line of each player";
    assert!(refused.stderr.contains(said), "{refused:#?}");
}

#[test]
fn without_a_bench_everybody_plays() {
    let folder = Folder::new();
    let list = "1600 a\n1300 b\n1000 c\n1000 d\n900 e\n";
    let answer = json(&split(&folder, &["--json", "--no-bench"], list).succeeded());
    assert_eq!(answer["splits"].as_array().map(Vec::len), Some(1));
    let one = &answer["splits"][0];
    assert_eq!(members(one, "a"), ["1600 a", "1300 b"]);
    assert_eq!(members(one, "b"), ["1000 c", "1000 d", "900 e"]);
    assert_eq!((&one["size"], &one["difference"]), (&2.into(), &0.into()));
    let output = split(&folder, &["--no-bench"], list).succeeded();
    assert!(output.stdout.contains("\n2 v 3\n"), "{output:#?}");
    assert!(output.stdout.ends_with("  waits  nobody\n"), "{output:#?}");
}

#[test]
fn teams_make_up_for_the_side_that_is_ahead() {
    let folder = Folder::new();
    let list = "1900 One\n1610 Two\n1300 Three\n1040 Four\n";
    for points in [0, 330, -330] {
        let option = format!("--advantage={points}");
        let options = ["--json", "--size=2", "--theta=1000", &option];
        let split = json(&split(&folder, &options, list))["splits"][0].clone();
        let sum = |name: &str| split[name].as_i64().expect("a sum");
        let lead = sum("sum_a") - sum("sum_b") + points;
        assert_eq!(split["difference"].as_i64(), Some(lead.abs()), "{split}");
        // 1900 and 1040 lead by 30 points, 1900 and 1300 by 550.
        assert_eq!(lead.abs(), if points == 0 { 30 } else { 220 }, "{split}");
        let odds = 1.0 / (1.0 + (-f64::from(i32::try_from(lead).expect("small")) / 1000.0).exp());
        let found = split["win_probability_a"].as_f64().expect("odds");
        assert!((found - odds).abs() < 1e-12, "{split}");
    }
}
