//! One life of a server, and the checks at its end.

use std::collections::BTreeSet;

use super::Event;
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::plugin::scenarios::{counted, names};
use crate::support::{App, Dice, Instance};
use sourcemod_bed::game::{Mode, Team};

/// Accounts from which the players of the server are taken.
const ACCOUNTS: usize = 24;
/// Name of the server.
pub const SERVER: &str = "life";
const QUEUE: &str = "queue.life.jsonl";

pub struct Life<'a> {
    app: &'a App,
    bed: Bed,
    service: Option<Instance>,
    mode: Mode,
    dice: Dice,
    /// Names of all rounds that the plugin has made.
    made: BTreeSet<String>,
    /// Names of rounds lost with a truncated file.
    torn: BTreeSet<String>,
}

impl<'a> Life<'a> {
    pub async fn begin(app: &'a App, mode: Mode, seed: u64) -> Self {
        let service = Instance::start(&app.settings, app.clock.clone()).await;
        let mut bed = Bed::without_plugin(mode);
        bed.connect_to(app);
        bed.connect_to_address(&service.address);
        bed.set_up(SERVER);
        bed.load().await;
        let mut life = Self {
            app,
            bed,
            service: Some(service),
            mode,
            dice: Dice::new(seed),
            made: BTreeSet::new(),
            torn: BTreeSet::new(),
        };
        life.made.extend(counted(app, SERVER).await);
        for _ in 0..6 {
            life.join();
        }
        life.bed.pass(1.0).await;
        life
    }

    fn anybody(&mut self) -> Option<i32> {
        let people = self.bed.everybody();
        let count = people.len();
        (count > 0).then(|| people[self.dice.below(count)])
    }

    fn join(&mut self) {
        let account = u32::try_from(1 + self.dice.below(ACCOUNTS)).expect("few accounts");
        let mut here = self.bed.everybody();
        here.retain(|index| self.bed.client(*index).account == account);
        if !here.is_empty() {
            return;
        }
        let index = self.bed.connect(account);
        let (red, blue) = self.bed.sizes();
        let team = if blue < red { Team::Blue } else { Team::Red };
        self.bed.join(index, team);
    }

    fn leave(&mut self) {
        if let Some(index) = self.anybody() {
            self.bed.leave(index);
        }
    }

    fn switch(&mut self) {
        if let Some(index) = self.anybody() {
            let team = [Team::Red, Team::Blue, Team::Spectator][self.dice.below(3)];
            self.bed.join(index, team);
        }
    }

    pub async fn happens(&mut self, event: &Event) {
        match event {
            Event::Round {
                winner,
                seconds,
                changes,
            } => self.round(*winner, *seconds, *changes).await,
            Event::Join => self.join(),
            Event::Leave => self.leave(),
            Event::Switch => self.switch(),
            Event::Wire(kind) => {
                let trouble = self.trouble(*kind);
                self.bed.trouble(trouble);
            }
            Event::Restart(seconds) => self.restart_service(*seconds).await,
            Event::Reload => self.bed.reload().await,
            Event::Crash => self.crash().await,
            Event::TornCrash => self.tear_and_crash().await,
            Event::ChangeMap => self.change_map().await,
            Event::ClockBack(seconds) => self.bed.set_machine_clock(-i64::from(*seconds)),
            Event::Empty => {
                for index in self.bed.everybody() {
                    self.bed.leave(index);
                }
                self.bed.pass(100.0).await;
                self.come_back();
            }
            Event::Wait(seconds) => self.bed.pass(f64::from(*seconds)).await,
        }
        self.bed.pass(0.2).await;
    }

    /// Returns no trouble in half of the cases.
    fn trouble(&mut self, kind: u8) -> Trouble {
        let some = vec![
            Trouble::Away,
            Trouble::AnswerLost,
            Trouble::Page(502),
            Trouble::Torn,
            Trouble::Slow(4.0),
        ];
        match kind % 16 {
            0 => Trouble::Away,
            1 => Trouble::AnswerLost,
            2 => Trouble::Page(502),
            3 => Trouble::Answer(429, "{}".to_owned(), &[("retry-after", "20")]),
            4 => Trouble::Torn,
            5 => Trouble::Empty,
            6 => Trouble::Slow(6.0),
            7 | 8 => Trouble::Any(self.dice.clone(), some),
            _ => Trouble::None,
        }
    }

    async fn restart_service(&mut self, seconds: u8) {
        if let Some(service) = self.service.take() {
            service.stop().await;
        }
        self.bed.pass(f64::from(seconds)).await;
        let service = Instance::start(&self.app.settings, self.app.clock.clone()).await;
        self.bed.connect_to_address(&service.address);
        self.service = Some(service);
    }

    async fn crash(&mut self) {
        self.bed.crash().await;
        self.come_back();
    }

    fn come_back(&mut self) {
        for _ in 0..6 {
            self.join();
        }
    }

    async fn tear_and_crash(&mut self) {
        let path = format!("addons/sourcemod/data/rbs/{QUEUE}");
        let text = self.bed.file(&path);
        if let Some(last) = names(&self.bed, QUEUE).pop() {
            self.bed
                .write_file(&path, &text[..text.len() - 1 - self.dice.below(60)]);
            let is_whole = self.bed.file(&path).lines().count() == text.lines().count()
                && self.bed.file(&path).ends_with('}');
            if !is_whole {
                self.torn.insert(last);
            }
        }
        self.crash().await;
    }

    async fn change_map(&mut self) {
        self.bed.change_map(self.mode).await;
        for (place, index) in self.bed.everybody().into_iter().enumerate() {
            let team = [Team::Red, Team::Blue][place % 2];
            self.bed.join(index, team);
        }
        self.bed.pass(3.0).await;
    }

    async fn round(&mut self, winner: u8, seconds: u8, changes: u8) {
        self.bed.begin_round();
        self.bed.pass(3.0).await;
        let (red, blue) = self.bed.sizes();
        self.bed.open_doors();
        self.bed.fight();
        for _ in 0..changes {
            self.bed.pass(f64::from(seconds) / 4.0).await;
            match self.dice.below(3) {
                0 => self.join(),
                1 => self.leave(),
                _ => self.switch(),
            }
            self.bed.fight();
        }
        self.bed.pass(f64::from(seconds)).await;
        if winner.is_multiple_of(3) {
            self.bed.capture_point(Team::Red);
        }
        let team = [Team::Red, Team::Blue, Team::None][usize::from(winner) % 3];
        self.bed
            .end_round(Win::of(team).because(1 + i32::from(winner % 5)));
        let before = self.made.len();
        self.note_names();
        let (larger, difference) = (red.max(blue), red.abs_diff(blue));
        let is_one_sided = difference >= 3 && 3 * difference > larger;
        let expected = usize::from(red > 0 && blue > 0 && !is_one_sided);
        let made = self.made.len() - before;
        assert_eq!(made, expected, "a round of {red} against {blue}");
        self.bed.pass(12.0).await;
    }

    /// A finished round is immediately in the queue file or in the overflow file.
    fn note_names(&mut self) {
        for file in [QUEUE, "overflow.life.jsonl"] {
            self.made.extend(names(&self.bed, file));
        }
    }

    /// Ends all trouble: each round must be counted once, or be in a file.
    pub async fn end(mut self) {
        self.bed.trouble(Trouble::None);
        self.join();
        self.join();
        self.bed.pass(130.0).await;
        let waiting = names(&self.bed, QUEUE);
        assert!(waiting.is_empty(), "{waiting:?} still wait");
        let all = counted(self.app, SERVER).await;
        let once: BTreeSet<String> = all.iter().cloned().collect();
        assert_eq!(all.len(), once.len(), "a round was counted twice");
        let mut elsewhere = BTreeSet::from_iter(names(&self.bed, "overflow.life.jsonl"));
        let is_apart = once.is_disjoint(&elsewhere);
        assert!(is_apart, "a round is counted and in a file");
        elsewhere.extend(self.torn.iter().cloned());
        let known = once.union(&elsewhere).cloned().collect();
        let lost: Vec<&String> = self.made.difference(&known).collect();
        assert!(lost.is_empty(), "rounds are lost: {lost:?}");
        let unknown: Vec<&String> = once.difference(&self.made).collect();
        assert!(unknown.is_empty(), "rounds that nobody played: {unknown:?}");
        let refused = names(&self.bed, "refused.life.jsonl");
        assert!(refused.is_empty(), "the service refuses {refused:?}");
        if let Some(service) = self.service.take() {
            service.stop().await;
        }
    }
}
