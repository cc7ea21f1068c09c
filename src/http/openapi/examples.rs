//! Examples of the API description. A test sends them in order and compares the answers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Example requests and answers in order, for a service with an empty database.
const EXAMPLES: &str = include_str!("examples.json");

/// Adds every example to its operation in the API description `described`.
pub(crate) fn insert(described: &mut Value) {
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    let Some(Value::Object(paths)) = described.get_mut("paths") else {
        return;
    };
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for example in examples.as_array().into_iter().flatten() {
        let count = counts.entry(example["operation"].as_str().unwrap_or_default());
        let count = *count.and_modify(|count| *count += 1).or_insert(1);
        let operations = paths
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flatten();
        for (_, operation) in operations {
            if operation["operationId"] == example["operation"] {
                insert_one(operation, example, count);
            }
        }
    }
}

/// Adds an example to an operation of the API description that has `count` examples so far, this one included. Tools
/// sort examples by name, so a number in the name keeps the plain example first.
fn insert_one(operation: &mut Value, example: &Value, count: u32) {
    let name = example["name"].as_str().unwrap_or_default();
    let name = &format!("{count:02}_{name}");
    let of = |value: &Value| json!({"summary": example["summary"], "value": value});
    if let Some(request) = example.get("request") {
        operation["requestBody"]["content"]["application/json"]["examples"][name] = of(request);
    }
    let parameters = operation
        .get_mut("parameters")
        .and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let sent = parameter["name"]
            .as_str()
            .and_then(|key| example["parameters"].get(key));
        if let Some(sent) = sent.cloned() {
            parameter["examples"][name] = json!({"value": sent});
        }
    }
    let status = example["status"].to_string();
    let kind = if example["status"]
        .as_u64()
        .is_some_and(|status| status >= 400)
    {
        super::PROBLEM_JSON
    } else {
        "application/json"
    };
    operation["responses"][status]["content"][kind]["examples"][name] = of(&example["answer"]);
}
