//! The client: embedded in the program, or read from a folder while somebody works on it.

use std::path::{Component, Path, PathBuf};

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use include_dir::{Dir, include_dir};

static DIST: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../web/dist");

/// What is shown when there is no client.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Grognard</title>\
<h1>The client was not built</h1>\
<p>This program was compiled without the browser client. Build both with <code>make play</code>, or build the client \
with <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code> and compile again.</p>\
<p>The <a href=\"/api/openapi.json\">HTTP interface</a> works without it.</p></html>";

/// Where the client comes from.
#[derive(Clone, Debug)]
pub(crate) enum Assets {
    /// The program itself.
    Embedded,
    /// A folder.
    Folder(PathBuf),
}

impl Assets {
    /// A file of the client; what is not there is its first page, but only for the root.
    pub(crate) async fn serve(&self, path: &str) -> Response<Body> {
        let path = path.trim_start_matches('/');
        let path = if path.is_empty() { "index.html" } else { path };
        match self.read(path).await {
            Some(bytes) => file(path, bytes),
            None if path == "index.html" => html(StatusCode::OK, NOT_BUILT),
            None => {
                html(StatusCode::NOT_FOUND, "<!doctype html><title>Grognard</title><p>There is nothing here.")
            }
        }
    }

    async fn read(&self, path: &str) -> Option<Vec<u8>> {
        match self {
            Assets::Embedded => DIST.get_file(path).map(|file| file.contents().to_vec()),
            Assets::Folder(folder) => {
                let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
                let full = inside.then(|| folder.join(path))?;
                tokio::task::spawn_blocking(move || std::fs::read(full).ok()).await.ok()?
            }
        }
    }
}

fn file(path: &str, bytes: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    // The names of built files change with what is in them; that of the first page does not.
    let keep = if path.starts_with("assets/") { IMMUTABLE } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

/// For what never changes under its name.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

fn html(status: StatusCode, page: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type("html")));
    response
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or(path, |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "map" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
