//! Instances of the `rbs` binary on one database.

use std::process::Command;
use std::time::Duration;

use tokio::sync::watch;

use super::plugin::{Addresses, Plugins, ask_again};
use super::{faults, verdict, verdict::Verdict};
use crate::cli::Folder;
use crate::cli::process::{Process, Stream};
use crate::support::{Dice, SECRET};

/// Function that starts the program; the disk tests use a shell.
pub type Starting = fn(&Folder, &str) -> Command;

pub struct Site {
    pub folder: Folder,
    url: String,
    starting: Starting,
    instances: Vec<Process>,
    addresses: watch::Sender<Vec<String>>,
}

pub fn plainly(folder: &Folder, url: &str) -> Command {
    folder.rbs_on(url, &[])
}

impl Site {
    pub fn open(url: &str, instances: usize, starting: Starting) -> Self {
        Self::open_in(Folder::new(), url, instances, starting)
    }

    pub fn open_in(folder: Folder, url: &str, instances: usize, starting: Starting) -> Self {
        let mut site = Self {
            folder,
            url: url.to_owned(),
            starting,
            instances: Vec::new(),
            addresses: watch::Sender::new(vec![String::new(); instances]),
        };
        for index in 0..instances {
            let instance = site.start(index);
            site.instances.push(instance);
        }
        site
    }

    fn start(&self, index: usize) -> Process {
        let mut command = (self.starting)(&self.folder, &self.url);
        command
            .env("RBS_BIND", "127.0.0.1:0")
            .env("RBS_SECRET", SECRET)
            .env("RBS_LOG", "error");
        let mut process = Process::start(&mut command);
        let listens = process.wait_for(Stream::Out, "listens on http://");
        let address = listens.rsplit("//").next().expect("an address").to_owned();
        self.addresses
            .send_modify(|addresses| addresses[index] = address);
        process
    }

    pub fn kill_and_start(&mut self, index: usize) {
        self.instances[index].kill();
        self.instances[index] = self.start(index);
    }

    /// Host and port of an instance.
    pub fn address(&self, index: usize) -> String {
        self.addresses.borrow()[index].clone()
    }

    /// Stops every instance; each must exit successfully.
    pub fn stop(self) {
        stop(self.instances);
    }

    pub fn process_id(&self, index: usize) -> u32 {
        self.instances[index].id()
    }

    pub fn addresses(&self) -> Addresses {
        self.addresses.subscribe()
    }

    /// Makes the plugins use `address` in place of the instances.
    pub fn put_behind(&self, address: &str) {
        self.addresses.send_replace(vec![address.to_owned()]);
    }

    /// Repeats `fault` at random moments while plugins play, then waits for all of them and checks the result.
    pub async fn withstand(
        self,
        name: &str,
        seed: u64,
        fault: impl AsyncFnMut(&mut Self, &mut Dice),
    ) -> Verdict {
        // Boxed, because a large future would be part of many tests.
        Box::pin(self.withstand_times(faults(), name, seed, fault)).await
    }

    /// Like [`Site::withstand`], for a fault that takes long.
    pub async fn withstand_times(
        mut self,
        times: u32,
        name: &str,
        seed: u64,
        mut fault: impl AsyncFnMut(&mut Self, &mut Dice),
    ) -> Verdict {
        let mut dice = Dice::new(seed);
        let plugins = Plugins::start(seed, &self.addresses());
        for _ in 0..times {
            let pause = 20 + dice.below(300) as u64;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            fault(&mut self, &mut dice).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let played = plugins.stop().await;
        ask_again(&played, &self.addresses()).await;
        stop(self.instances);
        verdict::judge(name, times, &self.folder, &self.url, &played).await
    }
}

fn stop(instances: Vec<Process>) {
    for instance in instances {
        instance.signal("TERM");
        instance.finish().succeeded();
    }
}
