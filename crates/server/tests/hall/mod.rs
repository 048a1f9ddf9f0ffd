//! A server inside the test, on a real port with a real file.

use std::net::SocketAddr;

use server::{Config, Server, Volume};
use tokio::net::TcpListener;

/// Starts a server; it ends with the test's runtime.
pub(crate) async fn serve(name: &str) -> SocketAddr {
    let shelf = [
        barbarossa::shelved(),
        bite::shelved(),
        bug::shelved(),
        dagc::shelved(),
        depot::shelved(),
        mini::shelved(),
    ];
    let volumes = shelf.map(|rulebook| Volume { rulebook, data: rulebook.embedded() });
    let config = Config {
        file: crate::client::scratch(name),
        hosts: vec!["table.example".to_owned()],
        proxy: true,
        unlimited_here: false,
        web: None,
    };
    let server = Server::open(volumes.into(), config).await.expect("a server");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(server.serve(listener, std::future::pending()));
    address
}
