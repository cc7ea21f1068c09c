//! Commands over https://, with a certificate authority of the test.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::cli::Folder;
use crate::cli::process::{Finished, Process};
use crate::cli::running::Running;
use crate::support::Need;

/// A TLS proxy in front of a service.
struct Front {
    port: u16,
    stopping: Arc<AtomicBool>,
    serving: JoinHandle<()>,
}

impl Front {
    fn start(folder: &Folder, behind: &str) -> Self {
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
        let stopping = Arc::new(AtomicBool::new(false));
        let (behind, stop) = (behind.to_owned(), Arc::clone(&stopping));
        let serving = std::thread::spawn(move || {
            for client in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                // A client that distrusts the certificate disconnects; the test checks its message.
                let _gone = pass_on(client.expect("a client"), &config, &behind);
            }
        });
        Self {
            port,
            stopping,
            serving,
        }
    }

    fn stop(self) {
        self.stopping.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.port)).expect("it listens"));
        self.serving.join().expect("no panic");
    }
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
    let openssl = |arguments: &[&str]| {
        let made = Command::new("openssl")
            .args(arguments)
            .current_dir(folder.path(""))
            .output();
        let made = made.expect("openssl runs; scripts/test.sh installs it");
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{arguments:?}: {said}");
    };
    let key = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
    ];
    folder.write("names", "subjectAltName=DNS:localhost\n");
    let authority = [
        "req",
        "-x509",
        "-days",
        "1",
        "-subj",
        "/CN=an authority of our own",
    ];
    let made = ["-keyout", "ca.key", "-out", "ca.pem"];
    openssl(&[&authority[..], &key, &made].concat());
    let request = ["req", "-new", "-subj", "/CN=localhost"];
    let made = ["-keyout", "server.key", "-out", "server.csr"];
    openssl(&[&request[..], &key, &made].concat());
    let sign = [
        "x509",
        "-req",
        "-days",
        "1",
        "-in",
        "server.csr",
        "-extfile",
        "names",
    ];
    let by = [
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-out",
        "server.pem",
    ];
    openssl(&[&sign[..], &by].concat());
}

#[test]
fn a_service_behind_tls_is_asked_where_its_authority_is_trusted() {
    if Need::Program("openssl").is_left_out() {
        return;
    }
    let running = Running::start();
    make_certificates(&running.folder);
    let front = Front::start(&running.folder, &running.address);
    let (there, elsewhere) = (
        format!("https://localhost:{}", front.port),
        format!("https://127.0.0.1:{}", front.port),
    );
    let ask = |url: &str, more: &[&str], variables: &[(&str, &str)]| {
        let named = ["quality", "--secret-file", "rbs.secret", "--url", url];
        let mut command = running.folder.rbs(&[&named[..], more].concat());
        command.envs(variables.iter().copied());
        Process::start(&mut command).finish()
    };
    let brier = |finished: Finished| {
        let finished = finished.succeeded();
        assert!(finished.stdout.contains("Brier score"), "{finished:#?}");
    };
    brier(ask(&there, &["--ca-file", "ca.pem"], &[]));
    brier(ask(&there, &[], &[("RBS_CA_FILE", "ca.pem")]));

    running.folder.write("empty.pem", "nothing\n");
    let plain = format!("https://{}", running.address);
    let encrypted = format!("http://localhost:{}", front.port);
    for (url, more, code, says) in [
        (&there, &[][..], 5, "--ca-file"),
        (&elsewhere, &["--ca-file", "ca.pem"], 5, "cannot be trusted"),
        (&there, &["--ca-file", "server.pem"], 5, "cannot be trusted"),
        (
            &plain,
            &["--ca-file", "ca.pem"],
            5,
            "does not answer in the protocol",
        ),
        (&encrypted, &[], 5, &encrypted),
        (
            &there,
            &["--ca-file", "empty.pem"],
            1,
            "holds no certificate",
        ),
        (&there, &["--ca-file", "nowhere"], 1, "cannot be read"),
    ] {
        let ended = ask(url, more, &[]).failed();
        assert_eq!(ended.code, Some(code), "{url} {more:?}: {ended:#?}");
        assert!(ended.stderr.contains(says), "{url} {more:?}: {ended:#?}");
        assert_eq!(ended.stdout, "", "{url} {more:?}");
    }
    front.stop();
    running.stop();
}
