//! Tightens the generated schemas of the API description, which leave open what holds for every answer and every query.

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// Makes the schemas of the API description `described` as strict as the service.
pub(crate) fn close_schemas(described: &mut Value) {
    if let Some(Value::Object(schemas)) = described.pointer_mut("/components/schemas") {
        merge_flattened(schemas);
        // After the merge, no schema refers to these.
        for merged in ["SplitTableAnswer", "InterventionCountsAnswer"] {
            schemas.remove(merged);
        }
        for (name, schema) in schemas.iter_mut() {
            lift_descriptions(schema);
            if name.contains("Answer") {
                close(schema);
            }
        }
    }
    if let Some(Value::Object(paths)) = described.get_mut("paths") {
        let methods = paths.values_mut().filter_map(Value::as_object_mut);
        for (_, operation) in methods.flatten() {
            close_operation(operation);
        }
    }
}

/// Replaces each `allOf` of the JSON schemas by one merged object, because only a single object can forbid further
/// keys.
fn merge_flattened(schemas: &mut Map<String, Value>) {
    let named = schemas.clone();
    for schema in schemas.values_mut() {
        merge_within(schema, &named);
    }
}

fn merge_within(schema: &mut Value, named: &Map<String, Value>) {
    if let Some(merged) = merged(schema, named) {
        *schema = merged;
    }
    for_each_part(schema, &mut |part| merge_within(part, named));
}

/// Calls `act` with each member of a JSON object, or each item of a list.
fn for_each_part(value: &mut Value, act: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(members) => members.values_mut().for_each(act),
        Value::Array(items) => items.iter_mut().for_each(act),
        _ => {}
    }
}

/// Returns one JSON schema with the properties of all `allOf` parts of `schema`, or `None` without `allOf`.
fn merged(schema: &Value, schemas: &Map<String, Value>) -> Option<Value> {
    let parts = schema.get("allOf")?.as_array()?;
    let mut properties = Map::new();
    for part in parts {
        let named = part["$ref"]
            .as_str()
            .and_then(|path| path.strip_prefix(SCHEMAS));
        let part = named.and_then(|name| schemas.get(name)).unwrap_or(part);
        let nested = merged(part, schemas);
        let part = nested.as_ref().unwrap_or(part);
        properties.extend(part["properties"].as_object()?.clone());
    }
    let mut object = json!({"type": "object", "properties": properties});
    if let Some(description) = schema.get("description") {
        object["description"] = description.clone();
    }
    Some(object)
}

/// Moves the description of a nullable value out of the JSON schema's `oneOf`, to the place where tools show it.
fn lift_descriptions(schema: &mut Value) {
    for_each_part(schema, &mut lift_descriptions);
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    let Some(Value::Array(forms)) = members.get_mut("oneOf") else {
        return;
    };
    if forms.len() == 2 && forms.iter().any(|form| form["type"] == "null") {
        let mut forms = forms.iter_mut().filter_map(Value::as_object_mut);
        if let Some(description) = forms.find_map(|form| form.remove("description")) {
            members.entry("description").or_insert(description);
        }
    }
}

/// Makes the JSON schema of an answer require every key, forbid others, and limit integers to 32 signed bits. Applies
/// to nested objects without a name too, as in generic answers.
fn close(schema: &mut Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut() {
            limit_integers(property);
        }
        let keys: Vec<String> = properties.keys().cloned().collect();
        schema["required"] = json!(keys);
        schema["additionalProperties"] = json!(false);
    }
    for_each_part(schema, &mut close);
}

fn limit_integers(schema: &mut Value) {
    for_each_part(schema, &mut limit_integers);
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    let is_integer = match members.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
        kind => kind.is_some_and(|kind| kind == "integer"),
    };
    if is_integer {
        members.insert("format".to_owned(), json!("int32"));
        members.entry("minimum").or_insert(json!(i32::MIN));
        members.entry("maximum").or_insert(json!(i32::MAX));
    }
}

fn close_operation(operation: &mut Value) {
    if let Some(Value::Array(parameters)) = operation.get_mut("parameters") {
        for parameter in parameters {
            if let Some(schema) = parameter.get_mut("schema") {
                without_null(schema);
            }
        }
    }
    // An optional body may be left out, but may not be `null`.
    if let Some(body) = operation.pointer_mut("/requestBody/content/application~1json/schema") {
        without_null(body);
    }
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
        for response in responses.values_mut() {
            response["headers"]["x-request-id"] = json!({
                "description": "The id of the request, which its log lines contain too.",
                "schema": {"type": "string"},
            });
        }
    }
}

/// Removes `null` from the JSON schema of a value that is left out instead.
fn without_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(forms)) = schema.get_mut("oneOf") {
        forms.retain(|form| form["type"] != "null");
        if let [only] = forms.as_slice() {
            *schema = only.clone();
        }
    }
}
