//! Check of the port that the service listens on.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use super::finding::Finding;
use crate::cli::remote::agent_config;
use crate::cli::serve::local_address;

const PORT: &str = "port";
const TIMEOUT: Duration = Duration::from_secs(3);

/// Checks that the service listens on the address `bind`, or could.
pub(super) fn check(bind: &str) -> Finding {
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

/// Returns `true` if an RBS service answers at this address.
fn is_rbs(address: &str) -> bool {
    let agent = agent_config(true, None)
        .timeout_global(Some(TIMEOUT))
        .build()
        .new_agent();
    let asked = agent.get(format!("http://{address}/healthz")).call();
    asked.is_ok_and(|answer| answer.headers().contains_key("x-request-id"))
}
