//! The description of the API, for programs and for people. The page needs no script and nothing from
//! any other host.

use std::sync::LazyLock;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Map, Value};

use super::strict::SCHEMAS;
use super::{description, openapi_json};

/// Where the description stands.
pub(crate) const DESCRIPTION: &str = "/openapi.json";
/// Where the page stands.
pub(crate) const PAGE: &str = "/docs";

/// The page, made once, since the description never changes in a process.
static TEXT: LazyLock<String> = LazyLock::new(|| page(&description()).into_string());

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1.", content_type = "application/json", body = Object)),
)]
pub(crate) async fn describe() -> Response {
    ([(CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

/// The same as a page to read.
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "The page.", content_type = "text/html", body = String)),
)]
pub(crate) async fn show_docs() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        // Should anything ever slip into the page, it can do nothing.
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        ),
    ];
    (headers, TEXT.as_str()).into_response()
}

/// The page of what `api` describes.
fn page(api: &Value) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "RBS: the API" }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                h1 { (text(&api["info"]["title"])) " " small { (text(&api["info"]["version"])) } }
                (paragraphs(&api["info"]["description"]))
                p { a href=(DESCRIPTION) { "openapi.json" } " is the same for programs." }
                @for tag in items(&api["tags"]) {
                    h2 { (text(&tag["name"])) }
                    (paragraphs(&tag["description"]))
                    @for (path, methods) in members(&api["paths"]) {
                        @for (method, operation) in members(methods) {
                            @if operation["tags"][0] == tag["name"] {
                                section id=(text(&operation["operationId"])) {
                                    h3 { (method.to_ascii_uppercase()) " " code { (path) } }
                                    (section(operation))
                                }
                            }
                        }
                    }
                }
                h2 { "Types" }
                @for (name, described) in members(&api["components"]["schemas"]) {
                    section id=(name) {
                        h3 { (name) }
                        (paragraphs(&described["description"]))
                        (schema(described))
                    }
                }
            }
        }
    }
}

fn section(operation: &Value) -> Markup {
    let body = &operation["requestBody"]["content"];
    html! {
        (paragraphs(&operation["summary"]))
        (paragraphs(&operation["description"]))
        @if operation["security"].is_array() { p { "Needs no secret." } }
        dl {
            @for parameter in items(&operation["parameters"]) {
                dt {
                    code { (text(&parameter["name"])) }
                    i { " in the " (text(&parameter["in"])) }
                    @if parameter["required"] == true { i { ", required" } }
                }
                dd { (prose(text(&parameter["description"]))) " " (schema(&parameter["schema"])) }
            }
        }
        @if body.is_object() { h4 { "Body" } (content(body)) }
        h4 { "Answers" }
        @for (status, response) in members(&operation["responses"]) {
            details open[status.starts_with('2')] {
                summary { b { (status) } " " (prose(text(&response["description"]))) }
                (content(&response["content"]))
            }
        }
    }
}

/// What a body looks like, and examples of it.
fn content(kinds: &Value) -> Markup {
    html! {
        @for (kind, media) in members(kinds) {
            div { code { (kind) } " " (schema(&media["schema"])) }
            @for (_, example) in members(&media["examples"]) {
                figure {
                    figcaption { (text(&example["summary"])) }
                    pre { (format!("{:#}", example["value"])) }
                }
            }
        }
    }
}

/// What a schema allows: its rules, and what it has inside; another one is named.
fn schema(described: &Value) -> Markup {
    if let Some(path) = described["$ref"].as_str() {
        let name = path.trim_start_matches(SCHEMAS);
        return html! { a href={ "#" (name) } { (name) } };
    }
    let required = items(&described["required"]);
    html! {
        span { (rules(described)) }
        @for (index, form) in ["oneOf", "anyOf"].iter().flat_map(|key| items(&described[key])).enumerate() {
            @if index > 0 { " or " }
            (schema(form))
        }
        @for (key, before) in [("items", " of "), ("additionalProperties", " to ")] {
            @if described[key].is_object() { (before) (schema(&described[key])) }
        }
        @if described["properties"].is_object() {
            dl {
                @for (name, property) in members(&described["properties"]) {
                    dt {
                        code { (name) }
                        @if !required.iter().any(|one| one == name) { i { " optional" } }
                    }
                    dd { (prose(text(&property["description"]))) " " (schema(property)) }
                }
            }
        }
    }
}

/// What a value must be: its type or the values there are, and every rule by its own name, but for
/// the bounds of 32 signed bits, which hold for every integer.
fn rules(schema: &Value) -> String {
    let rules = members(schema).filter_map(|(key, value)| match key {
        "type" if schema["enum"].is_null() => Some(choice(value)),
        "enum" => Some(choice(value)),
        "type" | "description" | "additionalProperties" => None,
        _ if value.is_object() || value.is_array() || *value == i32::MIN || *value == i32::MAX => {
            None
        }
        _ => Some(format!("{key} {value}")),
    });
    rules.collect::<Vec<_>>().join(", ")
}

/// A text, or what may be chosen of a list of texts.
fn choice(value: &Value) -> String {
    match value {
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" or "),
        value => text(value).to_owned(),
    }
}

/// The items of a list; none of what is no list.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The members of an object; none of what is no object.
fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flat_map(Map::iter);
    members.map(|(name, value)| (name.as_str(), value))
}

/// A text; nothing of what is no text.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn paragraphs(value: &Value) -> Markup {
    let paragraphs = text(value).split("\n\n").filter(|text| !text.is_empty());
    html! { @for paragraph in paragraphs { p { (prose(paragraph)) } } }
}

/// A sentence, in which what stands between backticks is code.
fn prose(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{description, page};

    #[test]
    fn the_page_names_every_operation_and_loads_nothing() {
        let described = description();
        let page = page(&described).into_string();
        let paths = described["paths"].as_object().expect("paths");
        assert!(paths.len() > 10, "{}", paths.len());
        for (path, item) in paths {
            for operation in item.as_object().expect("operations").values() {
                let id = operation["operationId"].as_str().expect("an id");
                let anchor = format!("<section id=\"{id}\">");
                assert_eq!(page.matches(&anchor).count(), 1, "{path}: {id}");
            }
        }
        for loads in "<script src= url( @import http:// https:// <link".split(' ') {
            assert!(!page.contains(loads), "the page has {loads}");
        }
    }

    #[test]
    fn what_is_described_cannot_become_markup() {
        let described = serde_json::json!({"info": {"title": "<b onclick=\"x\">&'"}});
        let page = page(&described).into_string();
        assert!(
            page.contains("&lt;b onclick=&quot;x&quot;&gt;&amp;'"),
            "{page}"
        );
    }
}
