use super::{Folder, line};

fn page(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a page")
}

#[test]
fn a_page_of_plots_stands_by_itself_and_has_every_model_and_pool() {
    let folder = Folder::new();
    let lines = |count: usize| -> String {
        (1..=count)
            .map(|number| line(number, "public-1") + "\n")
            .collect()
    };
    let all = lines(400);
    // Every second round of the other pool has another map and even teams.
    let other: String = lines(120)
        .lines()
        .enumerate()
        .map(|(number, line)| match number % 2 {
            0 => line.to_owned(),
            _ => line
                .replace("Übungsgelände", "<b>&")
                .replace(r#""at_start":false,"#, ""),
        })
        .map(|line| line.replacen('{', r#"{"pool":"duels","#, 1) + "\n")
        .collect();
    folder.write("rounds.jsonl", all + &other);
    folder.write("report.html", "an older page");
    let arguments = ["evaluate", "--html", "report.html", "rounds.jsonl"];
    let table = folder.run(&arguments).succeeded().stdout;
    let page = page(&folder, "report.html");
    let counts = table.lines().next().expect("a line about the file");
    let (title, counts) = counts.split_once(": ").expect("a title");
    assert!(page.contains(title) && page.contains(counts), "{counts}");
    for word in [
        "synelo",
        "adaptive",
        "ns2",
        "pool default",
        "pool duels",
        "By experience",
        "By team size",
        "3 v 2",
        "3 v 3",
        "By map",
        "&lt;b&gt;&amp; 竞技场",
    ] {
        assert!(page.contains(word), "{word}");
    }
    // One plot for each of seven models, one over time, and one for each division with several groups.
    assert_eq!(page.matches("<svg").count(), (7 + 1 + 1) + (7 + 1 + 3));
    for foreign in ["<script", "http", "<link", "src=", "<b>&", "NaN", "inf"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let nowhere = ["evaluate", "--html", "missing/report.html", "rounds.jsonl"];
    let failed = folder.run(&nowhere).failed();
    assert!(
        failed
            .stderr
            .contains("cannot write the page missing/report.html"),
        "{failed:#?}"
    );
}
