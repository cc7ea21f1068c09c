//! Checks of the port that the service listens on, and of the connection from game servers through a proxy.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;
use ureq::http::{HeaderValue, Response, header};

use super::Finding;
use super::database::clock;
use crate::cli::failure::explain;
use crate::cli::remote::{Address, agent, trusted};
use crate::cli::serve::local_address;
use crate::clock::Clock;
use crate::domain::Timestamp;

const PORT: &str = "port";
const LOCAL_TIMEOUT: Duration = Duration::from_secs(3);
const PROXY: &str = "proxy";
const TIMEOUT: Duration = Duration::from_secs(10);
/// API path that needs a secret. The check of the proxy requests it with an invalid one.
const ASKED: &str = "/v1/leaderboard";
const NO_SECRET: &str = "rbs-doctor";

pub(super) fn check_port(bind: &str) -> Finding {
    let Err(error) = TcpListener::bind(bind) else {
        return Finding::good(PORT, format!("{bind} is free; no service runs there"));
    };
    match error.kind() {
        io::ErrorKind::AddrInUse if is_rbs(&local_address(bind)) => {
            Finding::good(PORT, format!("an RBS service answers on {bind}"))
        }
        io::ErrorKind::AddrInUse => Finding::problem(
            PORT,
            format!("{bind} is taken by another program"),
            "set RBS_BIND (bind) to a free port, or stop what listens there (`ss -ltnp` names it)",
        ),
        io::ErrorKind::PermissionDenied => Finding::problem(
            PORT,
            format!("the system user that runs this command is not permitted to listen on {bind}"),
            "set RBS_BIND (bind) to a port above 1023, and put a proxy in front",
        ),
        io::ErrorKind::AddrNotAvailable => Finding::problem(
            PORT,
            format!("this machine does not have the address {bind}"),
            "set RBS_BIND (bind) to 127.0.0.1 or to an address that `ip address` lists",
        ),
        _ => Finding::problem(
            PORT,
            format!("nothing can listen on {bind}: {error}"),
            "set RBS_BIND (bind) to an address of this machine and a free port",
        ),
    }
}

fn is_rbs(address: &str) -> bool {
    let agent = agent(true, None, LOCAL_TIMEOUT);
    let asked = agent.get(format!("http://{address}/healthz")).call();
    asked.is_ok_and(|answer| answer.headers().contains_key("x-request-id"))
}

pub(super) fn check_proxy(url: &Address) -> Vec<Finding> {
    let tls = match trusted(None) {
        Ok(tls) => tls,
        Err(error) => {
            return vec![Finding::problem(
                PROXY,
                explain(&error),
                "set RBS_CA_FILE to a PEM file of trusted certificate authorities, or remove RBS_CA_FILE",
            )];
        }
    };
    let agent = agent(false, tls, TIMEOUT);
    let asked = agent
        .get(format!("{url}{ASKED}"))
        .header(header::AUTHORIZATION, format!("Bearer {NO_SECRET}"));
    match asked.call() {
        Ok(answer) => judge(url, &answer),
        Err(error) => vec![Finding::problem(
            PROXY,
            format!("{url} does not answer: {error}"),
            "check that the name resolves to this machine, that the firewall lets the port through, and that \
             the certificate is for that name",
        )],
    }
}

fn judge<Body>(url: &Address, answer: &Response<Body>) -> Vec<Finding> {
    let text = |name: &str| {
        let value = answer.headers().get(name).map(HeaderValue::to_str);
        value.and_then(Result::ok).unwrap_or_default()
    };
    let challenge = text("www-authenticate");
    let status = answer.status();
    if status.is_redirection() {
        return vec![Finding::problem(
            PROXY,
            format!(
                "{url} redirects ({status}), and plugins do not follow redirects with their secret"
            ),
            "give game servers the address that it redirects to",
        )];
    }
    if challenge.is_empty() {
        return vec![Finding::problem(
            PROXY,
            format!("what answers at {url} is not RBS ({status})"),
            "let the proxy pass every path on to where RBS listens (config/nginx.conf is an example)",
        )];
    }
    let mut findings = Vec::new();
    // The service's answer distinguishes a wrong secret from a missing one.
    if !challenge.contains("invalid_token") {
        findings.push(Finding::problem(
            PROXY,
            "the header Authorization does not arrive: every plugin gets 401",
            "configure the proxy to pass this header on, and not to authenticate requests itself",
        ));
    }
    if text("x-request-id").is_empty() {
        findings.push(Finding::warning(
            PROXY,
            "the answer lacks the header x-request-id, which identifies a request in the log",
            "configure the proxy to pass this header on",
        ));
    }
    if url.to_string().starts_with("http://") && !url.is_loopback() {
        findings.push(Finding::problem(
            PROXY,
            format!("secrets go to {url} unencrypted"),
            "put a proxy with TLS in front (config/nginx.conf), and give game servers the https:// address",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::good(
            PROXY,
            format!("{url} reaches RBS, with all headers"),
        ));
    }
    let date = OffsetDateTime::parse(text("date"), &Rfc2822)
        .ok()
        .and_then(|date| Timestamp::from_unix_seconds(date.unix_timestamp()).ok());
    findings.extend(date.map(|date| clock(Clock::System.now(), date, url.to_string().as_str())));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::Status;

    fn judged(url: &str, status: u16, headers: &[(&str, &str)]) -> Vec<Finding> {
        let mut answer = Response::builder().status(status);
        for (name, value) in headers {
            answer = answer.header(*name, *value);
        }
        judge(&url.parse().unwrap(), &answer.body(()).unwrap())
    }

    const WRONG: (&str, &str) = (
        "www-authenticate",
        "Bearer realm=\"rbs\", error=\"invalid_token\"",
    );
    const NONE: (&str, &str) = ("www-authenticate", "Bearer realm=\"rbs\"");
    const ID: (&str, &str) = ("x-request-id", "17");
    const LONG_AGO: (&str, &str) = ("date", "Fri, 20 Nov 2020 12:00:00 GMT");
    const TLS: &str = "https://rbs.example.org";

    #[test]
    fn a_proxy_that_keeps_something_back_is_named() {
        let good = judged(TLS, 401, &[WRONG, ID]);
        assert!(
            good.len() == 1 && good[0].status == Status::Good,
            "{good:?}"
        );
        for (url, status, headers, says) in [
            (TLS, 401, &[NONE, ID][..], "Authorization does not arrive"),
            (TLS, 401, &[WRONG], "x-request-id"),
            (TLS, 301, &[("location", "https://elsewhere")], "redirects"),
            (TLS, 404, &[ID], "is not RBS"),
            ("http://rbs.example.org", 401, &[WRONG, ID], "unencrypted"),
            (
                TLS,
                401,
                &[WRONG, ID, LONG_AGO],
                "ahead of that of https://rbs.example.org",
            ),
        ] {
            let found = judged(url, status, headers);
            let worst = found
                .iter()
                .find(|one| one.status != Status::Good)
                .unwrap_or_else(|| panic!("{says}: {found:?}"));
            assert!(worst.says.contains(says), "{says}: {found:?}");
            assert!(worst.remedy.is_some(), "{worst:?}");
        }
    }
}
