//! How long a general may think, and how others reach him while he does.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What a general may spend on a phase. Whatever is used up first ends his thinking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Time; without it the answer depends on the seed and the number of nodes alone.
    pub time: Option<Duration>,
    /// Plans played through.
    pub nodes: u32,
}

/// More nodes than this make no difference that a player would notice.
pub const MOST_NODES: u32 = 4_000;

impl Default for Budget {
    fn default() -> Self {
        Budget { time: Some(Duration::from_secs(10)), nodes: MOST_NODES }
    }
}

impl Budget {
    /// So many seconds a phase.
    pub fn seconds(seconds: f64) -> Budget {
        Budget { time: Some(Duration::from_secs_f64(seconds.clamp(0.0, 3_600.0))), nodes: MOST_NODES }
    }

    /// So many nodes a phase, however long they take.
    pub fn nodes(nodes: u32) -> Budget {
        Budget { time: None, nodes }
    }
}

/// What passes between a thinking opponent and those who wait for it.
#[derive(Debug, Default)]
pub struct Signals {
    hurry: AtomicBool,
    progress: AtomicU32,
}

impl Signals {
    /// Tells the opponent to decide now with what it has.
    pub fn hurry(&self) {
        self.hurry.store(true, Ordering::Relaxed);
    }

    /// True when it was told to decide now.
    pub fn is_hurried(&self) -> bool {
        self.hurry.load(Ordering::Relaxed)
    }

    /// Begins a new decision.
    pub fn begin(&self) {
        self.hurry.store(false, Ordering::Relaxed);
        self.tell(0.0);
    }

    /// How far the thinking is, from 0 to 1.
    pub fn progress(&self) -> f64 {
        f64::from(self.progress.load(Ordering::Relaxed)) / 1_000.0
    }

    pub(crate) fn tell(&self, progress: f64) {
        self.progress.store((progress.clamp(0.0, 1.0) * 1_000.0) as u32, Ordering::Relaxed);
    }
}

/// What is left of a budget in a phase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    time: Option<Duration>,
    nodes: u32,
}

impl Purse {
    pub(crate) fn full(budget: &Budget) -> Purse {
        Purse { time: budget.time, nodes: budget.nodes }
    }

    /// Hands out a part of what is left, for one of several searches in a phase.
    pub(crate) fn share(&self, part: f64) -> Purse {
        Purse {
            time: self.time.map(|time| time.mul_f64(part)),
            nodes: (f64::from(self.nodes) * part).ceil() as u32,
        }
    }

    /// Takes away what was spent.
    pub(crate) fn pay(&mut self, time: Duration, nodes: u32) {
        self.time = self.time.map(|left| left.saturating_sub(time));
        self.nodes = self.nodes.saturating_sub(nodes);
    }

    /// How much of it is gone since `began`, from 0 to 1 and above.
    pub(crate) fn spent(&self, began: Instant, nodes: u32) -> f64 {
        let by_nodes = f64::from(nodes) / f64::from(self.nodes.max(1));
        let by_time =
            self.time.map_or(0.0, |time| began.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9));
        by_nodes.max(by_time)
    }
}
