//! Rules that hold for every operation of the description.

use rbs::http::openapi_json;
use reqwest::Method;
use serde_json::{Value, json};

use super::id;
use crate::support::{App, fields, refused};

same_on_both_databases!(no_operation_takes_a_parameter_a_value_or_a_pool_that_it_does_not_know,);

struct Operation {
    method: Method,
    /// Path with its required parameters, to which others can be appended.
    path: String,
    /// Parameters of the query.
    parameters: Vec<Value>,
}

/// Operations that need a secret, with their path parameters filled in.
fn operations() -> Vec<Operation> {
    let description: Value = serde_json::from_str(openapi_json()).expect("JSON");
    let mut found = Vec::new();
    for (path, methods) in description["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", &id(1));
        let path = path.replace("{server}", "s").replace("{round_id}", "1");
        for (method, operation) in methods.as_object().expect("operations") {
            if operation["security"].is_array() {
                continue;
            }
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let of_query = parameters.filter(|parameter| parameter["in"] == "query");
            let required = match (method.as_str(), path.as_str()) {
                ("get", "/v1/scramble") => "server=s&",
                _ => "",
            };
            found.push(Operation {
                method: method.to_uppercase().parse().expect("a method"),
                path: format!("{path}?{required}"),
                parameters: of_query.cloned().collect(),
            });
        }
    }
    assert!(found.len() > 40, "{}", found.len());
    found
}

/// Values just outside what a parameter takes.
fn wrong_values(parameter: &Value) -> Vec<String> {
    let schema = &parameter["schema"];
    let beyond = |bound: &str, by: i64| Some((schema[bound].as_i64()? + by).to_string());
    match schema["type"].as_str() {
        Some("integer") => {
            let bounds = [beyond("minimum", -1), beyond("maximum", 1)];
            bounds.into_iter().flatten().collect()
        }
        _ if parameter["name"] == "search" => Vec::new(),
        _ if parameter["name"] == "after" => vec![String::new(), "x".to_owned()],
        _ => vec![String::new()],
    }
}

async fn no_operation_takes_a_parameter_a_value_or_a_pool_that_it_does_not_know(app: &App) {
    let mut checked = 0;
    for operation in operations() {
        let (method, path) = (operation.method, operation.path);
        let ask = |query: &str| {
            let request = app.admin(method.clone(), &format!("{path}{query}"));
            request.json(&json!({}))
        };
        let mut wrong = vec![("odd", "1".to_owned())];
        for parameter in &operation.parameters {
            let name = parameter["name"].as_str().expect("a name");
            wrong.extend(
                wrong_values(parameter)
                    .into_iter()
                    .map(|value| (name, value)),
            );
            if name == "pool" {
                let (_, problem) = refused(ask("pool=nowhere"), 404).await;
                let detail = problem["detail"].as_str().expect("a detail");
                let is_named = detail.contains("nowhere") || path.starts_with("/v1/scramble");
                assert!(is_named, "{method} {path}: {problem}");
            }
        }
        for (name, value) in wrong {
            let (_, problem) = refused(ask(&format!("{name}={value}")), 422).await;
            let named = fields(&problem).contains(&format!("/{name}").as_str());
            assert!(named, "{method} {path}{name}={value}: {problem}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}
