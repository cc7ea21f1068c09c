//! Descriptions in the OpenAPI document: every element has one.

use serde_json::Value;

use super::description::description;

/// Calls `look` with every object in `value` and its place.
fn walk<'value>(place: &str, value: &'value Value, look: &mut impl FnMut(&str, &'value Value)) {
    match value {
        Value::Object(members) => {
            look(place, value);
            for (name, member) in members.iter().filter(|(name, _)| *name != "examples") {
                walk(&format!("{place}/{name}"), member, look);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(&format!("{place}/{index}"), item, look);
            }
        }
        _ => {}
    }
}

fn is_described(value: &Value) -> bool {
    let text = value["description"].as_str().unwrap_or_default();
    !text.trim_end_matches('.').is_empty()
}

#[test]
fn every_property_parameter_header_and_schema_is_described() {
    let description = description();
    let (mut seen, mut missing) = (0, Vec::new());
    walk("", &description, &mut |place, value| {
        let list = value["parameters"].as_array().into_iter().flatten();
        let named = ["properties", "headers", "schemas", "responses"]
            .into_iter()
            .filter_map(|key| value[key].as_object())
            .flatten();
        let parameters = list.map(|one| (one["name"].as_str().unwrap_or_default(), one));
        let named = named.map(|(name, one)| (name.as_str(), one));
        for (name, one) in parameters.chain(named) {
            seen += 1;
            if !is_described(one) {
                missing.push(format!("{place}: {name}"));
            }
        }
    });
    assert!(seen > 500, "only {seen} were looked at");
    assert!(missing.is_empty(), "described in no word: {missing:#?}");
}

#[test]
fn a_formula_is_named_behind_what_it_is_in_words() {
    let description = description();
    let mut named = 0;
    walk("", &description, &mut |place, value| {
        let text = value["description"].as_str().unwrap_or_default();
        if place == "/info" {
            return;
        }
        for (at, _) in text.match_indices('F') {
            let rest = &text[at + 1..];
            let is_number = rest.starts_with(|next: char| next.is_ascii_digit());
            let before = &text[..at];
            if !is_number || before.ends_with(|last: char| last.is_ascii_alphanumeric()) {
                continue;
            }
            named += 1;
            let words = before.strip_suffix('(').map(str::split_whitespace);
            let words = words.map_or(0, Iterator::count);
            assert!(words >= 3, "{place} does not say in words: {text}");
        }
    });
    assert!(named >= 10, "only {named} formulas are named");
}

#[test]
fn the_examples_of_each_operation_begin_with_the_plain_one() {
    let examples = include_str!("../../../../src/http/openapi/examples.json");
    let examples: Vec<Value> = serde_json::from_str(examples).expect("JSON");
    let description = description();
    let paths = description["paths"].as_object().expect("paths");
    let operations = paths.values().filter_map(Value::as_object).flatten();
    let mut with_examples = 0;
    for (_, operation) in operations {
        let id = &operation["operationId"];
        let of_it: Vec<_> = examples
            .iter()
            .filter(|one| one["operation"] == *id)
            .collect();
        let Some(plain) = of_it.first() else { continue };
        with_examples += 1;
        let is_done = |one: &Value| one["status"] == 200;
        let any_done = of_it.iter().any(|one| is_done(one));
        assert_eq!(is_done(plain), any_done, "{id} begins with a refusal");
        let body = &operation["requestBody"]["content"]["application/json"]["examples"];
        if let Some((_, first)) = body.as_object().and_then(|all| all.iter().next()) {
            assert_eq!(first["summary"], plain["summary"], "{id}");
        }
    }
    assert!(with_examples > 20, "{with_examples}");
}
