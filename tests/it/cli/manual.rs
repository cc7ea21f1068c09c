use super::Folder;

#[test]
fn the_manual_has_a_page_for_every_command_the_same_each_time() {
    let folder = Folder::new();
    let printed = folder.run(&["man"]).succeeded().stdout;
    assert!(printed.starts_with(".ie"), "{printed}");
    for words in [".TH rbs 1", "RBS_ADMIN_SECRET_FILE", "import\\-ratings"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }

    let pages = |name: &str| {
        std::fs::create_dir(folder.path(name)).expect("a folder");
        folder.run(&["man", "--to", name]).succeeded();
        let mut pages: Vec<(String, String)> = std::fs::read_dir(folder.path(name))
            .expect("a folder")
            .map(|entry| {
                let entry = entry.expect("a file");
                let text = std::fs::read_to_string(entry.path()).expect("a page");
                (entry.file_name().display().to_string(), text)
            })
            .collect();
        pages.sort();
        pages
    };
    let first = pages("first");
    let named = |name: &str| first.iter().find(|(found, _)| found == name);
    assert_eq!(named("rbs.1").map(|(_, page)| page), Some(&printed));
    for (name, option) in [
        ("rbs-serve.1", "bind"),
        ("rbs-import.1", "keep\\-going"),
        ("rbs-player-set.1", "reason"),
    ] {
        let (_, page) = named(name).unwrap_or_else(|| panic!("there is no {name}"));
        assert!(page.contains(option), "{name}: {page}");
    }
    assert!(!first.iter().any(|(name, _)| name.contains("help")));
    assert_eq!(pages("second"), first);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new();
    let refused = folder.run(&["man", "--to", "nowhere"]).failed().stderr;
    assert!(
        refused.contains("nowhere") && refused.contains("--to"),
        "{refused}"
    );
}
