//! The description of the API, for programs and for people. The page needs nothing from any other host, and no script
//! but to be searched.

use std::sync::LazyLock;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::strict::SCHEMAS;
use super::{description, openapi_json};

/// Where the description stands.
pub(crate) const DESCRIPTION: &str = "/openapi.json";
/// Where the page stands.
pub(crate) const PAGE: &str = "/docs";

/// How the page looks: the colours and letters of the dashboard, and what is its own.
const STYLE: &str = concat!(
    include_str!("../../dashboard/page/styles/tokens.css"),
    include_str!("style.css")
);
/// What searches the page.
const SCRIPT: &str = include_str!("search.js");

/// The page, made once, since the description never changes in a process.
static TEXT: LazyLock<String> = LazyLock::new(|| page(&description()).into_string());

/// What the page may do: have its own style and its own script, which are known by their digests. Should anything ever
/// slip into it, that can do nothing.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        source(SCRIPT),
        source(STYLE)
    )
});

/// What a policy calls a text by its digest.
fn source(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// The bytes in base64, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut bits = 0_u32;
        for index in 0..3 {
            bits = bits << 8 | u32::from(three.get(index).copied().unwrap_or(0));
        }
        for index in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index > three.len() {
                '='
            } else {
                char::from(digit)
            });
        }
    }
    text
}

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
        (CONTENT_SECURITY_POLICY, POLICY.as_str()),
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
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (text(&api["info"]["title"])) " " small { (text(&api["info"]["version"])) } }
                    (paragraphs(&api["info"]["description"]))
                    p { a href=(DESCRIPTION) { "openapi.json" } " is the same for programs." }
                }
                div.columns {
                    (contents(api))
                    main {
                        @for tag in items(&api["tags"]) {
                            section.group id=(anchor(tag)) {
                                h2 { (text(&tag["name"])) }
                                (paragraphs(&tag["description"]))
                                @for (path, method, operation) in operations(api, tag) {
                                    details.entry {
                                        summary {
                                            h3 { b { (method.to_ascii_uppercase()) } " " code { (path) } }
                                            span { (prose(text(&operation["summary"]))) }
                                        }
                                        // Whoever follows a link to what is folded has it unfolded by the browser.
                                        div.inside id=(text(&operation["operationId"])) { (section(operation)) }
                                    }
                                }
                            }
                        }
                        section.group #types {
                            h2 { "Types" }
                            @for (name, described) in members(&api["components"]["schemas"]) {
                                details.entry {
                                    summary { h3 { code { (name) } } }
                                    div.inside id=(name) {
                                        (paragraphs(&described["description"]))
                                        (schema(described))
                                    }
                                }
                            }
                        }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// Where to find what: the groups, and their operations. The search is hidden where no script shows it.
fn contents(api: &Value) -> Markup {
    html! {
        nav aria-label="Contents" {
            div #searching hidden {
                label for="search" { "Search" }
                input #search type="search" autocomplete="off" spellcheck="false" placeholder="a path, a field, a word";
                output #found for="search" {}
            }
            ul {
                @for tag in items(&api["tags"]) {
                    li {
                        a href={ "#" (anchor(tag)) } { (text(&tag["name"])) }
                        ul {
                            @for (path, method, operation) in operations(api, tag) {
                                li {
                                    a href={ "#" (text(&operation["operationId"])) } {
                                        b { (method.to_ascii_uppercase()) } " " (path)
                                    }
                                }
                            }
                        }
                    }
                }
                li { a href="#types" { "Types" } }
            }
        }
    }
}

/// Where the operations of a tag stand in the page.
fn anchor(tag: &Value) -> String {
    format!("tag-{}", text(&tag["name"]).to_lowercase())
}

/// The operations of a tag, with their paths and methods.
fn operations<'api>(
    api: &'api Value,
    tag: &'api Value,
) -> impl Iterator<Item = (&'api str, &'api str, &'api Value)> {
    let paths = members(&api["paths"]);
    let all = paths.flat_map(|(path, methods)| {
        members(methods).map(move |(method, operation)| (path, method, operation))
    });
    all.filter(|(_, _, operation)| operation["tags"][0] == tag["name"])
}

fn section(operation: &Value) -> Markup {
    let body = &operation["requestBody"]["content"];
    html! {
        (paragraphs(&operation["description"]))
        @if operation["security"].is_array() { p { "Needs no secret." } }
        @if !items(&operation["parameters"]).is_empty() { h4 { "Parameters" } }
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
                    figcaption { (prose(text(&example["summary"]))) }
                    // What can be scrolled is scrolled by keys too.
                    pre tabindex="0" { (format!("{:#}", example["value"])) }
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
    use std::collections::BTreeSet;

    use super::{POLICY, base64, description, page, source};

    #[test]
    fn the_page_names_every_operation_and_loads_nothing() {
        let described = description();
        let page = page(&described).into_string();
        let paths = described["paths"].as_object().expect("paths");
        assert!(paths.len() > 10, "{}", paths.len());
        for (path, item) in paths {
            for operation in item.as_object().expect("operations").values() {
                let id = operation["operationId"].as_str().expect("an id");
                let anchor = format!("<div class=\"inside\" id=\"{id}\">");
                assert_eq!(page.matches(&anchor).count(), 1, "{path}: {id}");
            }
        }
        for loads in "src= url( @import http:// https:// <link style=".split(' ') {
            assert!(!page.contains(loads), "the page has {loads}");
        }
        assert_eq!(page.matches("<script").count(), 1);
    }

    #[test]
    fn every_link_within_the_page_leads_somewhere() {
        let page = page(&description()).into_string();
        let parts = |before| page.split(before).skip(1);
        let ids: BTreeSet<&str> = parts(" id=\"")
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert_eq!(ids.len(), parts(" id=\"").count(), "an id stands twice");
        let links: BTreeSet<&str> = parts(" href=\"#")
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(links.len() > 100, "{}", links.len());
        assert!(links.is_subset(&ids), "{:?}", links.difference(&ids));
    }

    #[test]
    fn the_policy_knows_script_and_style_as_they_stand_in_the_page() {
        assert_eq!(
            source(""),
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        );
        assert_eq!(
            ["", "f", "fo", "foo"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v"]
        );
        let page = page(&description()).into_string();
        for (start, end) in [("<script>", "</script>"), ("<style>", "</style>")] {
            let text = page
                .split(start)
                .nth(1)
                .and_then(|rest| rest.split(end).next());
            let source = source(text.expect("it stands there"));
            assert!(POLICY.contains(&format!("'{source}'")), "{}", *POLICY);
        }
        assert!(!POLICY.contains("unsafe"), "{}", *POLICY);
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
