//! Where the server can be reached, for whoever wants to send a link.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use crate::wire::Reach;

/// How a server that listens at an address can be reached.
pub(crate) fn of(listens: SocketAddr) -> Reach {
    let port = listens.port();
    let link = |address: IpAddr| format!("http://{}", SocketAddr::new(address, port));
    let addresses = match listens.ip() {
        address if address.is_loopback() => Vec::new(),
        address if address.is_unspecified() => own_addresses(),
        address => vec![address],
    };
    Reach { only_here: addresses.is_empty(), addresses: addresses.into_iter().map(link).collect() }
}

/// The addresses by which this machine would speak to others. Nothing is sent: the system is only asked which way it would go.
fn own_addresses() -> Vec<IpAddr> {
    let ways: [(IpAddr, IpAddr); 2] = [
        (Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        (Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into()),
    ];
    let through = |(from, to): (IpAddr, IpAddr)| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        socket.local_addr().ok().map(|address| address.ip()).filter(|address| !address.is_loopback())
    };
    ways.into_iter().filter_map(through).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_alone_is_no_address_for_friends() {
        let here = of("127.0.0.1:1944".parse().unwrap());
        assert!(here.only_here && here.addresses.is_empty());
        let known = of("192.0.2.7:1944".parse().unwrap());
        assert_eq!((known.only_here, known.addresses), (false, vec!["http://192.0.2.7:1944".to_owned()]));
    }
}
