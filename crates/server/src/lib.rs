//! Grognard in the browser: games over HTTP and WebSocket, kept in one file.
//!
//! | room | what is in it |
//! |---|---|
//! | [`wire`] | every message and value that passes to and from clients; [`convert`] makes them |
//! | [`table`] | one game in memory: what a seat may do and see of it |
//! | [`games`] | all games: made, opened, changed, kept, told about; [`opponents`] play in them |
//! | [`seats`], [`invitations`] | secrets, whose eyes a seat looks through, and who holds it |
//! | [`store`] | the file: an acknowledged action is on the disk |
//! | [`socket`], [`api`] | the two ways in: WebSocket, and HTTP with its OpenAPI document |
//! | [`door`], [`guard`] | who is let in: connections, origins, headers, limits |
//! | [`workshop`] | work that takes long, done for everybody in turn |
//! | [`assets`], [`maps`], [`reference`](mod@reference), [`reach`] | the client, drawn maps, cases and charts, addresses |
//!
//! What a side may not see never leaves [`table`]: everything that is told passes through a viewer's eyes there.

mod api;
mod assets;
mod convert;
mod door;
mod games;
mod guard;
mod invitations;
mod maps;
mod opponents;
mod reach;
mod reference;
mod seats;
mod socket;
mod store;
mod table;
pub mod wire;
mod workshop;

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::Uri;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use games::Volume;
pub use store::backup;

use assets::Assets;
use games::Games;
use store::Store;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file that games are kept in.
    pub file: PathBuf,
    /// Names that the server is known by, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Requests come through a proxy on this machine, which says from where.
    pub proxy: bool,
    /// This machine may make as many requests as it likes.
    pub unlimited_here: bool,
    /// A folder with the client, instead of the one in the program.
    pub web: Option<PathBuf>,
}

/// What every request has at hand.
#[derive(Clone)]
pub(crate) struct App {
    games: Arc<Games>,
    gate: Arc<guard::Gate>,
    assets: Assets,
    hosts: Arc<[String]>,
    proxy: bool,
    unlimited_here: bool,
    key: Arc<str>,
    reach: wire::Reach,
    /// True when the server closes.
    closing: watch::Receiver<bool>,
}

impl App {
    fn knows_host(&self, host: &str) -> bool {
        let named = |name: &String| name.eq_ignore_ascii_case(guard::without_port(host));
        guard::is_address_or_local(host) || self.hosts.iter().any(named)
    }

    fn is_host(&self, key: &str) -> bool {
        // Both are digests' length; what differs is found without saying where.
        key.len() == self.key.len()
            && key.bytes().zip(self.key.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

/// A server that is ready to serve.
pub struct Server {
    app: App,
    close: watch::Sender<bool>,
    door: Arc<door::Door>,
}

impl Server {
    /// Opens the file of games.
    pub async fn open(volumes: Vec<Volume>, config: Config) -> Result<Server, String> {
        let store = Store::open(&config.file).map_err(|error| error.to_string())?;
        let key = seats::secret().map_err(|error| format!("no randomness: {error}"))?;
        let games = Games::new(volumes, store).map_err(|faults| faults.to_string())?;
        let (close, closing) = watch::channel(false);
        Ok(Server {
            close,
            door: door::Door::new(door::room()),
            app: App {
                games: Arc::new(games),
                gate: Arc::default(),
                assets: config.web.map_or(Assets::Embedded, Assets::Folder),
                hosts: config.hosts.into(),
                proxy: config.proxy,
                unlimited_here: config.unlimited_here,
                key: key.into(),
                reach: wire::Reach::default(),
                closing,
            },
        })
    }

    /// The key of whoever runs the program: with it all games can be found again. There is another at each start.
    pub fn key(&self) -> &str {
        &self.app.key
    }

    /// How many connections there is room for.
    pub fn room(&self) -> usize {
        self.door.room()
    }

    /// Looks through the whole file for games that are damaged: the public name of each, and what is wrong. They are not
    /// opened, all others are.
    pub fn check(&self) -> impl Future<Output = Vec<(String, String)>> + use<> {
        let games = self.app.games.clone();
        async move { games.check().await }
    }

    /// Serves until `end` comes. Then clients are told, and what was begun is finished.
    pub async fn serve(self, listener: TcpListener, end: impl Future<Output = ()>) {
        let Server { mut app, close, door } = self;
        app.reach = listener.local_addr().map(reach::of).unwrap_or_default();
        let closing = app.closing.clone();
        let store = app.games.store.clone();
        let serving = door::serve(listener, door, router(app), closing);
        let ended = async {
            end.await;
            let _ = close.send(true);
            // Nothing else comes: the serving ends by itself.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = serving => {}
            () = ended => {}
        }
        store.close().await;
    }
}

fn router(app: App) -> axum::Router {
    let (api, document) = api::router();
    let document = Json(document);
    api.route("/api/openapi.json", get(|| async move { document }))
        .fallback(asset)
        .layer(DefaultBodyLimit::max(guard::MAX_BODY))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn asset(State(app): State<App>, uri: Uri) -> impl IntoResponse {
    app.assets.serve(uri.path()).await
}
