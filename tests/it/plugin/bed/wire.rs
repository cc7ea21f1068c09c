//! Simulated network between the extension and the service, with deliberate faults.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::faults::plugin::Addresses;
use crate::support::Dice;
use sourcemod_bed::ripext::requests::{Response, Sent};

/// Fault of a request.
#[derive(Clone, Debug)]
pub enum Trouble {
    None,
    Away,
    /// The service handles the request, and its answer is lost.
    AnswerLost,
    /// A proxy answers with an HTML page.
    Page(u16),
    /// Status, JSON body, and headers of a fixed answer.
    Answer(u16, String, &'static [(&'static str, &'static str)]),
    Torn,
    /// Answer without a body.
    Empty,
    /// Delay of the answer in seconds.
    Slow(f64),
    /// A random one of these for each request.
    Any(Dice, Vec<Trouble>),
}

impl Trouble {
    /// The service refuses every request with this detail.
    pub fn problem(status: u16, detail: &str) -> Self {
        let problem =
            json!({"type": "about:blank", "title": "T", "status": status, "detail": detail});
        let headers = &[("content-type", "application/problem+json")];
        Self::Answer(status, problem.to_string(), headers)
    }

    /// The service answers every request with this body.
    pub fn answer(body: &Value) -> Self {
        Self::Answer(200, body.to_string(), &[])
    }
}

pub struct Wire {
    pub address: String,
    /// Current address of the service, if it changes.
    pub addresses: Option<Addresses>,
    pub trouble: Trouble,
    client: reqwest::Client,
    /// Answers in flight, with the game time of their arrival.
    coming: Vec<(f64, Sent, Response)>,
}

impl Wire {
    pub fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            addresses: None,
            trouble: Trouble::None,
            client: reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("a client"),
            coming: Vec::new(),
        }
    }

    pub fn forget(&mut self) {
        self.coming.clear();
    }

    pub fn is_idle(&self) -> bool {
        self.coming.is_empty()
    }

    pub fn held(&self) -> impl Iterator<Item = i32> {
        self.coming.iter().map(|(_, request, _)| request.value())
    }

    /// Sends a request and holds the answer until its arrival time.
    pub async fn send(&mut self, request: Sent, now: f64) {
        let trouble = match &mut self.trouble {
            Trouble::Any(dice, choices) => choices
                .get(dice.below(choices.len() + 1))
                .cloned()
                .unwrap_or(Trouble::None),
            trouble => trouble.clone(),
        };
        let timeout = Response::failed("Operation timed out");
        let limit = f64::from(request.seconds);
        let (after, response) = match trouble {
            Trouble::None => (0.0, self.ask(&request).await),
            Trouble::Away => (0.0, Response::failed("Failed to connect to the server")),
            Trouble::AnswerLost => {
                self.ask(&request).await;
                (limit, timeout)
            }
            Trouble::Page(status) => (0.0, page(status)),
            Trouble::Answer(status, body, headers) => (0.0, made_up(status, body, headers)),
            Trouble::Torn => {
                let mut response = self.ask(&request).await;
                response.body.truncate(response.body.len() / 2);
                (0.0, response)
            }
            Trouble::Empty => {
                let mut response = self.ask(&request).await;
                response.body.clear();
                (0.0, response)
            }
            Trouble::Slow(seconds) if seconds >= limit => {
                self.ask(&request).await;
                (limit, timeout)
            }
            Trouble::Slow(seconds) => (seconds, self.ask(&request).await),
            Trouble::Any(..) => panic!("trouble within trouble"),
        };
        self.coming.push((now + after, request, response));
    }

    pub fn arrived(&mut self, now: f64) -> Vec<(Sent, Response)> {
        let arrived = self.coming.extract_if(.., |(at, ..)| *at <= now);
        arrived
            .map(|(_, request, response)| (request, response))
            .collect()
    }

    async fn ask(&self, request: &Sent) -> Response {
        let path = request.url.splitn(4, '/').nth(3).unwrap_or("");
        let method = request.method.parse().expect("a method");
        let address = match &self.addresses {
            Some(addresses) => format!("http://{}", addresses.borrow()[0]),
            None => self.address.clone(),
        };
        let mut sending = self.client.request(method, format!("{address}/{path}"));
        for (name, value) in &request.headers {
            sending = sending.header(name, value);
        }
        if let Some(body) = &request.body {
            sending = sending
                .header("content-type", "application/json")
                .body(body.clone());
        }
        match sending.send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                let headers = answer.headers().iter();
                let headers = headers.map(|(name, value)| {
                    (name.to_string(), value.to_str().unwrap_or("").to_owned())
                });
                let headers: BTreeMap<String, String> = headers.collect();
                match answer.bytes().await {
                    Ok(body) => Response::of(status, headers, body.to_vec()),
                    Err(error) => Response::failed(&error.to_string()),
                }
            }
            Err(error) => Response::failed(&error.to_string()),
        }
    }
}

fn page(status: u16) -> Response {
    let headers = BTreeMap::from([("content-type".to_owned(), "text/html".to_owned())]);
    Response::of(status, headers, b"<html><body>nginx</body></html>".to_vec())
}

fn made_up(status: u16, body: String, headers: &[(&str, &str)]) -> Response {
    let mut all = BTreeMap::from([("content-type".to_owned(), "application/json".to_owned())]);
    for (name, value) in headers {
        all.insert((*name).to_owned(), (*value).to_owned());
    }
    Response::of(status, all, body.into_bytes())
}
