use super::Folder;

#[test]
fn a_server_that_swaps_its_winners_is_named_and_a_sound_pool_names_nothing() {
    let folder = Folder::new();
    let arguments = ["faults", "--seeds", "1", "--rounds", "400"];
    let table = folder.run(&arguments).succeeded().stdout;
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 12, "{table}");
    assert_eq!(rows[2], "| none | - | - | 0.0 % | 0.0 % |", "{table}");
    let swapped = "| a server reports all winners wrong | 100.0 % |";
    assert!(rows[5].starts_with(swapped), "{table}");
}
