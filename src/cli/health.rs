use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::Context as _;

use super::serve::local_address;

/// How long the service may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Asks the service that listens on `bind` whether it is ready.
pub(super) fn run(bind: &str) -> anyhow::Result<()> {
    let address = local_address(bind);
    let socket = address
        .to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next())
        .with_context(|| format!("{address} is no address; check RBS_BIND (bind)"))?;
    let mut stream = TcpStream::connect_timeout(&socket, TIMEOUT).with_context(|| {
        format!(
            "nothing listens on {address}; start the service, or set RBS_BIND (bind) to where it \
             listens"
        )
    })?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // In one piece: who answers early may not wait for the rest.
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(64 * 1024).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.lines().next().unwrap_or("no answer");
    if status.split(' ').nth(1) == Some("200") {
        // The exit code says it too, to whoever does not read.
        let _unread = writeln!(std::io::stdout(), "ready");
        Ok(())
    } else {
        anyhow::bail!("the service on {address} is not ready; its log says why: {status}")
    }
}
