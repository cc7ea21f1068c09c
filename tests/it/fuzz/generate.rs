//! Requests that are nearly valid, and arbitrary ones.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::bodies::body_of;
use super::paths::known;

/// A request before HTTP encoding.
#[derive(Clone, Debug)]
pub struct Sent {
    pub method: String,
    /// Path with the query string.
    pub path: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Vec<u8>,
    pub who: Who,
}

/// Owner of the secret that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    GameServer,
    /// Bound to the server `home-1`, and therefore to the pool `default`.
    Bound,
    Admin,
    Nobody,
}

/// Texts that have broken something somewhere.
pub const ODD: [&str; 34] = [
    "",
    " ",
    "'",
    "\"",
    "'; drop table players; --",
    "' or '1'='1",
    "1) union select content from split_tables --",
    "$1",
    "%s%n",
    "\\",
    "\0",
    "a\0b",
    "\n",
    "a\r\nlevel=ERROR forged",
    "{\"level\":\"ERROR\"}",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{9b}31m",
    "\u{7f}",
    "\u{202e}txet",
    "\u{feff}",
    "\u{2028}",
    "ẞ",
    "😀",
    "e\u{301}",
    "../../etc/passwd",
    "%00",
    "%2e%2e%2f",
    "<script>alert(1)</script>",
    "${jndi:ldap://x}",
    "NaN",
    "-0",
    "1e400",
    "99999999999999999999",
    "null",
];

pub(super) fn odd_text() -> BoxedStrategy<String> {
    prop_oneof![
        4 => select(&ODD[..]).prop_map(str::to_owned),
        2 => ".{0,80}",
        1 => vec(any::<char>(), 0..40).prop_map(|characters| characters.into_iter().collect()),
        1 => (select(&ODD[..]), 1..200_usize).prop_map(|(text, times)| text.repeat(times)),
    ]
    .boxed()
}

pub(super) fn id() -> BoxedStrategy<Value> {
    prop_oneof![
        8 => (1..40_u64).prop_map(|n| json!((76_561_197_960_265_728 + n).to_string())),
        1 => (1..40_u64).prop_map(|n| json!(76_561_197_960_265_728 + n)),
        1 => (1..40_u64).prop_map(|n| json!(format!("[U:1:{n}]"))),
        1 => any::<u64>().prop_map(|n| json!(n)),
        1 => any::<u64>().prop_map(|n| json!(format!("STEAM_0:{}:{n}", n % 3))),
        1 => odd_text().prop_map(|text| json!(text)),
    ]
    .boxed()
}

fn odd_value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        any::<u64>().prop_map(|value| json!(value)),
        any::<f64>().prop_map(|value| json!(value)),
        odd_text().prop_map(|value| json!(value)),
        id(),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            vec((odd_text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
    .boxed()
}

pub(super) fn server() -> BoxedStrategy<Value> {
    prop_oneof![
        4 => Just(json!("home-1")),
        2 => Just(json!("arena-1")),
        2 => Just(json!("s")),
        1 => odd_text().prop_map(|text| json!(text)),
    ]
    .boxed()
}

/// Collects the JSON pointers of all places in `value`.
fn places(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{here}/{index}"), all);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                places(member, &format!("{here}/{key}"), all);
            }
        }
        _ => {}
    }
}

/// Replaces one place of `value` with something else.
fn bent() -> impl Fn((Value, Value, prop::sample::Index, bool, String)) -> Value + Clone {
    |(mut value, odd, place, add, key)| {
        let mut all = Vec::new();
        places(&value, "", &mut all);
        let at = value
            .pointer_mut(&all[place.index(all.len())])
            .expect("a place in the value");
        match at {
            Value::Object(members) if add => {
                members.insert(key, odd);
            }
            Value::Array(items) if add => items.push(odd),
            at => *at = odd,
        }
        value
    }
}

/// A body for `path`: valid, modified, truncated, corrupted or arbitrary.
pub fn body(path: &str) -> BoxedStrategy<Vec<u8>> {
    let right = body_of(path);
    let place = any::<prop::sample::Index>;
    let bent_once = (
        right.clone(),
        odd_value(),
        place(),
        any::<bool>(),
        odd_text(),
    )
        .prop_map(bent());
    let bytes = |value: Value| value.to_string().into_bytes();
    prop_oneof![
        6 => right.clone().prop_map(bytes),
        6 => bent_once.prop_map(bytes),
        1 => (right.clone(), place()).prop_map(move |(value, at)| {
            let mut text = bytes(value);
            text.truncate(at.index(text.len()));
            text
        }),
        1 => (right.clone(), place(), any::<u8>()).prop_map(move |(value, at, byte)| {
            let mut text = bytes(value);
            let at = at.index(text.len());
            text[at] = byte;
            text
        }),
        1 => (right, 1..8_usize).prop_map(move |(value, times)| bytes(value).repeat(times)),
        1 => odd_value().prop_map(bytes),
        1 => vec(any::<u8>(), 0..300),
        1 => (1..300_usize, select(vec!["[", "{\"a\":", "\"", "0", "[[1],"]))
            .prop_map(|(times, text)| text.repeat(times * 100).into_bytes()),
        1 => Just(vec![b' '; 256 * 1024 + 1]),
    ]
    .boxed()
}

/// Percent-encodes `text` for a path or query.
pub fn escaped(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut escaped, byte| {
        write!(escaped, "%{byte:02X}").expect("a text takes everything");
        escaped
    })
}

/// A text for a path or query, encoded or raw.
pub(super) fn segment() -> BoxedStrategy<String> {
    prop_oneof![
        3 => id().prop_map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned)),
        3 => odd_text().prop_map(|text| escaped(&text)),
        1 => "[!-~]{0,40}",
    ]
    .boxed()
}

fn query() -> BoxedStrategy<String> {
    let key = prop_oneof![
        4 => select(vec!["server", "pool"]).prop_map(str::to_owned),
        1 => segment(),
    ];
    let value = prop_oneof![
        5 => select(vec!["home-1", "arena-1", "s", "arena", "default"]).prop_map(str::to_owned),
        2 => segment(),
    ];
    let pairs = vec(
        (key, value).prop_map(|(key, value)| format!("{key}={value}")),
        0..3,
    );
    prop_oneof![
        3 => Just(String::new()),
        5 => pairs.prop_map(|pairs| format!("?{}", pairs.join("&"))),
        1 => "[!-~]{0,40}".prop_map(|text| format!("?{text}")),
    ]
    .boxed()
}

fn headers() -> BoxedStrategy<Vec<(String, Vec<u8>)>> {
    let json = || ("content-type".to_owned(), b"application/json".to_vec());
    let name = prop_oneof![
        select(vec![
            "content-type",
            "x-request-id",
            "accept",
            "cookie",
            "host"
        ])
        .prop_map(str::to_owned),
        "[a-z-]{1,20}",
    ];
    let odd = vec(
        (
            name,
            prop_oneof![
                odd_text().prop_map(String::into_bytes),
                vec(any::<u8>(), 0..100),
                Just(b"text/plain".to_vec()),
            ],
        ),
        0..4,
    );
    (odd, 0..8_u8)
        .prop_map(move |(mut headers, without)| {
            if without > 0 {
                headers.retain(|(name, _)| name != "content-type");
                headers.push(json());
            }
            headers
        })
        .boxed()
}

pub fn request() -> BoxedStrategy<Sent> {
    let who = select(vec![
        Who::GameServer,
        Who::GameServer,
        Who::Bound,
        Who::Admin,
        Who::Admin,
        Who::Nobody,
    ]);
    // Rounds are more frequent, because two with the same name would be rare otherwise.
    let update = ("POST".to_owned(), "/v1/update".to_owned());
    let target = prop_oneof![
        12 => known(),
        1 => Just(update),
        1 => (known(), "[A-Z]{1,12}").prop_map(|((_, path), method)| (method, path)),
        1 => vec(segment(), 0..4).prop_map(|parts| ("GET".to_owned(), format!("/{}", parts.join("/")))),
    ];
    (target, query(), headers(), who)
        .prop_flat_map(|((method, path), query, headers, who)| {
            let body = if method == "GET" {
                Just(Vec::new()).boxed()
            } else {
                body(&path)
            };
            let path = format!("{path}{query}");
            body.prop_map(move |body| Sent {
                method: method.clone(),
                path: path.clone(),
                headers: headers.clone(),
                body,
                who,
            })
        })
        .boxed()
}
