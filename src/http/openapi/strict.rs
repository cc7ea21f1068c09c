//! What holds for every answer and every query, said of each: derived schemas leave it open.

use serde_json::{Map, Value, json};

/// Where the named schemas stand.
const SCHEMAS: &str = "#/components/schemas/";

/// Makes `described` as strict as the service is.
pub(crate) fn close_schemas(described: &mut Value) {
    if let Some(Value::Object(schemas)) = described.pointer_mut("/components/schemas") {
        merge_flattened(schemas);
        // Nothing refers to these once they are merged into the answers that had them.
        for merged in ["SplitTableAnswer", "InterventionCountsAnswer"] {
            schemas.remove(merged);
        }
        for (name, schema) in schemas.iter_mut() {
            write_null(schema);
            if name.contains("Answer") {
                close(schema);
            }
        }
    }
    if let Some(Value::Object(paths)) = described.get_mut("paths") {
        for operation in paths
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flatten()
        {
            close_operation(operation.1);
        }
    }
}

/// What the code calls `None` is `null` in JSON.
fn write_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(description)) = members.get_mut("description") {
                *description = description.replace("`None`", "`null`");
            }
            members.values_mut().for_each(write_null);
        }
        Value::Array(items) => items.iter_mut().for_each(write_null),
        _ => {}
    }
}

/// Writes what is `allOf` other objects as one object, which alone can refuse further keys.
fn merge_flattened(schemas: &mut Map<String, Value>) {
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        if let Some(merged) = schemas.get(&name).and_then(|one| merged(one, schemas)) {
            schemas.insert(name, merged);
        }
    }
}

/// The properties of an object, and of those that it is made of.
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

/// Every key of an answer is there, no other is, and integers fit 32 signed bits.
fn close(schema: &mut Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut() {
            limit_integers(property);
        }
        let keys: Vec<String> = properties.keys().cloned().collect();
        schema["required"] = json!(keys);
        schema["additionalProperties"] = json!(false);
    }
}

fn limit_integers(schema: &mut Value) {
    let is_integer = |kind: &Value| match kind {
        Value::Array(kinds) => kinds.contains(&json!("integer")),
        kind => kind == "integer",
    };
    if schema.get("type").is_some_and(is_integer) {
        schema["format"] = json!("int32");
        if schema.get("minimum").is_none() {
            schema["minimum"] = json!(i32::MIN);
        }
        if schema.get("maximum").is_none() {
            schema["maximum"] = json!(i32::MAX);
        }
    }
    match schema {
        Value::Object(members) => {
            for key in ["items", "oneOf", "anyOf"] {
                if let Some(member) = members.get_mut(key) {
                    limit_integers(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(limit_integers),
        _ => {}
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
    // A body that may be left out may not be `null`.
    if let Some(body) = operation.pointer_mut("/requestBody/content/application~1json/schema") {
        without_null(body);
    }
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
        for response in responses.values_mut() {
            response["headers"]["x-request-id"] = json!({
                "description": "The request's id, which its lines in the log have too.",
                "schema": {"type": "string"},
            });
        }
    }
}

/// A query has texts alone; what is not there is left out.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_object_with_all_of_its_keys_and_no_others() {
        let mut described = json!({"components": {"schemas": {
            "PartAnswer": {"type": "object", "properties": {"a": {"type": "integer"}}},
            "WholeAnswer": {"description": "Both.", "allOf": [
                {"$ref": "#/components/schemas/PartAnswer"},
                {"type": "object", "properties": {"b": {"type": ["integer", "null"], "format": "int64", "minimum": 0}}},
            ]},
            "SomeRequest": {"type": "object", "properties": {"a": {"type": "integer"}}},
        }}});
        close_schemas(&mut described);
        let schemas = &described["components"]["schemas"];
        assert_eq!(
            schemas["WholeAnswer"],
            json!({
                "type": "object", "description": "Both.", "required": ["a", "b"], "additionalProperties": false,
                "properties": {
                    "a": {"type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX},
                    "b": {"type": ["integer", "null"], "format": "int32", "minimum": 0, "maximum": i32::MAX},
                },
            })
        );
        let request = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
        assert_eq!(schemas["SomeRequest"], request);
    }

    #[test]
    fn neither_a_parameter_nor_a_body_is_null() {
        for (open, strict) in [
            (
                json!({"oneOf": [{"type": "null"}, {"$ref": "x"}]}),
                json!({"$ref": "x"}),
            ),
            (
                json!({"type": ["string", "null"]}),
                json!({"type": "string"}),
            ),
        ] {
            let body = json!({"content": {"application/json": {"schema": &open}}});
            let get = json!({"parameters": [{"schema": &open}], "requestBody": body});
            let mut described = json!({"paths": {"/": {"get": get}}});
            close_schemas(&mut described);
            let get = &described["paths"]["/"]["get"];
            assert_eq!(get["parameters"][0]["schema"], strict);
            let body = &get["requestBody"]["content"]["application/json"];
            assert_eq!(body["schema"], strict);
        }
    }
}
