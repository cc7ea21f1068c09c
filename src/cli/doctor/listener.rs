//! Where the service listens.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::time::Duration;

use rustix::process::{Resource, getrlimit};
use ureq::Agent;

use super::finding::Finding;
use crate::cli::serve::local_address;

const PORT: &str = "port";
/// How long the service on this machine may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Open files with which only few game servers can be connected at once.
const FEW_FILES: u64 = 1024;

pub(super) fn look(bind: &str) -> Vec<Finding> {
    let mut findings = vec![port(bind)];
    findings.extend(exposure(bind));
    findings.push(open_files(getrlimit(Resource::Nofile).maximum));
    findings
}

/// Whether the service could listen there, or does.
fn port(bind: &str) -> Finding {
    let Err(error) = TcpListener::bind(bind) else {
        return Finding::good(PORT, format!("{bind} is free; no service runs there"));
    };
    match error.kind() {
        io::ErrorKind::AddrInUse if is_rbs(&local_address(bind)) => {
            Finding::good(PORT, format!("a service of RBS answers on {bind}"))
        }
        io::ErrorKind::AddrInUse => Finding::problem(
            PORT,
            format!("{bind} is taken by another program"),
            "set RBS_BIND (bind) to a free port, or stop what listens there (`ss -ltnp` names it)",
        ),
        io::ErrorKind::PermissionDenied => Finding::problem(
            PORT,
            format!("this user may not listen on {bind}"),
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

/// Whether what answers there is RBS.
fn is_rbs(address: &str) -> bool {
    let config = Agent::config_builder()
        .max_redirects(0)
        .proxy(None)
        .timeout_global(Some(TIMEOUT));
    let agent = config.build().new_agent();
    let asked = agent.get(format!("http://{address}/healthz")).call();
    asked.is_ok_and(|answer| answer.headers().contains_key("x-request-id"))
}

/// That secrets go over a network in clear.
fn exposure(bind: &str) -> Option<Finding> {
    let mut addresses = bind.to_socket_addrs().ok()?;
    let is_open = |address: SocketAddr| !address.ip().is_loopback();
    addresses.any(is_open).then(|| {
        Finding::warning(
            "network",
            format!("{bind} is reached from other machines, and RBS speaks plain HTTP, with secrets in clear"),
            "leave RBS_BIND at 127.0.0.1 and put a proxy with TLS in front, unless the network is private, as that \
             of containers is",
        )
    })
}

/// Whether the limit on open files, `None` where there is none, has room for game servers.
fn open_files(most: Option<u64>) -> Finding {
    match most {
        Some(most) if most < FEW_FILES => Finding::warning(
            "open files",
            format!("{most} may be open at once, so that only few game servers can be connected"),
            "raise the limit (LimitNOFILE= of the unit, or ulimit -Hn)",
        ),
        _ => Finding::good("open files", "there is room for many connections"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::Status;

    #[test]
    fn few_open_files_are_warned_of() {
        for (most, status) in [
            (None, Status::Good),
            (Some(FEW_FILES), Status::Good),
            (Some(FEW_FILES - 1), Status::Warning),
        ] {
            assert_eq!(open_files(most).status, status, "{most:?}");
        }
    }
}
