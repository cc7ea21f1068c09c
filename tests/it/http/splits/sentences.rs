//! Prices in the sentence of a split.

use serde_json::{Value, json};

use super::wishes::{rate, says, table};
use crate::http::ids;
use crate::support::App;

same_on_both_databases!(the_first_alternative_says_what_the_table_says);

fn alternatives(table: &Value) -> &[Value] {
    table["alternatives"].as_array().expect("a list")
}

fn points(split: &Value, key: &str) -> u64 {
    split[key].as_u64().expect("points")
}

async fn the_first_alternative_says_what_the_table_says(app: &App) {
    // Keeping the two best players together costs 800 points.
    rate(app, &[1600, 1300, 1000, 900]).await;
    let wishes = json!({
        "parties": [ids([1, 2])], "party_price": 800, "alternatives": {"size": 2, "count": 3},
    });
    let table = table(app, 4, wishes).await;
    let [first, others @ ..] = alternatives(&table) else {
        panic!("{table}");
    };
    assert_eq!(first, &table["splits"][0]);
    assert!(says(first, "; wishes cost 800 points"), "{first}");
    assert_eq!(others.len(), 2, "{table}");
    for split in others {
        assert!(!says(split, "wishes"), "{split}");
        let above = points(split, "difference") - points(split, "best_difference");
        let named = says(
            split,
            &format!("{above} points less even than the closest split"),
        );
        assert_eq!(named, above > 0, "{split}");
    }
}
