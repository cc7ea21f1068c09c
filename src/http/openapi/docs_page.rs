use serde_json::Value;

use super::docs_shape::{Html, shape};

const STYLE: &str = include_str!("style.css");

/// The page that says what `described` does.
pub(crate) fn page(described: &Value) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<title>RBS: the API</title>\n<style>\n");
    html.raw(STYLE);
    html.raw("</style>\n</head>\n<body>\n<header>\n<h1>");
    html.text(&described["info"]["title"]);
    html.raw(" <small>");
    html.text(&described["info"]["version"]);
    html.raw("</small></h1>\n");
    html.paragraphs(&described["info"]["description"]);
    html.raw(
        "<p><a href=\"/openapi.json\">openapi.json</a> is the same for programs.</p>\n</header>\n",
    );

    let tags = described["tags"].as_array();
    html.raw("<nav>\n");
    for tag in tags.into_iter().flatten() {
        html.raw("<h2>");
        html.text(&tag["name"]);
        html.raw("</h2>\n<ul>\n");
        for (path, method, operation) in of_tag(described, tag) {
            html.raw("<li><a href=\"#");
            html.text(&operation["operationId"]);
            html.raw("\">");
            heading(&mut html, method, path);
            html.raw("</a></li>\n");
        }
        html.raw("</ul>\n");
    }
    html.raw("</nav>\n<main>\n");
    for tag in tags.into_iter().flatten() {
        html.raw("<h2>");
        html.text(&tag["name"]);
        html.raw("</h2>\n");
        html.paragraphs(&tag["description"]);
        for (path, method, operation) in of_tag(described, tag) {
            section(&mut html, described, path, method, operation);
        }
    }
    html.raw("</main>\n</body>\n</html>\n");
    html.into_string()
}

/// The operations of a tag: path, method, and what is said of it.
fn of_tag<'doc>(
    described: &'doc Value,
    tag: &'doc Value,
) -> impl Iterator<Item = (&'doc str, &'doc str, &'doc Value)> {
    let paths = described["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let operations = item.as_object().into_iter().flatten();
        operations.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    all.filter(|(_, _, operation)| operation["tags"][0] == tag["name"])
}

fn heading(html: &mut Html, method: &str, path: &str) {
    html.raw("<b>");
    html.text(&method.to_ascii_uppercase().into());
    html.raw("</b> <code>");
    html.text(&path.into());
    html.raw("</code>");
}

fn section(html: &mut Html, described: &Value, path: &str, method: &str, operation: &Value) {
    html.raw("<section id=\"");
    html.text(&operation["operationId"]);
    html.raw("\">\n<h3>");
    heading(html, method, path);
    html.raw("</h3>\n");
    html.paragraphs(&operation["summary"]);
    html.paragraphs(&operation["description"]);
    if operation["security"].is_array() {
        html.raw("<p>Needs no secret.</p>\n");
    }
    let parameters = operation["parameters"].as_array();
    if parameters.is_some_and(|parameters| !parameters.is_empty()) {
        html.raw("<h4>Parameters</h4>\n<dl>\n");
        for parameter in parameters.into_iter().flatten() {
            html.raw("<dt><code>");
            html.text(&parameter["name"]);
            html.raw("</code> <i>in the ");
            html.text(&parameter["in"]);
            html.raw(if parameter["required"] == true {
                ", required"
            } else {
                ""
            });
            html.raw("</i></dt>\n<dd>");
            html.text(&parameter["description"]);
            html.raw(" ");
            shape(html, described, &parameter["schema"], 0);
            html.raw("</dd>\n");
        }
        html.raw("</dl>\n");
    }
    let body = &operation["requestBody"]["content"]["application/json"];
    if body.is_object() {
        html.raw("<h4>Body</h4>\n");
        content(html, described, body);
    }
    html.raw("<h4>Answers</h4>\n");
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let open = if status.starts_with('2') { " open" } else { "" };
        html.raw("<details");
        html.raw(open);
        html.raw("><summary><b>");
        html.text(&status.as_str().into());
        html.raw("</b> ");
        html.text(&response["description"]);
        html.raw("</summary>\n");
        for (kind, media) in response["content"].as_object().into_iter().flatten() {
            html.raw("<p><code>");
            html.text(&kind.as_str().into());
            html.raw("</code></p>\n");
            content(html, described, media);
        }
        html.raw("</details>\n");
    }
    html.raw("</section>\n");
}

/// What a body looks like, and examples of it.
fn content(html: &mut Html, described: &Value, media: &Value) {
    shape(html, described, &media["schema"], 0);
    for (_, example) in media["examples"].as_object().into_iter().flatten() {
        html.raw("<figure><figcaption>");
        html.text(&example["summary"]);
        html.raw("</figcaption><pre>");
        html.text(&format!("{:#}", example["value"]).into());
        html.raw("</pre></figure>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::http::openapi::description;

    #[test]
    fn the_page_names_every_operation_and_loads_nothing() {
        let described = description();
        let page = page(&described);
        let paths = described["paths"].as_object().expect("paths");
        assert!(paths.len() > 10, "{}", paths.len());
        for (path, item) in paths {
            for operation in item.as_object().expect("operations").values() {
                let id = operation["operationId"].as_str().expect("an id");
                let anchor = format!("<section id=\"{id}\">");
                assert_eq!(page.matches(&anchor).count(), 1, "{path}: {id}");
            }
        }
        for loads in [
            "<script", "src=", "url(", "@import", "http://", "https://", "<link",
        ] {
            assert!(!page.contains(loads), "the page has {loads}");
        }
    }

    #[test]
    fn what_is_described_cannot_become_markup() {
        let described = serde_json::json!({"info": {"title": "<b onclick=\"x\">&'"}});
        let page = page(&described);
        assert!(
            page.contains("&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;"),
            "{page}"
        );
    }
}
