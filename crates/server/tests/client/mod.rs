//! A client for tests and for the load harness: real sockets, nothing else.

#![allow(dead_code, reason = "each test uses its part")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use server::wire::{
    Accepted, Answer, Answers, Ask, ClientMessage, Created, Eyes, Form, GameInfo, Presence, Refusal,
    SeatInfo, ServerMessage, Side, Update, VERSION,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// Long enough for any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody at a table.
pub(crate) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    next: u32,
    said: usize,
    /// How many messages are sent as fast as they come, before the client keeps below the server's limit.
    pub(crate) without_pause: usize,
    /// What stays the same.
    pub(crate) info: GameInfo,
    /// The seat.
    pub(crate) seat: SeatInfo,
    /// How the game stands.
    pub(crate) update: Update,
    /// Who is there.
    pub(crate) presence: Presence,
    /// The answers that have not been asked for yet, and every text that came, in order.
    pub(crate) heard: Vec<String>,
}

/// What an action gave.
#[derive(Debug)]
pub(crate) struct Acted {
    /// How many lines were carried out.
    pub(crate) done: u32,
    /// Why not all were.
    pub(crate) stopped: Option<Refusal>,
}

impl Client {
    /// Takes a seat.
    pub(crate) async fn sit(address: SocketAddr, secret: &str, eyes: Option<Eyes>) -> Result<Client, String> {
        Client::sit_with(address, secret, eyes, None).await
    }

    /// Takes a seat, and gives a part of the dice.
    pub(crate) async fn sit_with(
        address: SocketAddr,
        secret: &str,
        eyes: Option<Eyes>,
        nonce: Option<&str>,
    ) -> Result<Client, String> {
        let mut socket = open(address).await?;
        let nonce = nonce.map(str::to_owned);
        let hello = ClientMessage::Hello { version: VERSION, seat: secret.to_owned(), eyes, nonce };
        say(&mut socket, &hello).await?;
        let mut heard = Vec::new();
        match hear(&mut socket, &mut heard).await? {
            ServerMessage::Welcome { game, seat, update, .. } => Ok(Client {
                socket,
                next: 0,
                said: 0,
                without_pause: 100,
                info: *game,
                seat,
                update: *update,
                presence: Presence::default(),
                heard,
            }),
            other => Err(format!("not welcome: {other:?}")),
        }
    }

    /// Waits for the next message and keeps what it says.
    pub(crate) async fn hear(&mut self) -> Result<ServerMessage, String> {
        let message = hear(&mut self.socket, &mut self.heard).await?;
        match &message {
            ServerMessage::Update(update) => self.update = (**update).clone(),
            ServerMessage::Presence(presence) => self.presence = presence.clone(),
            _ => {}
        }
        Ok(message)
    }

    /// Waits until the game stands as wanted.
    pub(crate) async fn until(&mut self, mut wanted: impl FnMut(&Update) -> bool) -> Result<(), String> {
        while !wanted(&self.update) {
            self.hear().await?;
        }
        Ok(())
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Says anything.
    pub(crate) async fn say(&mut self, message: &ClientMessage) -> Result<(), String> {
        self.said += 1;
        if self.said > self.without_pause {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        say(&mut self.socket, message).await
    }

    async fn reply(&mut self, wanted: u32) -> Result<Result<ServerMessage, Refusal>, String> {
        loop {
            match self.hear().await? {
                ServerMessage::Refused { id, refusal } if id == wanted => return Ok(Err(refusal)),
                message @ ServerMessage::Done { id, .. } if id == wanted => return Ok(Ok(message)),
                message @ ServerMessage::Answer { id, .. } if id == wanted => return Ok(Ok(message)),
                ServerMessage::Goodbye { why, .. } => return Err(why),
                _ => {}
            }
        }
    }

    async fn done(&mut self, message: ClientMessage, id: u32) -> Result<Acted, Refusal> {
        let broken = |why: String| Refusal { case: None, why: why.into(), line: None, stale: false };
        self.say(&message).await.map_err(broken)?;
        match self.reply(id).await.map_err(broken)?? {
            ServerMessage::Done { done, stopped, .. } => Ok(Acted { done, stopped }),
            other => Err(broken(format!("{other:?}"))),
        }
    }

    /// Acts in the present decision.
    pub(crate) async fn act(&mut self, lines: &[&str]) -> Result<Acted, Refusal> {
        let decision = self.update.decision;
        self.act_in(decision, lines).await
    }

    /// Acts in some decision.
    pub(crate) async fn act_in(&mut self, decision: u32, lines: &[&str]) -> Result<Acted, Refusal> {
        let id = self.id();
        let lines = lines.iter().map(ToString::to_string).collect();
        self.done(ClientMessage::Act { id, decision, lines, dice: Vec::new() }, id).await
    }

    /// Takes back.
    pub(crate) async fn undo(&mut self) -> Result<Acted, Refusal> {
        let (id, decision) = (self.id(), self.update.decision);
        self.done(ClientMessage::Undo { id, decision }, id).await
    }

    /// Does again.
    pub(crate) async fn redo(&mut self) -> Result<Acted, Refusal> {
        let (id, decision) = (self.id(), self.update.decision);
        self.done(ClientMessage::Redo { id, decision }, id).await
    }

    /// Looks through other eyes.
    pub(crate) async fn look(&mut self, eyes: Eyes) -> Result<Acted, Refusal> {
        let id = self.id();
        self.done(ClientMessage::Look { id, eyes }, id).await
    }

    /// Asks.
    pub(crate) async fn ask(&mut self, ask: Ask) -> Result<Answer, Refusal> {
        let broken = |why: String| Refusal { case: None, why: why.into(), line: None, stale: false };
        let id = self.id();
        self.say(&ClientMessage::Ask { id, ask }).await.map_err(broken)?;
        match self.reply(id).await.map_err(broken)?? {
            ServerMessage::Answer { answer, .. } => Ok(*answer),
            other => Err(broken(format!("{other:?}"))),
        }
    }

    /// Every legal answer in notation.
    pub(crate) fn lines(&self) -> Vec<String> {
        lines(&self.info.forms, &self.update.question.answers)
    }
}

/// Answers in notation.
pub(crate) fn lines(forms: &[Form], answers: &[Answers]) -> Vec<String> {
    let line = |form: u32, args: &Vec<String>| {
        let name = &forms[form as usize].name;
        std::iter::once(name).chain(args).map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    let of_form = |answers: &Answers| {
        let lines = answers.args.iter().map(|args| line(answers.form, args));
        lines.collect::<Vec<_>>()
    };
    answers.iter().flat_map(of_form).collect()
}

/// Opens a WebSocket.
pub(crate) async fn open(address: SocketAddr) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, String> {
    let request = format!("ws://{address}/api/socket").into_client_request().map_err(|e| e.to_string())?;
    let (socket, _) =
        connect_async_with_config(request, None, true).await.map_err(|error| error.to_string())?;
    Ok(socket)
}

async fn say(
    socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>,
    message: &ClientMessage,
) -> Result<(), String> {
    let text = serde_json::to_string(message).map_err(|error| error.to_string())?;
    socket.send(Message::text(text)).await.map_err(|error| error.to_string())
}

async fn hear(
    socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>,
    heard: &mut Vec<String>,
) -> Result<ServerMessage, String> {
    // A ping is no message: patience ends however many of them come.
    let said = async {
        loop {
            match socket.next().await.ok_or("closed")?.map_err(|error| error.to_string())? {
                Message::Text(text) => return Ok(text),
                Message::Close(_) => return Err("closed".to_owned()),
                _ => {}
            }
        }
    };
    let text = timeout(PATIENCE, said).await.map_err(|_| "nothing was said".to_owned())??;
    let message = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    heard.push(text.as_str().to_owned());
    Ok(message)
}

/// A request and its answer: status and body.
pub(crate) async fn http(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Result<(u16, String), String> {
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "host") {
        request.push_str(&format!("host: {address}\r\n"));
    }
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    request.push_str(body);
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    let answer = timeout(PATIENCE, exchange).await.map_err(|_| "no answer")?.map_err(|e| e.to_string())?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| format!("no answer: {answer}"))?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or("no status")?;
    Ok((status, body.to_owned()))
}

/// A request with JSON.
pub(crate) async fn post(
    address: SocketAddr,
    path: &str,
    secret: &str,
    body: &str,
) -> Result<(u16, String), String> {
    let bearer = format!("Bearer {secret}");
    let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    http(address, "POST", path, &headers, body).await
}

/// A request for something.
pub(crate) async fn get(address: SocketAddr, path: &str, secret: &str) -> Result<(u16, String), String> {
    let bearer = format!("Bearer {secret}");
    http(address, "GET", path, &[("authorization", bearer.as_str())], "").await
}

/// The seats of a game.
pub(crate) struct Seats {
    /// Each with its sides.
    pub(crate) created: Created,
}

impl Seats {
    /// The secret of the seat that plays just these sides.
    pub(crate) fn of(&self, sides: &[Side]) -> &str {
        let seat = self.created.seats.iter().find(|seat| seat.sides == sides);
        seat.map_or("", |seat| seat.secret.as_str())
    }
}

/// Makes a game; the body is a `NewGame`.
pub(crate) async fn create(address: SocketAddr, body: &str) -> Result<Seats, String> {
    let (status, body) = post(address, "/api/games", "", body).await?;
    if status != 200 {
        return Err(format!("{status}: {body}"));
    }
    Ok(Seats { created: serde_json::from_str(&body).map_err(|error| error.to_string())? })
}

/// Makes a game between two people, and lets the other one accept; the body is a `NewGame` that says who makes it.
pub(crate) async fn create_for_two(address: SocketAddr, body: &str) -> Result<Seats, String> {
    let mut seats = create(address, body).await?;
    let invitation = seats.created.invitation.as_ref().ok_or("nobody is invited")?;
    let accepted = accept(address, &invitation.secret).await?;
    seats.created.seats.push(accepted.seat);
    Ok(seats)
}

/// Accepts an invitation.
pub(crate) async fn accept(address: SocketAddr, invitation: &str) -> Result<Accepted, String> {
    let body = serde_json::json!({ "invitation": invitation }).to_string();
    let (status, body) = post(address, "/api/invitations/accept", "", &body).await?;
    if status != 200 {
        return Err(format!("{status}: {body}"));
    }
    serde_json::from_str(&body).map_err(|error| error.to_string())
}

/// A path for a file of games that is this test's own, with nothing there.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let file = path_of(name);
    if let Some(folder) = file.parent() {
        let _ = std::fs::remove_dir_all(folder);
        // Whoever opens the file says what is wrong, if it could not be made.
        let _ = std::fs::create_dir_all(folder);
    }
    file
}

/// The path of a test's file of games.
pub(crate) fn path_of(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("grognard-{}-{name}", std::process::id())).join("games.db")
}

/// Numbers that look random and are always the same.
pub(crate) struct Lot(pub u64);

impl Lot {
    /// A number below `n`.
    pub(crate) fn draw(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}
