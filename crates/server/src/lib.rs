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
//! | [`guard`] | origins, headers, limits |
//! | [`assets`], [`maps`], [`reference`](mod@reference) | the client, drawn maps, cases and charts |
//!
//! What a side may not see never leaves [`table`]: everything that is told passes through a viewer's eyes there.

mod api;
mod assets;
mod convert;
mod games;
mod guard;
mod invitations;
mod maps;
mod opponents;
mod reference;
mod seats;
mod socket;
mod store;
mod table;
pub mod wire;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::Uri;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

pub use games::Volume;

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
    key: Arc<str>,
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
}

impl Server {
    /// Opens the file of games.
    pub async fn open(volumes: Vec<Volume>, config: Config) -> Result<Server, String> {
        let store = Store::open(&config.file).map_err(|error| error.to_string())?;
        let key = seats::secret().map_err(|error| format!("no randomness: {error}"))?;
        let games = Games::new(volumes, store).map_err(|faults| faults.to_string())?;
        Ok(Server {
            app: App {
                games: Arc::new(games),
                gate: Arc::default(),
                assets: config.web.map_or(Assets::Embedded, Assets::Folder),
                hosts: config.hosts.into(),
                key: key.into(),
            },
        })
    }

    /// The key of whoever runs the program: with it all games can be found again. There is another at each start.
    pub fn key(&self) -> &str {
        &self.app.key
    }

    /// Serves until the process ends.
    pub async fn serve(self, listener: TcpListener) -> std::io::Result<()> {
        // Small messages go out at once instead of waiting for more.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        let router = router(self.app).into_make_service_with_connect_info::<SocketAddr>();
        axum::serve(listener, router).await
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
