//! HTTP requests and responses. Each frame starts up to ten requests and delivers one response. Making a request
//! serializes its body and closes the handle of the request.

use std::collections::{BTreeMap, VecDeque};

use super::json::Json;
use crate::machine::Answer;
use crate::sourcemod::handles::Object;
use crate::sourcemod::{DONE, Natives, Plugin, complain};

/// Maximum number of requests started per frame.
const STARTED: usize = 10;

/// A request under construction.
#[derive(Clone, Debug)]
pub struct Request {
    url: String,
    headers: BTreeMap<String, String>,
    seconds: i32,
    connect_seconds: i32,
    redirects: i32,
}

/// A request in flight.
#[derive(Clone, Debug)]
pub struct Sent {
    pub method: &'static str,
    pub url: String,
    pub headers: BTreeMap<String, String>,
    pub body: Option<String>,
    /// Timeout of the request, in seconds.
    pub seconds: i32,
    function: i32,
    value: i32,
}

/// Response; the status is 0 if the request failed.
#[derive(Clone, Debug, Default)]
pub struct Response {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
    /// Error message of the extension if the request failed.
    pub error: String,
    /// Handle of the JSON body, once requested.
    data: i32,
}

impl Sent {
    /// Value that the plugin passed with the request.
    pub fn value(&self) -> i32 {
        self.value
    }
}

impl Response {
    pub fn of(status: u16, headers: BTreeMap<String, String>, body: Vec<u8>) -> Self {
        Self {
            status,
            headers,
            body,
            ..Self::default()
        }
    }

    pub fn failed(error: &str) -> Self {
        Self {
            error: error.to_owned(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Default)]
pub struct Requests {
    waiting: VecDeque<Sent>,
    answered: VecDeque<(Sent, Response)>,
    /// Method with path, and body, of every started request.
    pub log: Vec<(String, Option<String>)>,
}

impl Requests {
    /// Starts the requests that are due.
    pub fn start(&mut self) -> Vec<Sent> {
        let count = self.waiting.len().min(STARTED);
        self.waiting.drain(..count).collect()
    }

    pub fn answer(&mut self, request: Sent, response: Response) {
        self.answered.push_back((request, response));
    }

    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.answered.is_empty()
    }

    pub fn held(&self) -> impl Iterator<Item = i32> {
        let waiting = self.waiting.iter().map(|request| request.value);
        waiting.chain(self.answered.iter().map(|(request, _)| request.value))
    }
}

impl Plugin {
    /// Delivers the next response to the plugin.
    pub fn deliver(&mut self) {
        let Some((request, response)) = self.host.requests.answered.pop_front() else {
            return;
        };
        let error = response.error.clone();
        let handle = self.host.handles.add(Object::Response(response));
        let written = self.lending(&[&error], |plugin, texts| {
            plugin.call(request.function, &[handle, request.value, texts[0]]);
        });
        if let Err(fault) = written {
            self.host.faults.push(fault);
        }
        if let Some(Object::Response(response)) = self.host.handles.remove(handle) {
            self.host.handles.remove(response.data);
        }
    }
}

pub const NATIVES: Natives = &[
    ("HTTPRequest.HTTPRequest", create),
    ("HTTPRequest.SetHeader", set_header),
    ("HTTPRequest.Timeout.set", |plugin, arguments| {
        plugin.host.handles.request_mut(arguments[0])?.seconds = arguments[1];
        DONE
    }),
    ("HTTPRequest.ConnectTimeout.set", |plugin, arguments| {
        plugin
            .host
            .handles
            .request_mut(arguments[0])?
            .connect_seconds = arguments[1];
        DONE
    }),
    ("HTTPRequest.MaxRedirects.set", |plugin, arguments| {
        plugin.host.handles.request_mut(arguments[0])?.redirects = arguments[1];
        DONE
    }),
    ("HTTPRequest.Get", |plugin, arguments| {
        perform(plugin, "GET", arguments[0], None, &arguments[1..])
    }),
    ("HTTPRequest.Delete", |plugin, arguments| {
        perform(plugin, "DELETE", arguments[0], None, &arguments[1..])
    }),
    ("HTTPRequest.Post", |plugin, arguments| {
        perform(
            plugin,
            "POST",
            arguments[0],
            Some(arguments[1]),
            &arguments[2..],
        )
    }),
    ("HTTPRequest.Put", |plugin, arguments| {
        perform(
            plugin,
            "PUT",
            arguments[0],
            Some(arguments[1]),
            &arguments[2..],
        )
    }),
    ("HTTPRequest.Patch", |plugin, arguments| {
        perform(
            plugin,
            "PATCH",
            arguments[0],
            Some(arguments[1]),
            &arguments[2..],
        )
    }),
    ("HTTPResponse.Status.get", |plugin, arguments| {
        Ok(i32::from(
            plugin.host.handles.response(arguments[0])?.status,
        ))
    }),
    ("HTTPResponse.Data.get", data),
    ("HTTPResponse.GetHeader", header),
];

fn create(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let url = plugin.text(arguments[0])?;
    if url.is_empty() {
        return complain("URL cannot be empty.");
    }
    let request = Request {
        url,
        headers: BTreeMap::new(),
        seconds: 30,
        connect_seconds: 10,
        redirects: 5,
    };
    Ok(plugin.host.handles.add(Object::Request(request)))
}

fn set_header(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin.host.handles.request(arguments[0])?;
    let name = plugin.text(arguments[1])?;
    if name.is_empty() {
        return complain("Header name cannot be empty.");
    }
    let value = plugin.format(arguments, 2)?;
    plugin
        .host
        .handles
        .request_mut(arguments[0])?
        .headers
        .insert(name, value);
    DONE
}

fn perform(
    plugin: &mut Plugin,
    method: &'static str,
    handle: i32,
    body: Option<i32>,
    rest: &[i32],
) -> Answer {
    let request = plugin.host.handles.request(handle)?.clone();
    let body = match body {
        Some(json) => Some(plugin.host.handles.json(json)?.dump(0)),
        None => None,
    };
    plugin.host.handles.remove(handle);
    let path = request.url.splitn(4, '/').nth(3).unwrap_or("");
    plugin
        .host
        .requests
        .log
        .push((format!("{method} /{path}"), body.clone()));
    plugin.host.requests.waiting.push_back(Sent {
        method,
        seconds: request.seconds,
        url: request.url,
        headers: request.headers,
        body,
        function: rest[0],
        value: rest[1],
    });
    DONE
}

/// Returns the same handle on each call; it closes with the response. Invalid JSON is a fault.
fn data(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let response = plugin.host.handles.response(arguments[0])?;
    if response.data != 0 {
        return Ok(response.data);
    }
    let json = Json::parse(&response.body)?;
    let handle = plugin.add_json(json);
    plugin.host.handles.response_mut(arguments[0])?.data = handle;
    Ok(handle)
}

fn header(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let name = plugin.text(arguments[1])?.to_ascii_lowercase();
    let Some(value) = plugin
        .host
        .handles
        .response(arguments[0])?
        .headers
        .get(&name)
        .cloned()
    else {
        return Ok(0);
    };
    plugin.write(arguments[2], arguments[3], &value)?;
    Ok(1)
}
