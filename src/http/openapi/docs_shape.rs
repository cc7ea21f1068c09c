use serde_json::Value;

/// The deepest that one shape stands in another; beyond it, its name has to do.
const DEEPEST: usize = 8;

/// A page as it is written: what is not ours is escaped.
#[derive(Default)]
pub(crate) struct Html(String);

impl Html {
    /// Adds markup.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Adds a text, or another value as JSON; nothing for `null`.
    pub(crate) fn text(&mut self, value: &Value) {
        let text = match value {
            Value::Null => return,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        for character in text.chars() {
            match character {
                '<' => self.raw("&lt;"),
                '>' => self.raw("&gt;"),
                '&' => self.raw("&amp;"),
                '"' => self.raw("&quot;"),
                '\'' => self.raw("&#39;"),
                other => self.0.push(other),
            }
        }
    }

    /// Adds a text of several paragraphs.
    pub(crate) fn paragraphs(&mut self, value: &Value) {
        for paragraph in value.as_str().unwrap_or_default().split("\n\n") {
            if !paragraph.is_empty() {
                self.raw("<p>");
                self.text(&paragraph.into());
                self.raw("</p>\n");
            }
        }
    }

    /// The page.
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

/// Adds what a schema allows: its kind and rules, and what it has inside.
pub(crate) fn shape(html: &mut Html, described: &Value, schema: &Value, depth: usize) {
    if let Some(path) = schema["$ref"].as_str() {
        let found = described.pointer(path.trim_start_matches('#'));
        return match found {
            Some(named) if depth < DEEPEST => shape(html, described, named, depth),
            _ => html.text(&path.rsplit('/').next().unwrap_or_default().into()),
        };
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(forms) = schema[key].as_array() {
            for (index, form) in forms.iter().enumerate() {
                html.raw(if index == 0 { "" } else { " <i>or</i> " });
                shape(html, described, form, depth + 1);
            }
            return;
        }
    }
    html.raw("<span>");
    html.text(&rules(schema).into());
    html.raw("</span>");
    if let Some(properties) = schema["properties"].as_object() {
        let required = schema["required"].as_array();
        html.raw("\n<dl>\n");
        for (name, property) in properties {
            let is_required = required.is_some_and(|names| names.contains(&name.as_str().into()));
            html.raw("<dt><code>");
            html.text(&name.as_str().into());
            html.raw(if is_required {
                "</code>"
            } else {
                "</code> <i>optional</i>"
            });
            html.raw("</dt>\n<dd>");
            html.text(&property["description"]);
            html.raw(" ");
            shape(html, described, property, depth + 1);
            html.raw("</dd>\n");
        }
        html.raw("</dl>\n");
    }
    for (key, before) in [("items", " of "), ("additionalProperties", " to ")] {
        if schema[key].is_object() {
            html.raw(before);
            shape(html, described, &schema[key], depth + 1);
        }
    }
}

/// What a value must be, in words.
fn rules(schema: &Value) -> String {
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::String(kind) => vec![kind.as_str()],
        _ => vec!["anything"],
    };
    let mut rules = kinds.join(" or ");
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        rules = values.join(" or ");
    }
    if let Some("date-time") = schema["format"].as_str() {
        rules.push_str(", RFC 3339");
    }
    let least = bound(schema, &["minimum", "minItems", "minLength"]);
    let most = bound(schema, &["maximum", "maxItems", "maxLength"]);
    let range = match (least, most) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) => format!(", from {least}"),
        (None, Some(most)) => format!(", up to {most}"),
        (None, None) => String::new(),
    };
    rules + &range
}

/// The first of these bounds, but for those of 32 signed bits, which hold for every integer.
fn bound<'schema>(schema: &'schema Value, keys: &[&str]) -> Option<&'schema Value> {
    let bound = keys.iter().find_map(|key| schema.get(key))?;
    let is_common = *bound == i32::MIN || *bound == i32::MAX;
    (!is_common).then_some(bound)
}
