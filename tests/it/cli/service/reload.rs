//! A running service reloads its settings and secrets on SIGHUP and on request.

use rbs::config::Secrets;

use crate::cli::Folder;
use crate::cli::process::Stream;
use crate::cli::running::Running;

const CONFIGURATION: &str = "\
secret_file = \"game.secret\"
admin_secret_file = \"admin.secret\"
";

fn start() -> Running {
    let folder = Folder::new();
    folder.write("config/rbs.toml", CONFIGURATION);
    folder.write("game.secret", "old-secret-of-the-servers\n");
    folder.write("admin.secret", "old-secret-of-the-admins\n");
    Running::of(folder, Vec::new())
}

fn configure(running: &Running, more: &str) {
    let text = format!("{CONFIGURATION}{more}");
    running.folder.write("config/rbs.toml", text);
}

/// Sends SIGHUP, and waits for a log line with `part`.
fn hang_up(running: &mut Running, part: &str) -> String {
    running.service.signal("HUP");
    running.service.wait_for(Stream::Err, part)
}

fn stop(running: Running) {
    let ended = running.stop();
    assert!(!format!("{ended:?}").contains("old-secret"), "{ended:#?}");
}

/// Creates a secret with the program. Returns its line and its fingerprint.
fn new_secret(folder: &Folder, name: &str) -> (String, String) {
    let made = folder.run(&["secret", "new", "--name", name]).succeeded();
    let (named, secret) = made.stdout.trim_end().split_once(' ').expect("two words");
    assert_eq!(named, name);
    assert_eq!(secret.len(), 64, "{secret}");
    let fingerprint = Secrets::fingerprint(secret).to_string();
    assert!(made.stderr.contains(&fingerprint), "{made:#?}");
    assert!(!made.stderr.contains(secret), "{made:#?}");
    (made.stdout, fingerprint)
}

#[test]
fn secrets_are_rotated_without_a_stop() {
    let mut running = start();
    let (line, fingerprint) = new_secret(&running.folder, "alice");
    running
        .folder
        .write("game.secret", format!("old-secret-of-the-servers\n{line}"));
    let logged = hang_up(&mut running, &fingerprint);
    assert!(logged.contains("Reloaded the settings"), "{logged}");
    let shown = running.run(&["settings"]).succeeded().stdout;
    let row = shown.lines().find(|row| row.starts_with(&fingerprint));
    let row: Vec<_> = row.expect("the secret").split_whitespace().collect();
    assert_eq!(row[1..], ["alice", "game", "-", "0"], "{shown}");

    let (line, successor) = new_secret(&running.folder, "bob");
    running.folder.write("admin.secret", line);
    let refused = running.run(&["reload"]).failed();
    assert_eq!(refused.code, Some(4), "{refused:#?}");
    hang_up(&mut running, &format!("\"secrets_added\":\"{successor}\""));
    let secrets = running.json(&["settings"])["secrets"].clone();
    assert_eq!(secrets[0]["name"], "bob");
    let count = secrets.as_array().map(Vec::len);
    assert_eq!(count, Some(3), "{secrets}");
    let same = running.run(&["reload"]).succeeded();
    same.shows("Nothing has changed");
    stop(running);
}

#[test]
fn what_takes_a_restart_is_named_and_what_is_wrong_changes_nothing() {
    let mut running = start();
    let changed = "requests_per_second = 5\n[rating]\ntheta = 1800\n";
    configure(&running, changed);
    let reloaded = running.run(&["reload"]).succeeded().stdout;
    let row = |name: &str| {
        let row = reloaded.lines().find(|row| row.starts_with(name));
        let row = row.unwrap_or_else(|| panic!("{name}: {reloaded}"));
        row.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("requests_per_second"), "requests_per_second changed");
    assert_eq!(row("rating.theta"), "rating.theta restart to apply");
    let warning = running.service.wait_for(Stream::Err, "restart to apply");
    assert!(warning.contains("rating.theta"), "{warning}");

    configure(&running, "requests_per_second = 7\n[rating]\nwindow = 0\n");
    let url = format!("http://{}", running.address);
    let elsewhere = ["reload", "--url", &url, "--secret-file", "admin.secret"];
    for (arguments, code) in [(&["reload"][..], 1), (&elsewhere, 4)] {
        let refused = running.run(arguments).failed();
        assert_eq!(refused.code, Some(code), "{refused:#?}");
        refused.says("rating.window must be");
    }
    configure(&running, "[rating]\nk_max = 20000\n");
    let logged = hang_up(&mut running, "rating.k_max must be");
    let stays = logged.contains("The settings were not reloaded and stay unchanged");
    assert!(stays, "{logged}");
    configure(&running, "requests_per_second = 7\n");
    let text = running.run(&["settings"]).succeeded();
    text.shows("restart RBS to apply: pools.default.theta, rating.theta");
    stop(running);
}
