//! Timers and frame callbacks (`core/TimerSys.cpp`, `core/logic/smn_timers.cpp`).

use super::arguments::real;
use super::handles::Object;
use super::{DONE, Natives, Plugin, complain};
use crate::machine::Answer;

/// Flags `TIMER_REPEAT`, `TIMER_FLAG_NO_MAPCHANGE` and `TIMER_DATA_HNDL_CLOSE`.
const REPEATS: i32 = 1 << 0;
const ENDS_WITH_MAP: i32 = 1 << 1;
const CLOSES_DATA: i32 = 1 << 9;
/// Timer callback result that stops the timer.
const STOP: i32 = 4;
/// Interval in seconds at which timers are checked.
const ACCURACY: f64 = 0.1;

#[derive(Debug)]
struct Timer {
    handle: i32,
    function: i32,
    data: i32,
    flags: i32,
    due: f64,
    interval: f64,
    runs: bool,
    is_to_end: bool,
}

#[derive(Debug, Default)]
pub struct Timers {
    all: Vec<Timer>,
    next_look: f64,
    /// Callbacks requested with `RequestFrame`, with their data.
    frames: Vec<(i32, i32)>,
}

impl Timers {
    /// Handles that timers and frame callbacks hold.
    pub fn held(&self) -> impl Iterator<Item = i32> {
        let data = self.all.iter().map(|timer| timer.data);
        data.chain(self.frames.iter().map(|(_, data)| *data))
    }
}

impl Plugin {
    /// Runs the frame callbacks, and the timers that are due.
    pub fn run_frame(&mut self, now: f64) {
        for (function, data) in std::mem::take(&mut self.host.timers.frames) {
            self.call(function, &[data]);
        }
        if let Err(fault) = self.run_vote(now) {
            self.host.faults.push(fault);
        }
        if now < self.host.timers.next_look {
            return;
        }
        self.host.timers.next_look = now + ACCURACY;
        let due = self.host.timers.all.iter().filter(|timer| timer.due <= now);
        let mut due: Vec<(f64, i32)> = due.map(|timer| (timer.due, timer.handle)).collect();
        due.sort_by(|first, second| first.0.total_cmp(&second.0));
        for (_, handle) in due {
            self.run_timer(handle, now);
        }
    }

    fn run_timer(&mut self, handle: i32, now: f64) {
        let find = |timer: &&mut Timer| timer.handle == handle;
        let Some(timer) = self.host.timers.all.iter_mut().find(find) else {
            return;
        };
        timer.runs = true;
        let (function, data) = (timer.function, timer.data);
        let answer = self.call(function, &[handle, data]).unwrap_or(0);
        let Some(timer) = self.host.timers.all.iter_mut().find(find) else {
            return;
        };
        timer.runs = false;
        if timer.flags & REPEATS == 0 || timer.is_to_end || answer == STOP {
            self.end_timer(handle);
        } else {
            timer.due = (timer.due + timer.interval).max(now);
        }
    }

    /// Removes a timer, immediately or after it has run.
    pub fn kill_timer(&mut self, handle: i32) {
        let timer = self
            .host
            .timers
            .all
            .iter_mut()
            .find(|timer| timer.handle == handle);
        match timer {
            Some(timer) if timer.runs => timer.is_to_end = true,
            _ => self.end_timer(handle),
        }
    }

    fn end_timer(&mut self, handle: i32) {
        let timers = &mut self.host.timers.all;
        if let Some(place) = timers.iter().position(|timer| timer.handle == handle) {
            let timer = timers.remove(place);
            self.host.handles.remove(handle);
            if timer.flags & CLOSES_DATA != 0 {
                self.host.handles.remove(timer.data);
            }
        }
    }

    /// Removes the timers that end with the map.
    pub fn end_timers_of_map(&mut self) {
        let ending = self
            .host
            .timers
            .all
            .iter()
            .filter(|timer| timer.flags & ENDS_WITH_MAP != 0);
        let ending: Vec<i32> = ending.map(|timer| timer.handle).collect();
        for handle in ending {
            self.kill_timer(handle);
        }
    }
}

pub const NATIVES: Natives = &[
    ("CreateTimer", create),
    ("KillTimer", kill),
    ("TriggerTimer", trigger),
    ("RequestFrame", request_frame),
    ("GetMapTimeLeft", time_left),
    ("GetMapTimeLimit", time_limit),
    ("IsServerProcessing", |_, _| Ok(1)),
];

fn create(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let [interval, function, data, flags] = arguments[..4] else {
        return complain("CreateTimer has four arguments");
    };
    let handle = plugin.host.handles.add(Object::Timer);
    let interval = f64::from(real(interval));
    plugin.host.timers.all.push(Timer {
        handle,
        function,
        data,
        flags,
        due: plugin.host.game.now() + interval,
        interval: interval.max(ACCURACY),
        runs: false,
        is_to_end: false,
    });
    Ok(handle)
}

/// Killing a timer that has ended is an error.
fn kill(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    if !matches!(plugin.host.handles.get(arguments[0]), Some(Object::Timer)) {
        return complain(format!("Invalid timer handle {:x} (error 3)", arguments[0]));
    }
    plugin.kill_timer(arguments[0]);
    DONE
}

fn trigger(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    if !matches!(plugin.host.handles.get(arguments[0]), Some(Object::Timer)) {
        return complain(format!("Invalid timer handle {:x} (error 3)", arguments[0]));
    }
    let now = plugin.host.game.now();
    plugin.run_timer(arguments[0], now);
    DONE
}

fn request_frame(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let data = arguments.get(1).copied().unwrap_or(0);
    plugin.host.timers.frames.push((arguments[0], data));
    DONE
}

/// Negative if the map has no time limit.
fn time_left(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    let left = plugin.host.game.seconds_left();
    plugin.memory.store(arguments[0], left)?;
    Ok(1)
}

fn time_limit(plugin: &mut Plugin, arguments: &[i32]) -> Answer {
    plugin
        .memory
        .store(arguments[0], plugin.host.game.minutes)?;
    Ok(1)
}
