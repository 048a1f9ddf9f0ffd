//! Runs the tests against one mutant after the other, in processes that can be ended when a mutant does not end.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A test, as the runner tells it.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) time: Duration,
    /// The mutants that it reaches.
    pub(crate) reaches: Vec<u32>,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A test failed, or did not end, or took the process down: which one, and how.
    Caught { test: usize, why: String },
    /// No test noticed.
    Survived,
    /// With this change the data cannot be read: it is no mutant.
    Unviable,
}

/// A mutant to be tried.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// What the runner is told, without the tests.
    pub(crate) order: String,
    /// Mutants of one family are mostly caught by the same tests.
    pub(crate) family: String,
    /// The tests that might notice, the likeliest first.
    pub(crate) tests: Vec<usize>,
}

/// What a mutant may use, in KiB: one that never stops asking for memory is ended.
const MEMORY: usize = 3_000_000;

/// How much longer than usual a test may take.
const PATIENCE: u32 = 20;

/// And what it may take besides.
const GRACE: Duration = Duration::from_secs(2);

/// The runner, once it was started.
struct Runner {
    child: Child,
    orders: ChildStdin,
    lines: Receiver<String>,
}

impl Runner {
    /// Starts it. What a mutant says when it takes its process down is not for the reader.
    fn start(program: &Path, said: Stdio) -> Result<Runner, String> {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\"")])
            .arg(program)
            .env_remove("GROGNARD_BLESS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(said)
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (Some(orders), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the runner has no standard input or output".to_owned());
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(answers).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Runner { child, orders, lines })
    }

    fn order(&mut self, order: &str) -> Result<(), String> {
        writeln!(self.orders, "{order}").map_err(|error| format!("the runner does not listen: {error}"))
    }

    /// The next line; nothing when the process has worked for longer than the limit without one. A machine that is busy with
    /// other things does not count, where the system tells the work of a process.
    fn line(&self, limit: Duration) -> Result<Option<String>, String> {
        let begun = self.worked();
        loop {
            match self.lines.recv_timeout(limit) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Err("the process died".to_owned()),
                Err(RecvTimeoutError::Timeout) => match (begun, self.worked()) {
                    (Some(begun), Some(now)) if now.saturating_sub(begun) < limit => {}
                    _ => return Ok(None),
                },
            }
        }
    }

    /// How long the process has worked by now, as Linux tells it.
    fn worked(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let after_name = stat.rsplit_once(')')?.1;
        let ticks = |field: usize| after_name.split_whitespace().nth(field)?.parse::<u64>().ok();
        Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
    }

    /// Ends it.
    fn end(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All tests, each with the mutants that it reaches.
pub(crate) fn watch(program: &Path) -> Result<Vec<Test>, String> {
    let mut runner = Runner::start(program, Stdio::inherit())?;
    runner.order("watch")?;
    let mut tests = Vec::new();
    loop {
        let line = runner.lines.recv().map_err(|_| "the tests fail without any mutant".to_owned())?;
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["test", _, kind, name, time, reaches] => tests.push(Test {
                kind: kind.to_owned(),
                name: name.to_owned(),
                time: Duration::from_micros(time.parse().unwrap_or(0)),
                reaches: reaches.split(',').filter_map(|number| number.parse().ok()).collect(),
            }),
            ["done"] => break,
            _ => return Err(format!("not understood: {line}")),
        }
    }
    runner.end();
    Ok(tests)
}

/// Tries every job, several at a time; `tell` hears how many are done.
pub(crate) fn hunt(
    program: &Path,
    tests: &[Test],
    jobs: &[Job],
    threads: usize,
    tell: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Fate>, String> {
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..jobs.len()).collect());
    let fates: Mutex<BTreeMap<usize, Fate>> = Mutex::default();
    let killers: Mutex<BTreeMap<&str, Vec<usize>>> = Mutex::default();
    let work = || -> Result<(), String> {
        let mut runner = Runner::start(program, Stdio::null())?;
        loop {
            let Some(number) = lock(&queue).pop_front() else { break };
            let job = &jobs[number];
            let first = lock(&killers).get(job.family.as_str()).cloned().unwrap_or_default();
            let mut order: Vec<usize> = first.into_iter().filter(|test| job.tests.contains(test)).collect();
            let rest: Vec<usize> = job.tests.iter().copied().filter(|test| !order.contains(test)).collect();
            order.extend(rest);
            let (fate, goes_on) = attempt(&mut runner, job, &order, tests)?;
            if !goes_on {
                std::mem::replace(&mut runner, Runner::start(program, Stdio::null())?).end();
            }
            if let Fate::Caught { test, .. } = fate {
                let mut killers = lock(&killers);
                let known = killers.entry(&job.family).or_default();
                known.retain(|other| *other != test);
                known.insert(0, test);
            }
            let mut fates = lock(&fates);
            fates.insert(number, fate);
            tell(fates.len());
        }
        runner.end();
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or(Err("a thread panicked".to_owned())))
    })?;
    Ok(fates.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One mutant: its fate, and whether the runner can go on.
fn attempt(runner: &mut Runner, job: &Job, order: &[usize], tests: &[Test]) -> Result<(Fate, bool), String> {
    let list: Vec<String> = order.iter().map(usize::to_string).collect();
    runner.order(&format!("{}\t{}", job.order, list.join(",")))?;
    let mut at = order.first().copied().unwrap_or(0);
    // Before its first test a mutant of the data is read.
    let mut limit = GRACE * 5;
    loop {
        let line = match runner.line(limit) {
            Ok(Some(line)) => line,
            Ok(None) => {
                return Ok((Fate::Caught { test: at, why: "it does not end".to_owned() }, false));
            }
            Err(why) => return Ok((Fate::Caught { test: at, why }, false)),
        };
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["at", test] => {
                at = test.parse().unwrap_or(0);
                let usual = tests.get(at).map_or(Duration::ZERO, |test| test.time);
                limit = GRACE + usual * PATIENCE;
            }
            ["caught", test, why] => {
                let test = test.parse().unwrap_or(at);
                return Ok((Fate::Caught { test, why: why.to_owned() }, true));
            }
            ["survived"] => return Ok((Fate::Survived, true)),
            ["unviable", ..] => return Ok((Fate::Unviable, true)),
            _ => return Err(format!("not understood: {line}")),
        }
    }
}
