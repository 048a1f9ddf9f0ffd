//! `serve`: the game in the browser.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use server::{Config, Server, Volume};
use tokio::net::TcpListener;

use crate::args::{Backup, Serve};
use crate::library::Library;
use crate::output::{BAD, Failure, Out, STRONG, Styled};

/// Where the server listens unless somebody else does.
const USUAL_PORT: u16 = 1944;

pub(crate) fn serve(args: &Serve, library: Library) -> Result<(), Failure> {
    let file = args.db.clone().map_or_else(usual_file, Ok)?;
    let volumes = library.volumes.into_iter();
    let volumes = volumes.map(|volume| Volume { rulebook: volume.rulebook, data: volume.data }).collect();
    let (hosts, web) = (args.host.clone(), args.web.clone());
    let config = Config { file, hosts, proxy: args.proxy, unlimited_here: args.no_limits, web };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failure::Input(error.to_string()))?;
    let served = runtime.block_on(async {
        let server = Server::open(volumes, config.clone()).await.map_err(Failure::Input)?;
        let listener = listen(args).await?;
        let address = listener.local_addr().map_err(|error| Failure::Input(error.to_string()))?;
        let link = format!("http://{}/#/host/{}", shown(address), server.key());
        announce(&config, &link, server.room());
        if !args.no_open {
            open_browser(&link);
        }
        tokio::spawn(tell_damage(server.check()));
        server.serve(listener, end()).await;
        Ok(())
    });
    // Everything is on the disk: whatever else is under way need not be waited for.
    runtime.shutdown_background();
    served
}

/// Copies the file of games.
pub(crate) fn backup(args: &Backup, out: &mut Out) -> Result<(), Failure> {
    let db = args.db.clone().map_or_else(usual_file, Ok)?;
    server::backup(&db, &args.file).map_err(Failure::Input)?;
    out.line(format_args!("{} is a copy of {}", args.file.display(), db.display()));
    Ok(())
}

/// Waits until somebody wants the program to end: Ctrl-C, or the service that runs it.
async fn end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Says which games are damaged, if any.
async fn tell_damage(check: impl Future<Output = Vec<(String, String)>>) {
    let mut out = Out::default();
    for (game, why) in check.await {
        out.line(format_args!("{} {game}: {why}", Styled(BAD, "damaged:")));
    }
    out.flush();
}

/// The port that was asked for, or the usual one, or any that is free.
async fn listen(args: &Serve) -> Result<TcpListener, Failure> {
    let address = args.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let bind = async |port| TcpListener::bind(SocketAddr::new(address, port)).await;
    let listener = match args.port {
        Some(port) => bind(port).await,
        None => match bind(USUAL_PORT).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => bind(0).await,
            other => other,
        },
    };
    listener
        .map_err(|error| Failure::Input(format!("{address}:{}: {error}", args.port.unwrap_or(USUAL_PORT))))
}

/// An address that a browser on this machine can open.
fn shown(address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        return SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port());
    }
    address
}

fn announce(config: &Config, link: &str, room: usize) {
    let mut out = Out::default();
    out.line(format_args!("Grognard is at {}", Styled(STRONG, link)));
    out.line(format_args!(
        "games are kept in {}; room for {room} connections; Ctrl-C ends",
        config.file.display()
    ));
    out.flush();
}

/// A file in the user's data directory.
fn usual_file() -> Result<PathBuf, Failure> {
    let home = || env::var_os("HOME").map(PathBuf::from);
    let directory = if cfg!(windows) {
        env::var_os("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        let given = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        given.or_else(|| home().map(|home| home.join(".local/share")))
    };
    let directory = directory
        .ok_or_else(|| Failure::Input("no data directory is known; name a file with --db".to_owned()))?
        .join("grognard");
    fs::create_dir_all(&directory)
        .map_err(|error| Failure::Input(format!("{}: cannot be made: {error}", directory.display())))?;
    Ok(directory.join("games.db"))
}

/// Asks the desktop to open a link. Where there is none, the link that was printed is enough.
fn open_browser(link: &str) {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.args(["url.dll,FileProtocolHandler", link]);
        command
    } else {
        let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
        command.arg(link);
        command
    };
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
