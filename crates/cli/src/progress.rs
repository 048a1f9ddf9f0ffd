//! A progress bar for whatever takes more than a second; nothing when nobody watches.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) struct Progress {
    total: u64,
    began: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Progress {
        Progress { total: total as u64, began: Instant::now(), bar: OnceLock::new() }
    }

    /// So much is done.
    pub(crate) fn set(&self, done: usize) {
        if self.bar.get().is_none() && self.began.elapsed() < Duration::from_secs(1) {
            return;
        }
        self.bar.get_or_init(|| self.make()).set_position(done as u64);
    }

    fn make(&self) -> ProgressBar {
        let bar = ProgressBar::new(self.total);
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_elapsed();
        bar
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Turns a wheel while something works that cannot say how far it is.
pub(crate) fn while_working<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let wheel = ProgressBar::new_spinner().with_message(what);
    wheel.enable_steady_tick(Duration::from_millis(200));
    let done = work();
    wheel.finish_and_clear();
    done
}
