//! A connection over a WebSocket: somebody at a table.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use crate::App;
use crate::convert::plain;
use crate::door::Guest;
use crate::games::{Chair, Change, Done, Handle, NoGame, Present, Pulse, Thinking};
use crate::guard::{Bucket, Gate, MESSAGES, Sender};
use crate::seats::Seat;
use crate::table::Sitter;
use crate::wire::{self, ClientMessage, Eyes, Refusal, ServerMessage, VERSION};

/// How long a client may take to say hello.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client may take to take a message.
const SLOWEST: Duration = Duration::from_secs(20);

/// How long a client that is sent away may take to go.
const LINGER: Duration = Duration::from_secs(2);

/// How often a silent client is asked whether it is there, and how long it may be silent.
const PING: Duration = Duration::from_secs(25);

/// While the program plays on and on, this much time lies between updates. Each tells all actions since the last.
const PACE: Duration = Duration::from_millis(100);

/// How many questions a client may have asked and not yet got an answer to.
const QUESTIONS: usize = 16;

/// Why a connection ends.
enum End {
    /// The client has gone.
    Gone,
    /// It is sent away.
    Away { why: String, again: bool },
}

impl End {
    fn away(why: impl Into<String>) -> End {
        End::Away { why: why.into(), again: false }
    }
}

/// Serves a connection to its end, while which it counts among those that were let in.
pub(crate) async fn serve(app: App, socket: WebSocket, _guest: Arc<Guest>, from: Sender) {
    let mut line = Line { socket, bucket: Bucket::new(MESSAGES), gate: app.gate.clone(), from };
    let end = match converse(&app, &mut line).await {
        Ok(()) => return,
        Err(end) => end,
    };
    if let End::Away { why, again } = end {
        let _ = line.send(&ServerMessage::Goodbye { why, again }).await;
        let frame = CloseFrame { code: close_code::POLICY, reason: Utf8Bytes::from_static("goodbye") };
        let _ = timeout(SLOWEST, line.socket.send(Message::Close(Some(frame)))).await;
        // What is still on its way is let come, or the last words would be lost with the connection.
        let _ = timeout(LINGER, async { while let Some(Ok(_)) = line.socket.recv().await {} }).await;
    }
}

async fn converse(app: &App, line: &mut Line) -> Result<(), End> {
    let hello = timeout_at(Instant::now() + PATIENCE, line.receive());
    let hello = hello.await.map_err(|_| End::away("expected `hello` within ten seconds"))??;
    let Some(ClientMessage::Hello { version, seat: secret, eyes, nonce }) = hello else {
        return Err(End::away("expected `hello`"));
    };
    if version != VERSION {
        return Err(End::away(format!(
            "this server speaks version {VERSION} of the protocol, not {version}"
        )));
    }
    let (handle, seat) = app.games.enter(&secret).await.map_err(|no_game| match no_game {
        NoGame::Unknown => End::away("there is no seat with this secret"),
        NoGame::Trouble(why) => End::away(why),
    })?;
    let revoked = handle.pulse.borrow().revoked.of(seat);
    // The seat may have been renewed while the game was opened.
    if !app.games.is_seat(&secret).await {
        return Err(End::away("there is no seat with this secret"));
    }
    app.games
        .sit_down(&handle, seat, nonce.as_deref())
        .await
        .map_err(|refusal| End::away(refusal.why.to_string()))?;
    Session::open(app, line, handle, seat, eyes, revoked).await?.run(line).await
}

/// The socket, with what is counted and limited.
struct Line {
    socket: WebSocket,
    bucket: Bucket,
    gate: Arc<Gate>,
    from: Sender,
}

impl Line {
    async fn send(&mut self, message: &ServerMessage) -> Result<(), End> {
        let text = serde_json::to_string(message).map_err(|_| End::Gone)?;
        let sent = timeout(SLOWEST, self.socket.send(Message::Text(text.into()))).await;
        sent.map_err(|_| End::Gone)?.map_err(|_| End::Gone)
    }

    /// The next message of the client; nothing for what needs no answer.
    async fn receive(&mut self) -> Result<Option<ClientMessage>, End> {
        let message = match self.socket.recv().await {
            Some(Ok(message)) => message,
            // What is too large or no WebSocket message at all.
            Some(Err(error)) => return Err(End::away(format!("malformed message: {error}"))),
            None => return Err(End::Gone),
        };
        if !self.bucket.take() || !self.gate.admits_message(self.from) {
            return Err(End::Away { why: "too many messages".to_owned(), again: true });
        }
        match message {
            Message::Text(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|error| End::away(format!("malformed message: {error}"))),
            Message::Binary(_) => Err(End::away("malformed message: expected text")),
            Message::Close(_) => Err(End::Gone),
            Message::Ping(_) | Message::Pong(_) => Ok(None),
        }
    }
}

/// Somebody at a table.
struct Session {
    app: App,
    handle: Arc<Handle>,
    sitter: Sitter,
    /// How often the seat had been renewed or given up when it was taken.
    revoked: u32,
    pulse: watch::Receiver<Pulse>,
    /// The decision of the last update that was sent.
    told: u32,
    present: Present,
    thinking: Option<Thinking>,
    /// How much of what was said was told.
    heard: u32,
    /// Something has changed that is not told yet.
    news: bool,
    /// When the last update was sent.
    updated: Instant,
    /// Answers come here from the tasks that find them, so that no question keeps an action waiting.
    answers: mpsc::Receiver<ServerMessage>,
    finder: mpsc::Sender<ServerMessage>,
    asking: usize,
    closing: watch::Receiver<bool>,
    _chair: Chair,
}

impl Session {
    async fn open(
        app: &App,
        line: &mut Line,
        handle: Arc<Handle>,
        seat: Seat,
        eyes: Option<Eyes>,
        revoked: u32,
    ) -> Result<Session, End> {
        let chair = handle.sit(seat);
        let pulse = handle.pulse.subscribe();
        let table = handle.table().await;
        let may = seat.eyes(table.is_over());
        let eyes = match eyes {
            Some(eyes) if may.contains(&eyes) => eyes,
            Some(_) => return Err(End::away("this seat does not have those eyes")),
            None => seat.usual_eyes(table.deciding()),
        };
        let sitter = Sitter { seat, eyes };
        let welcome = ServerMessage::Welcome {
            version: VERSION,
            game: Box::new(table.info().clone()),
            seat: wire::SeatInfo { sides: seat.wire_sides(), eyes: may },
            update: Box::new(table.update(sitter, None)),
        };
        let told = table.decision();
        let (present, heard) = (pulse.borrow().present, pulse.borrow().said);
        let presence = ServerMessage::Presence(present.wire(&table));
        drop(table);
        line.send(&welcome).await?;
        line.send(&presence).await?;
        let said = app.games.heard(&handle, seat, 0).await;
        line.send(&ServerMessage::Said { said }).await?;
        let (finder, answers) = mpsc::channel(QUESTIONS);
        Ok(Session {
            app: app.clone(),
            handle,
            sitter,
            revoked,
            pulse,
            told,
            present,
            thinking: None,
            heard,
            news: true,
            updated: Instant::now(),
            answers,
            finder,
            asking: 0,
            closing: app.closing.clone(),
            _chair: chair,
        })
    }

    async fn run(mut self, line: &mut Line) -> Result<(), End> {
        let mut silent = 0;
        loop {
            let next_update = self.next_update();
            tokio::select! {
                changed = self.pulse.changed() => {
                    changed.map_err(|_| End::Gone)?;
                    self.news = true;
                }
                _ = self.closing.changed() => {
                    return Err(End::Away { why: "the server closes".to_owned(), again: true });
                }
                () = sleep_until(next_update), if self.news => self.tell_changes(line).await?,
                Some(answer) = self.answers.recv() => {
                    self.asking -= 1;
                    line.send(&answer).await?;
                }
                message = line.receive(), if self.asking < QUESTIONS => {
                    silent = 0;
                    if let Some(message) = message? {
                        self.expect_seat()?;
                        self.answer(line, message).await?;
                    }
                }
                () = tokio::time::sleep(PING) => {
                    silent += 1;
                    if silent > 2 {
                        return Err(End::Gone);
                    }
                    let sent = timeout(SLOWEST, line.socket.send(Message::Ping(Default::default()))).await;
                    sent.map_err(|_| End::Gone)?.map_err(|_| End::Gone)?;
                }
            }
        }
    }

    /// Sends away who has lost his seat.
    fn expect_seat(&self) -> Result<(), End> {
        match self.handle.pulse.borrow().revoked.of(self.sitter.seat) == self.revoked {
            true => Ok(()),
            false => Err(End::away("this seat was renewed or given up: its old link is worth nothing now")),
        }
    }

    /// When news may be told: at once, unless the program goes on playing.
    fn next_update(&self) -> Instant {
        let plays_on = self.pulse.borrow().program;
        if plays_on { self.updated + PACE } else { self.updated }
    }

    /// Sends what the client has not been told yet.
    async fn tell_changes(&mut self, line: &mut Line) -> Result<(), End> {
        self.news = false;
        let pulse = self.pulse.borrow_and_update().clone();
        if pulse.closed {
            return Err(End::Away { why: "the game is opened anew".to_owned(), again: true });
        }
        self.expect_seat()?;
        if pulse.decision != self.told {
            self.tell_update(line, Some(self.told)).await?;
        }
        if pulse.present != self.present {
            self.present = pulse.present;
            let presence = pulse.present.wire(&*self.handle.table().await);
            line.send(&ServerMessage::Presence(presence)).await?;
        }
        if pulse.said != self.heard {
            let said = self.app.games.heard(&self.handle, self.sitter.seat, self.heard).await;
            self.heard = pulse.said;
            line.send(&ServerMessage::Said { said }).await?;
        }
        if pulse.thinking != self.thinking {
            self.thinking = pulse.thinking;
            let thinking = pulse.thinking.map(Thinking::wire);
            line.send(&ServerMessage::Thinking { thinking }).await?;
        }
        Ok(())
    }

    async fn tell_update(&mut self, line: &mut Line, since: Option<u32>) -> Result<(), End> {
        let update = self.handle.table().await.update(self.sitter, since);
        self.told = update.decision;
        self.updated = Instant::now();
        line.send(&ServerMessage::Update(Box::new(update))).await
    }

    async fn answer(&mut self, line: &mut Line, message: ClientMessage) -> Result<(), End> {
        match message {
            ClientMessage::Hello { .. } => Err(End::away("`hello` was said already")),
            ClientMessage::Act { id, decision, lines, dice } => {
                self.change(line, id, decision, Change::Act(lines, dice)).await
            }
            ClientMessage::Undo { id, decision } => self.change(line, id, decision, Change::Undo).await,
            ClientMessage::Redo { id, decision } => self.change(line, id, decision, Change::Redo).await,
            ClientMessage::Look { id, eyes } => {
                let may = self.sitter.seat.eyes(self.handle.table().await.is_over());
                if !may.contains(&eyes) {
                    return refuse(line, id, plain("this seat does not have those eyes")).await;
                }
                self.sitter.eyes = eyes;
                self.tell_update(line, None).await?;
                line.send(&ServerMessage::Done { id, done: 0, stopped: None }).await
            }
            ClientMessage::Sync { id } => {
                self.tell_update(line, None).await?;
                line.send(&ServerMessage::Done { id, done: 0, stopped: None }).await
            }
            ClientMessage::Hurry { id } => match self.app.games.hurry(&self.handle, self.sitter.seat).await {
                Ok(()) => line.send(&ServerMessage::Done { id, done: 0, stopped: None }).await,
                Err(refusal) => refuse(line, id, refusal).await,
            },
            ClientMessage::Order { id, orders } => {
                let decision = self.handle.table().await.decision();
                self.change(line, id, decision, Change::Order(orders)).await
            }
            ClientMessage::Say { id, text, name } => {
                let said = self.app.games.say(&self.handle, self.sitter.seat, &text, name.as_deref()).await;
                match said {
                    Ok(()) => line.send(&ServerMessage::Done { id, done: 0, stopped: None }).await,
                    Err(refusal) => refuse(line, id, refusal).await,
                }
            }
            ClientMessage::Ask { id, ask } => {
                self.ask(id, ask);
                Ok(())
            }
        }
    }

    fn ask(&mut self, id: u32, ask: wire::Ask) {
        self.asking += 1;
        let (app, handle, sitter, finder) =
            (self.app.clone(), self.handle.clone(), self.sitter, self.finder.clone());
        tokio::spawn(async move {
            let answer = match app.games.ask(&handle, sitter, ask).await {
                Ok(answer) => ServerMessage::Answer { id, answer: Box::new(answer) },
                Err(refusal) => ServerMessage::Refused { id, refusal },
            };
            let _ = finder.send(answer).await;
        });
    }

    async fn change(&mut self, line: &mut Line, id: u32, decision: u32, change: Change) -> Result<(), End> {
        match self.app.games.change(&self.handle, self.sitter, decision, change).await {
            // Decisions follow one another without a gap, and what was not told of the last one is told first.
            Ok(Done { update, done, stopped }) => {
                let update = match self.told + 1 == update.decision {
                    true => update,
                    false => self.handle.table().await.update(self.sitter, Some(self.told)),
                };
                self.told = update.decision;
                line.send(&ServerMessage::Update(Box::new(update))).await?;
                line.send(&ServerMessage::Done { id, done, stopped }).await
            }
            Err(refusal) => refuse(line, id, refusal).await,
        }
    }
}

async fn refuse(line: &mut Line, id: u32, refusal: Refusal) -> Result<(), End> {
    line.send(&ServerMessage::Refused { id, refusal }).await
}
