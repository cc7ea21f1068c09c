//! A PostgreSQL cluster of the test, which the test may kill.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Folder of initdb and pg_ctl, set by scripts/with-postgres.sh.
const VARIABLE: &str = "RBS_POSTGRES_BIN";

/// Longer than a standby takes to follow.
const TIMEOUT: Duration = Duration::from_secs(30);

/// fsync=off is safe, because the machine itself never crashes.
const OPTIONS: &str = "-c listen_addresses='' -c max_connections=100 -c fsync=off \
                       -c synchronous_commit=on -c full_page_writes=off";

/// The cluster, removed on drop.
pub struct Cluster {
    programs: PathBuf,
    folder: TempDir,
}

impl Cluster {
    pub fn start() -> Self {
        let programs = std::env::var_os(VARIABLE).unwrap_or_else(|| {
            panic!(
                "this test starts a PostgreSQL of its own: run scripts/test.sh, or set {VARIABLE} \
                 to the folder of initdb and pg_ctl"
            )
        });
        let cluster = Self {
            programs: programs.into(),
            folder: folder(),
        };
        cluster.run(
            "initdb",
            &[
                "-U",
                "rbs",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
            ],
        );
        cluster.start_server();
        cluster
    }

    pub fn url(&self) -> String {
        format!("postgres://rbs@{}/postgres", self.place())
    }

    /// Folder of the Unix socket.
    pub fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Address for a database URL.
    pub fn place(&self) -> String {
        let socket = self.folder.path().to_str().expect("a plain path");
        socket.replace('/', "%2F")
    }

    /// Creates a standby that streams from this server into a new folder.
    pub fn standby(&self) -> Self {
        let standby = Self {
            programs: self.programs.clone(),
            folder: folder(),
        };
        standby.follow(self);
        standby
    }

    /// Makes this stopped server a standby of `primary`, and waits until commits are synchronous.
    pub fn follow(&self, primary: &Self) {
        self.clear();
        let from = primary.folder.path().to_str().expect("a plain path");
        self.run(
            "pg_basebackup",
            &["-h", from, "-U", "rbs", "-R", "-c", "fast", "--no-sync"],
        );
        self.start_server();
        primary.ask("alter system set synchronous_standby_names = '*'");
        primary.ask("select pg_reload_conf()");
        let deadline = Instant::now() + TIMEOUT;
        let written = primary.ask("select pg_current_wal_lsn()");
        let here = format!(
            "select count(*) from pg_stat_replication
             where sync_state = 'sync' and flush_lsn >= '{written}'"
        );
        while primary.ask(&here) != "1" {
            assert!(Instant::now() < deadline, "the standby does not follow");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Promotes a standby. It has no standby of its own, so commits do not wait.
    pub fn promote(&self) {
        // A former primary was configured to wait for a standby.
        let waits = self.folder.path().join("data/postgresql.auto.conf");
        let text = fs::read_to_string(&waits).expect("the server's settings");
        let lines = text.lines();
        let kept = lines.filter(|line| !line.starts_with("synchronous_standby_names"));
        fs::write(&waits, kept.collect::<Vec<_>>().join("\n") + "\n").expect("the settings");
        self.run("pg_ctl", &["reload"]);
        self.run("pg_ctl", &["promote", "-w"]);
    }

    /// Runs a statement with psql, and returns its output.
    pub fn ask(&self, statement: &str) -> String {
        let socket = self.folder.path();
        let asked = Command::new(self.programs.join("psql"))
            .args(["-X", "-A", "-t", "-q", "-U", "rbs", "-d", "postgres", "-h"])
            .arg(socket)
            .args(["-c", statement])
            .output()
            .expect("psql runs");
        let said = String::from_utf8_lossy(&asked.stderr);
        assert!(asked.status.success(), "{statement}: {said}");
        String::from_utf8_lossy(&asked.stdout).trim().to_owned()
    }

    fn clear(&self) {
        let data = self.folder.path().join("data");
        if data.exists() {
            fs::remove_dir_all(data).expect("the data is taken away");
        }
    }

    /// Kills every process of the server immediately.
    pub fn crash(&self) {
        self.run("pg_ctl", &["stop", "-m", "immediate", "-w"]);
    }

    pub fn start_server(&self) {
        let socket = self.folder.path().display();
        let options = format!("-k {socket} {OPTIONS}");
        let log = self.folder.path().join("log");
        let log = log.to_str().expect("a plain path");
        self.run("pg_ctl", &["start", "-w", "-l", log, "-o", &options]);
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let ended = self.command(program, arguments).output();
        let ended = ended.unwrap_or_else(|error| panic!("{program} does not run: {error}"));
        assert!(
            ended.status.success(),
            "{program} {arguments:?}: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            // PostgreSQL refuses to run as root.
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command
            .arg("-D")
            .arg(self.folder.path().join("data"))
            .args(arguments)
            .current_dir(Path::new("/"))
            .stdin(Stdio::null());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Fails if the server is already stopped.
        let _stopped = self
            .command("pg_ctl", &["stop", "-m", "immediate", "-w"])
            .output();
    }
}

/// A folder that the server's user can enter.
pub fn folder() -> TempDir {
    // Not in $TMPDIR, because a socket path is limited to about a hundred bytes.
    let folder = tempfile::Builder::new()
        .prefix("rbs-pg.")
        .tempdir_in("/tmp");
    let folder = folder.expect("a temporary folder");
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(folder.path(), private).expect("permissions");
    if is_root() {
        let owned = Command::new("chown")
            .arg("postgres")
            .arg(folder.path())
            .status();
        assert!(owned.expect("chown runs").success());
    }
    folder
}

/// `true` if the tests run as root; PostgreSQL then runs as another user.
pub fn is_root() -> bool {
    fs::metadata("/proc/self").expect("a process").uid() == 0
}
