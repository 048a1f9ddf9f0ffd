//! Who is let in: hosts and origins, security headers, rates.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;

/// The most bytes of a request.
pub(crate) const MAX_BODY: usize = 4 << 20;

/// The most bytes of a message over a WebSocket.
pub(crate) const MAX_MESSAGE: usize = 64 << 10;

/// What a connection may send: at once, and each second.
pub(crate) const MESSAGES: Rate = Rate { burst: 120.0, per_second: 60.0 };

/// What an address does that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Deed {
    /// Any request.
    Request,
    /// Makes a game of a scenario.
    MakeGame,
    /// Makes a game of a file.
    SendFile,
    /// Finds games again.
    FindGames,
    /// Says something over a WebSocket.
    Message,
}

impl Deed {
    /// How often an address may do it.
    fn rate(self) -> Rate {
        match self {
            Deed::Request => Rate { burst: 1000.0, per_second: 200.0 },
            Deed::MakeGame => Rate { burst: 2000.0, per_second: 5.0 },
            Deed::SendFile => Rate { burst: 60.0, per_second: 1.0 },
            Deed::FindGames => Rate { burst: 60.0, per_second: 2.0 },
            Deed::Message => Rate { burst: 10_000.0, per_second: 2_000.0 },
        }
    }

    /// What a request does besides being one.
    fn of(request: &Request) -> Option<Deed> {
        match (request.method(), request.uri().path()) {
            (&Method::POST, "/api/games") => Some(Deed::MakeGame),
            (&Method::POST, "/api/games/open") => Some(Deed::SendFile),
            (&Method::POST, "/api/games/find") => Some(Deed::FindGames),
            _ => None,
        }
    }
}

/// How many addresses are remembered before those that are at rest are forgotten.
const MANY_ADDRESSES: usize = 4096;

/// So many at once, so many a second on average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    burst: f64,
    per_second: f64,
}

/// A bucket that fills as time goes by.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: Rate,
    level: f64,
    since: Instant,
}

impl Bucket {
    /// A full one.
    pub(crate) fn new(rate: Rate) -> Bucket {
        Bucket { rate, level: rate.burst, since: Instant::now() }
    }

    /// Takes one out, if there is one.
    pub(crate) fn take(&mut self) -> bool {
        self.fill();
        let enough = self.level >= 1.0;
        if enough {
            self.level -= 1.0;
        }
        enough
    }

    fn fill(&mut self) {
        let passed = self.since.elapsed();
        self.since += passed;
        let more = passed.max(Duration::ZERO).as_secs_f64() * self.rate.per_second;
        self.level = (self.level + more).min(self.rate.burst);
    }

    fn is_full(&mut self) -> bool {
        self.fill();
        self.level >= self.rate.burst
    }
}

/// The rates of all addresses.
#[derive(Default)]
pub(crate) struct Gate {
    buckets: Mutex<HashMap<(IpAddr, Deed), Bucket>>,
}

/// Where a request comes from, as far as rates go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender(pub(crate) IpAddr);

impl Gate {
    /// Whether an address may say something more over its WebSockets.
    pub(crate) fn admits_message(&self, Sender(address): Sender) -> bool {
        self.admits(address, Deed::Message)
    }

    fn admits(&self, address: IpAddr, deed: Deed) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MANY_ADDRESSES {
            buckets.retain(|_, bucket| !bucket.is_full());
        }
        buckets.entry((address, deed)).or_insert_with(|| Bucket::new(deed.rate())).take()
    }
}

/// Lets requests in, and puts the headers on what goes out.
pub(crate) async fn guard(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<std::net::SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let connect = format!("'self' ws://{host} wss://{host}");
    let from = network(sender(address.ip().to_canonical(), request.headers(), app.proxy));
    let refused = if !app.knows_host(host) {
        Some((StatusCode::FORBIDDEN, "this server is not known by that name"))
    } else if !same_origin(request.headers(), host) {
        Some((StatusCode::FORBIDDEN, "requests from other sites are refused"))
    } else if app.unlimited_here && from.is_loopback() {
        None
    } else if !app.gate.admits(from, Deed::Request) {
        Some((StatusCode::TOO_MANY_REQUESTS, "too many requests"))
    } else if Deed::of(&request).is_some_and(|deed| !app.gate.admits(from, deed)) {
        Some((StatusCode::TOO_MANY_REQUESTS, "too many games at once: wait a little"))
    } else {
        None
    };
    let mut response = match refused {
        Some(refused) => refused.into_response(),
        None => {
            request.extensions_mut().insert(Sender(from));
            next.run(request).await
        }
    };
    secure(response.headers_mut(), refused.is_none().then_some(connect.as_str()));
    response
}

/// What counts as one address: of IPv6 the network, of which anybody is given all addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address => address,
    }
}

/// The address that a request comes from. A proxy on this machine adds the one it was asked by as the last of
/// `X-Forwarded-For`; those before it are whatever the sender says.
fn sender(address: IpAddr, headers: &HeaderMap, proxy: bool) -> IpAddr {
    if !proxy || !address.is_loopback() {
        return address;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back().and_then(|list| list.to_str().ok());
    let last = forwarded.and_then(|list| list.rsplit(',').next());
    last.and_then(|last| last.trim().parse().ok()).unwrap_or(address)
}

/// True when a request comes from a page of this server, or from no page at all.
fn same_origin(headers: &HeaderMap, host: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().unwrap_or_default();
    let of = |scheme: &str| origin.strip_prefix(scheme).is_some_and(|rest| rest.eq_ignore_ascii_case(host));
    of("http://") || of("https://")
}

fn secure(headers: &mut HeaderMap, connect: Option<&str>) {
    const ALWAYS: [(HeaderName, &str); 6] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ];
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let policy = format!(
        "default-src 'self'; connect-src {}; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        connect.unwrap_or("'self'")
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
}

/// True for a name that cannot be another site's: an address or this machine itself. (A name of another site could be
/// made to lead here.)
pub(crate) fn is_address_or_local(host: &str) -> bool {
    let name = without_port(host);
    name.eq_ignore_ascii_case("localhost")
        || name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok()
}

/// A host without its port.
pub(crate) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_on_this_machine_says_who_asks_and_nobody_else_does() {
        let (here, far): (IpAddr, IpAddr) = ([127, 0, 0, 1].into(), [192, 0, 2, 1].into());
        let asked = |list: &'static str| {
            HeaderMap::from_iter([(
                HeaderName::from_static("x-forwarded-for"),
                HeaderValue::from_static(list),
            )])
        };
        let claimed = asked("203.0.113.9, 192.0.2.1");
        assert_eq!(sender(here, &claimed, true), far, "the last is what the proxy saw");
        assert_eq!(sender(here, &claimed, false), here, "without a proxy anybody could say so");
        assert_eq!(sender([198, 51, 100, 7].into(), &claimed, true), IpAddr::from([198, 51, 100, 7]));
        assert_eq!(sender(here, &asked("unknown"), true), here);
        assert_eq!(sender(here, &HeaderMap::new(), true), here);
    }

    /// Who has a network of IPv6 has more addresses than there is memory to count them.
    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let network = |address: &str| super::network(address.parse().unwrap());
        assert_eq!(network("2001:db8:0:1::7"), network("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(network("2001:db8:0:1::7"), network("2001:db8:0:2::7"));
        // A socket that hears both protocols gives addresses of IPv4 in the form of IPv6.
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("::ffff:192.0.2.1"), network("::ffff:192.0.2.2"));
    }

    #[test]
    fn hosts_are_addresses_or_this_machine() {
        for host in ["127.0.0.1:1944", "localhost", "LOCALHOST:80", "[::1]:1944", "192.168.0.7"] {
            assert!(is_address_or_local(host), "{host}");
        }
        for host in
            ["", "example.org", "example.org:1944", "127.0.0.1.example.org", "localhost.example.org:80"]
        {
            assert!(!is_address_or_local(host), "{host}");
        }
    }

    #[test]
    fn buckets_run_dry() {
        let mut bucket = Bucket::new(Rate { burst: 3.0, per_second: 0.0 });
        assert_eq!([(); 5].map(|()| bucket.take()), [true, true, true, false, false]);
    }
}
