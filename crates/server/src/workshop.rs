//! Work that takes long: questions and opponents, on threads of their own, each in turn.
//!
//! Whoever asks much waits for himself and not others for him: work is taken from everybody in turn, and nobody has two pieces
//! of it done at once. Threads that may work long give way to those that serve people.

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;

/// Who wants something done: a game, and a seat of it.
pub(crate) type Customer = (String, &'static str);

type Task = Box<dyn FnOnce() + Send>;

/// Whether somebody waits for this just now. What nobody waits for is done last, and never by all threads at once.
type IsUrgent = Box<dyn Fn() -> bool + Send>;

/// Some threads, and what they are to do.
pub(crate) struct Workshop {
    bench: Arc<Bench>,
}

struct Bench {
    threads: usize,
    orders: Mutex<Orders>,
    more: Condvar,
}

#[derive(Default)]
struct Orders {
    /// What is to be done, whose turn is next first.
    lanes: VecDeque<Lane>,
    /// Whose work is being done.
    busy: HashSet<Customer>,
    /// How many threads do what nobody waits for.
    idle_work: usize,
    closed: bool,
}

struct Lane {
    customer: Customer,
    tasks: VecDeque<(IsUrgent, Task)>,
}

impl Workshop {
    /// So many threads, which give way to others by `nice` steps where the system knows them.
    pub(crate) fn new(name: &str, threads: usize, nice: i32) -> Result<Workshop, String> {
        let bench = Arc::new(Bench { threads, orders: Mutex::default(), more: Condvar::new() });
        for _ in 0..threads {
            let bench = bench.clone();
            let work = move || {
                give_way(nice);
                while let Some((customer, urgent, task)) = bench.next() {
                    // Whatever goes wrong in it, there is more to do; who waits for it is told that there is no answer.
                    let _ = catch_unwind(AssertUnwindSafe(task));
                    bench.done(&customer, urgent);
                }
            };
            thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| error.to_string())?;
        }
        Ok(Workshop { bench })
    }

    /// Does something in its turn. Nothing when the server closes.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        customer: Customer,
        is_urgent: impl Fn() -> bool + Send + 'static,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        let task = move || {
            // Who asked may have gone meanwhile.
            if !reply.is_closed() {
                let _ = reply.send(work());
            }
        };
        self.bench.order(customer, Box::new(is_urgent), Box::new(task));
        answer.await.ok()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let mut orders = self.bench.lock();
        orders.closed = true;
        orders.lanes.clear();
        drop(orders);
        self.bench.more.notify_all();
    }
}

impl Bench {
    fn lock(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn order(&self, customer: Customer, is_urgent: IsUrgent, task: Task) {
        let mut orders = self.lock();
        let lane = orders.lanes.iter_mut().find(|lane| lane.customer == customer);
        match lane {
            Some(lane) => lane.tasks.push_back((is_urgent, task)),
            None => orders.lanes.push_back(Lane { customer, tasks: VecDeque::from([(is_urgent, task)]) }),
        }
        drop(orders);
        self.more.notify_one();
    }

    /// Waits for something to do: for whom, whether he waits for it, and the work. Nothing when the workshop is closed.
    fn next(&self) -> Option<(Customer, bool, Task)> {
        let mut orders = self.lock();
        while !orders.closed {
            if let Some(found) = orders.take(self.threads) {
                return Some(found);
            }
            orders = self.more.wait(orders).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn done(&self, customer: &Customer, urgent: bool) {
        let mut orders = self.lock();
        orders.busy.remove(customer);
        orders.idle_work -= usize::from(!urgent);
        drop(orders);
        self.more.notify_all();
    }
}

impl Orders {
    /// Takes the next piece of work that may be begun, what somebody waits for first.
    fn take(&mut self, threads: usize) -> Option<(Customer, bool, Task)> {
        let is_free = |lane: &&Lane| !self.busy.contains(&lane.customer);
        let is_urgent = |lane: &Lane| lane.tasks.front().is_some_and(|(is_urgent, _)| is_urgent());
        let of = |wanted: &dyn Fn(&Lane) -> bool| {
            self.lanes.iter().position(|lane| is_free(&lane) && wanted(lane))
        };
        let urgent = of(&is_urgent);
        let may_idle = self.idle_work + 1 < threads.max(2);
        let place = urgent.or_else(|| of(&|_| true).filter(|_| may_idle))?;
        let mut lane = self.lanes.remove(place)?;
        let (_, task) = lane.tasks.pop_front()?;
        let customer = lane.customer.clone();
        if !lane.tasks.is_empty() {
            self.lanes.push_back(lane);
        }
        self.busy.insert(customer.clone());
        self.idle_work += usize::from(urgent.is_none());
        Some((customer, urgent.is_some(), task))
    }
}

#[cfg(target_os = "linux")]
fn give_way(nice: i32) {
    // On Linux this concerns the thread that asks. Where it is refused, the thread works like any other.
    let _ = rustix::process::setpriority_process(None, nice);
}

#[cfg(not(target_os = "linux"))]
fn give_way(_: i32) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn customer(name: &str) -> Customer {
        (name.to_owned(), "axis")
    }

    #[tokio::test]
    async fn who_asks_much_waits_for_himself() {
        let workshop = Arc::new(Workshop::new("test", 2, 0).unwrap());
        let done = Arc::new(AtomicUsize::new(0));
        let much: Vec<_> = (0..50)
            .map(|_| {
                let (workshop, done) = (workshop.clone(), done.clone());
                tokio::spawn(async move {
                    let slow = move || {
                        thread::sleep(Duration::from_millis(20));
                        done.fetch_add(1, Ordering::SeqCst)
                    };
                    workshop.work(customer("greedy"), || true, slow).await
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(30)).await;
        workshop.work(customer("modest"), || true, || ()).await.unwrap();
        assert!(done.load(Ordering::SeqCst) < 10, "the modest one waited for the greedy one");
        for one in much {
            assert!(one.await.unwrap().is_some());
        }
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_done_last() {
        let workshop = Arc::new(Workshop::new("test", 2, 0).unwrap());
        let idle: Vec<_> = (0..20)
            .map(|game| {
                let workshop = workshop.clone();
                let slow = || thread::sleep(Duration::from_millis(50));
                tokio::spawn(
                    async move { workshop.work(customer(&format!("game {game}")), || false, slow).await },
                )
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let begun = std::time::Instant::now();
        workshop.work(customer("watched"), || true, || ()).await.unwrap();
        assert!(begun.elapsed() < Duration::from_millis(40), "waited {:?}", begun.elapsed());
        for one in idle {
            assert!(one.await.unwrap().is_some());
        }
    }
}
