//! Commands over https://, with a certificate authority of the test.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::cli::process::Process;
use crate::cli::running::Running;
use crate::cli::{Folder, words};
use crate::support::Need;

/// Starts a TLS proxy in front of a service, and returns its port.
fn start_front(folder: &Folder, behind: &str) -> u16 {
    let certificate = CertificateDer::from_pem_file(folder.path("server.pem"));
    let key = PrivateKeyDer::from_pem_file(folder.path("server.key"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.expect("a certificate")],
            key.expect("a key"),
        )
        .expect("a certificate and its key");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let behind = behind.to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            // A client that distrusts the certificate disconnects; the test checks its message.
            let _gone = pass_on(client.expect("a client"), &config, &behind);
        }
    });
    port
}

fn pass_on(client: TcpStream, config: &Arc<ServerConfig>, behind: &str) -> std::io::Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).expect("a connection");
    let mut client = StreamOwned::new(connection, client);
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        client.read_exact(&mut byte)?;
        head.extend(byte);
    }
    head.truncate(head.len() - 2);
    head.extend(b"connection: close\r\n\r\n");
    let mut service = TcpStream::connect(behind)?;
    service.write_all(&head)?;
    let mut answer = Vec::new();
    service.read_to_end(&mut answer)?;
    client.write_all(&answer)?;
    client.conn.send_close_notify();
    client.flush()
}

/// Creates the authority `ca.pem` and a certificate for `localhost`.
fn make_certificates(folder: &Folder) {
    let openssl = |line: &str| {
        let made = Command::new("openssl")
            .args(words(line))
            .current_dir(folder.path(""))
            .output();
        let made = made.expect("openssl runs; scripts/test.sh installs it");
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{line}: {said}");
    };
    folder.write("names", "subjectAltName=DNS:localhost\n");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    let authority = "req -x509 -days 1 -subj /CN=authority -keyout ca.key -out ca.pem";
    openssl(&format!("{authority} {key}"));
    let request = "req -new -subj /CN=localhost -keyout server.key -out server.csr";
    openssl(&format!("{request} {key}"));
    let by = "-CA ca.pem -CAkey ca.key -CAcreateserial";
    let sign = "x509 -req -days 1 -in server.csr -extfile names -out server.pem";
    openssl(&format!("{sign} {by}"));
}

#[test]
fn a_service_behind_tls_is_asked_where_its_authority_is_trusted() {
    if Need::Program("openssl").is_left_out() {
        return;
    }
    let running = Running::start();
    make_certificates(&running.folder);
    let port = start_front(&running.folder, &running.address);
    let there = format!("https://localhost:{port}");
    let elsewhere = format!("https://127.0.0.1:{port}");
    let ask = |url: &str, more: &str, variables: &[(&str, &str)]| {
        let line = format!("quality --secret-file rbs.secret --url {url} {more}");
        let mut command = running.folder.rbs(&words(&line));
        command.envs(variables.iter().copied());
        Process::start(&mut command).finish()
    };
    let trusted = ask(&there, "--ca-file ca.pem", &[]).succeeded();
    trusted.shows("Brier score");
    let trusted = ask(&there, "", &[("RBS_CA_FILE", "ca.pem")]).succeeded();
    trusted.shows("Brier score");

    running.folder.write("empty.pem", "nothing\n");
    let plain = format!("https://{}", running.address);
    let encrypted = format!("http://localhost:{port}");
    let in_protocol = "does not answer in the protocol";
    for (url, more, code, says) in [
        (&there, "", 5, "--ca-file"),
        (&elsewhere, "--ca-file ca.pem", 5, "cannot be trusted"),
        (&there, "--ca-file server.pem", 5, "cannot be trusted"),
        (&plain, "--ca-file ca.pem", 5, in_protocol),
        (&encrypted, "", 5, &encrypted),
        (&there, "--ca-file empty.pem", 1, "holds no certificate"),
        (&there, "--ca-file nowhere", 1, "cannot be read"),
    ] {
        let ended = ask(url, more, &[]).failed();
        assert_eq!(ended.code, Some(code), "{url} {more}: {ended:#?}");
        ended.says(says);
        assert_eq!(ended.stdout, "", "{url} {more}");
    }
    running.stop();
}
