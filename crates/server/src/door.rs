//! The door: who is let in, how many, and for how long without a word.
//!
//! A connection that does not say what it wants within a few seconds is closed, and no address takes the room of all the others.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Sleep, sleep, timeout};
use tower_service::Service;

use crate::guard::network;

/// How long a client may take to send the head of a request; also how long a connection may lie idle between two.
const HEAD: Duration = Duration::from_secs(10);

/// How long a client may take nothing of what it is sent.
const STALLED: Duration = Duration::from_secs(30);

/// How long those who are still there may take to go when the server closes.
const FAREWELL: Duration = Duration::from_secs(5);

/// How often it is looked whether everybody has gone.
const MOMENT: Duration = Duration::from_millis(20);

/// How long to wait when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);

/// Files that are needed for other things than connections.
const RESERVED: usize = 64;

/// How many connections there is room for: as many as the system allows this process to have, which it is asked for.
#[cfg(unix)]
pub(crate) fn room() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limits = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: limits.maximum, maximum: limits.maximum };
    let current = if setrlimit(Resource::Nofile, wanted).is_ok() { limits.maximum } else { limits.current };
    let files = current.and_then(|files| usize::try_from(files).ok()).unwrap_or(MOST);
    files.saturating_sub(RESERVED).clamp(16, MOST)
}

/// How many connections there is room for.
#[cfg(not(unix))]
pub(crate) fn room() -> usize {
    MOST
}

/// More connections than this are never let in, whatever the system allows.
const MOST: usize = 50_000;

/// How many connections there are, and from where.
pub(crate) struct Door {
    room: usize,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    all: usize,
    from: HashMap<IpAddr, usize>,
}

/// Somebody who was let in, until the last of it is dropped: a WebSocket outlives the request that asked for it.
pub(crate) struct Guest {
    door: Arc<Door>,
    address: IpAddr,
}

impl Door {
    pub(crate) fn new(room: usize) -> Arc<Door> {
        Arc::new(Door { room, inside: Mutex::default() })
    }

    /// How many there is room for.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Lets somebody in, if there is room, and unless his address has its share. This machine may have more: a proxy on it
    /// speaks for everybody.
    fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Guest> {
        let share = if address.is_loopback() { self.room - self.room / 4 } else { self.room / 4 };
        let mut inside = self.lock();
        let from = inside.from.get(&address).copied().unwrap_or_default();
        if inside.all >= self.room || from >= share {
            return None;
        }
        inside.all += 1;
        inside.from.insert(address, from + 1);
        Some(Guest { door: self.clone(), address })
    }

    /// Waits until everybody has gone.
    async fn empty(&self) {
        while self.lock().all > 0 {
            sleep(MOMENT).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut inside = self.door.lock();
        inside.all -= 1;
        let left = inside.from.get_mut(&self.address).map(|from| {
            *from -= 1;
            *from
        });
        if left == Some(0) {
            inside.from.remove(&self.address);
        }
    }
}

/// Serves connections until `closing` is true; then those who are there may finish what they have begun.
pub(crate) async fn serve(
    listener: TcpListener,
    door: Arc<Door>,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    let told = closing.clone();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    let guest = door.admit(network(address.ip()));
                    tokio::spawn(meet(stream, address, guest, router.clone(), told.clone()));
                }
                // It has gone already, or there is no room; either way the next one is waited for.
                Err(_) => sleep(NO_ROOM).await,
            },
            _ = closing.changed() => break,
        }
    }
    drop(listener);
    let _ = timeout(FAREWELL, door.empty()).await;
}

async fn meet(
    mut stream: TcpStream,
    address: SocketAddr,
    guest: Option<Guest>,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    let Some(guest) = guest.map(Arc::new) else {
        let sorry = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let _ = timeout(HEAD, stream.write_all(sorry.as_bytes())).await;
        return;
    };
    // Small messages go out at once instead of waiting for more.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(guest.clone());
        let mut router = router.clone();
        async move { Ok::<_, Infallible>(router.call(request).await.unwrap_or_else(|never| match never {})) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection =
        std::pin::pin!(http.serve_connection(TokioIo::new(Patient::new(stream)), service).with_upgrades());
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// A connection whose other end takes what it is sent, or is given up.
struct Patient {
    stream: TcpStream,
    /// Until when it is waited for, while it takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream) -> Patient {
        Patient { stream, stalled: None }
    }

    fn wait<T>(&mut self, done: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.stalled = None;
            return done;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wait(done, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.wait(done, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_takes_the_room_of_all() {
        let door = Door::new(100);
        let far: IpAddr = "192.0.2.1".parse().unwrap();
        let here: IpAddr = "127.0.0.1".parse().unwrap();
        let mut guests: Vec<Guest> = std::iter::from_fn(|| door.admit(far)).collect();
        assert_eq!(guests.len(), 25);
        let near: Vec<Guest> = std::iter::from_fn(|| door.admit(here)).collect();
        assert_eq!(near.len(), 75);
        assert!(door.admit("192.0.2.2".parse().unwrap()).is_none(), "there is no room at all");
        guests.pop();
        assert!(door.admit("192.0.2.2".parse().unwrap()).is_some());
        drop((guests, near));
        assert_eq!(door.lock().all, 0);
        assert!(door.lock().from.is_empty());
    }
}
