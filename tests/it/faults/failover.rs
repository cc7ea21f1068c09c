//! The primary PostgreSQL dies and its standby takes over. `DATABASE_URL` lists both, and commits wait for the standby.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use super::cluster::Cluster;
use super::site::{Site, plainly};
use super::{faults, longest};
use crate::cli::process::Process;
use crate::support::{Dice, Need};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_dies_is_replaced_by_its_standby_and_nothing_is_lost() {
    fail_over("primary killed, standby promoted", 8, |_| None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs nginx, which scripts/failover.sh installs"]
async fn behind_a_balancer_a_primary_that_dies_is_replaced_and_nothing_is_lost() {
    let name = "primary killed, standby promoted, two instances behind nginx";
    fail_over(name, 9, |site| Some(balancer(site))).await;
}

/// Kills the primary, promotes the standby, and makes the dead server its standby, so both alternate.
async fn fail_over(name: &str, seed: u64, front: impl Fn(&Site) -> Option<Process>) {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let mut primary = Cluster::start();
    let mut standby = primary.standby();
    let places = format!("{},{}", primary.place(), standby.place());
    let url = format!("postgres://rbs@{places}/postgres?target_session_attrs=read-write");
    let site = Site::open(&url, 2, plainly);
    let balancer = front(&site);
    let fail = async |_: &mut Site, _: &mut Dice| {
        primary.crash();
        standby.promote();
        std::mem::swap(&mut primary, &mut standby);
        standby.follow(&primary);
    };
    // Setting up a standby takes as long as several other faults.
    let times = faults().div_ceil(2);
    let withstanding = site.withstand_times(times, name, seed, fail);
    let verdict = tokio::time::timeout(longest(), withstanding).await;
    let verdict = verdict.expect("the test ends");
    assert!(verdict.failures > 0, "nobody noticed: {verdict:?}");
    drop(balancer);
}

/// nginx in front of both instances, until the process is dropped.
fn balancer(site: &Site) -> Process {
    let folder = site.folder.path("nginx");
    fs::create_dir(&folder).expect("a folder");
    // nginx cannot pick a free port, so the test picks one.
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = free.local_addr().expect("an address").to_string();
    drop(free);
    // The simulated plugins use plain HTTP.
    let lines = include_str!("../../../config/nginx.conf").lines();
    let plain = lines.filter(|line| !line.trim_start().starts_with("ssl_"));
    let configuration = plain
        .collect::<Vec<_>>()
        .join("\n")
        .replace("127.0.0.1:8081", &site.address(0))
        .replace("127.0.0.1:8082", &site.address(1))
        .replace("listen 443 ssl", &format!("listen {address}"));
    // A single process, so nothing outlives it.
    let whole = format!(
        "daemon off; master_process off; pid nginx.pid; error_log stderr error; events {{}}
         http {{ access_log off; client_body_temp_path body; proxy_temp_path proxied;
                 fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                 {configuration} }}"
    );
    fs::write(folder.join("nginx.conf"), whole).expect("the configuration");
    let mut command = Command::new("nginx");
    command.arg("-p").arg(&folder).args(["-c", "nginx.conf"]);
    let process = Process::start(&mut command);
    for _ in 0..200 {
        if std::net::TcpStream::connect(&address).is_ok() {
            site.put_behind(&address);
            return process;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!(
        "nginx does not listen on {address}: {:#?}",
        process.finish()
    );
}
