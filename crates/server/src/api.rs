//! The HTTP interface: the same as over the WebSocket, one request at a time, for scripts and bots.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{
    ConnectInfo, FromRequest, FromRequestParts, Path, Query, Request, State, WebSocketUpgrade,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{IntoParams, Modify, OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::convert::plain;
use crate::door::Guest;
use crate::games::{Change, Done, NoGame};
use crate::seats::Seat;
use crate::table::Sitter;
use crate::wire::{self, Eyes};
use crate::{App, assets, convert, guard, reference, socket};

/// How long a request may wait for a change.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How long a client may take to send the body of a request.
const SLOWEST_BODY: Duration = Duration::from_secs(20);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Grognard",
        description = "Operational hex-and-counter wargames by the book. Requests about a game name a seat by its secret: \
                       `Authorization: Bearer SECRET`."
    ),
    modifiers(&Seats)
)]
struct Document;

struct Seats;

impl Modify for Seats {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let seat = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The secret of a seat, as `POST /api/games` returns it."))
            .build();
        let components = document.components.get_or_insert_with(Default::default);
        components.add_security_scheme("seat", SecurityScheme::Http(seat));
    }
}

/// The routes and their description.
pub(crate) fn router() -> (axum::Router<App>, utoipa::openapi::OpenApi) {
    let (router, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(library))
        .routes(routes!(reach))
        .routes(routes!(cases))
        .routes(routes!(glossary))
        .routes(routes!(tables))
        .routes(routes!(create, all_games))
        .routes(routes!(open_file))
        .routes(routes!(host_seat))
        .routes(routes!(find))
        .routes(routes!(invitation))
        .routes(routes!(accept))
        .routes(routes!(renew))
        .routes(routes!(give_up))
        .routes(routes!(invite))
        .routes(routes!(nonce))
        .routes(routes!(game))
        .routes(routes!(view))
        .routes(routes!(actions))
        .routes(routes!(act))
        .routes(routes!(undo))
        .routes(routes!(redo))
        .routes(routes!(hurry))
        .routes(routes!(ask))
        .routes(routes!(check))
        .routes(routes!(odds))
        .routes(routes!(explain))
        .routes(routes!(threat))
        .routes(routes!(record))
        .routes(routes!(situation))
        .split_for_parts();
    let router = router
        .route("/api/maps/{file}", axum::routing::get(map))
        .route("/api/socket", axum::routing::any(open_socket));
    (router, document)
}

/// Why a request was refused.
pub(crate) enum Error {
    /// The secret opens nothing.
    Seat,
    /// A rule or the state of the game forbids it.
    Refused(wire::Refusal),
    /// What was sent cannot be used.
    Faults(wire::Faults),
    /// There is no such invitation, or it was used.
    Used,
    /// There is nothing here.
    Nothing,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Error::Seat => {
                let status = StatusCode::UNAUTHORIZED;
                (status, Json(plain("expected `Authorization: Bearer SECRET` with the secret of a seat")))
                    .into_response()
            }
            Error::Refused(refusal) => (StatusCode::CONFLICT, Json(refusal)).into_response(),
            Error::Faults(faults) => (StatusCode::UNPROCESSABLE_ENTITY, Json(faults)).into_response(),
            Error::Used => {
                let why = "this invitation was used already, or replaced by another";
                (StatusCode::NOT_FOUND, Json(plain(why))).into_response()
            }
            Error::Nothing => (StatusCode::NOT_FOUND, Json(plain("there is nothing here"))).into_response(),
        }
    }
}

impl From<wire::Refusal> for Error {
    fn from(refusal: wire::Refusal) -> Self {
        Error::Refused(refusal)
    }
}

impl From<source::Faults> for Error {
    fn from(faults: source::Faults) -> Self {
        Error::Faults(convert::faults(&faults))
    }
}

/// A body in JSON; what is wrong with it is told as faults.
struct Body<T>(T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let message = match timeout(SLOWEST_BODY, Json::from_request(request, app)).await {
            Ok(Ok(Json(body))) => return Ok(Body(body)),
            Ok(Err(wrong)) => wrong.body_text(),
            Err(_) => format!("expected the whole body within {} seconds", SLOWEST_BODY.as_secs()),
        };
        let fault =
            wire::Fault { file: String::new(), line: 0, field: String::new(), message: message.clone() };
        Err(Error::Faults(wire::Faults { why: message, faults: vec![fault] }))
    }
}

/// The seat of a request.
struct Chair {
    handle: Arc<crate::games::Handle>,
    seat: Seat,
}

impl FromRequestParts<App> for Chair {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let secret = bearer(parts).ok_or(Error::Seat)?;
        match app.games.enter(secret).await {
            Ok((handle, seat)) => Ok(Chair { handle, seat }),
            Err(NoGame::Unknown) => Err(Error::Seat),
            Err(NoGame::Trouble(why)) => Err(Error::Refused(plain(why))),
        }
    }
}

/// Whoever runs the program, by the key in the link that it prints.
struct Host;

impl FromRequestParts<App> for Host {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        bearer(parts).filter(|key| app.is_host(key)).map(|_| Host).ok_or(Error::Seat)
    }
}

fn bearer(parts: &Parts) -> Option<&str> {
    parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

impl Chair {
    /// Who looks, through the eyes that were asked for or the usual ones.
    async fn sitter(&self, eyes: Option<Eyes>) -> Result<Sitter, Error> {
        let table = self.handle.table().await;
        let eyes = eyes.unwrap_or_else(|| self.seat.usual_eyes(table.deciding()));
        if !self.seat.eyes(table.is_over()).contains(&eyes) {
            return Err(Error::Refused(plain("this seat does not have those eyes")));
        }
        Ok(Sitter { seat: self.seat, eyes })
    }

    async fn ask(&self, app: &App, eyes: Option<Eyes>, ask: wire::Ask) -> Result<wire::Answer, Error> {
        let sitter = self.sitter(eyes).await?;
        Ok(app.games.ask(&self.handle, sitter, ask).await?)
    }

    async fn change(
        &self,
        app: &App,
        eyes: Option<Eyes>,
        decision: u32,
        change: Change,
    ) -> Result<Json<Changed>, Error> {
        app.games.sit_down(&self.handle, self.seat, None).await?;
        let sitter = self.sitter(eyes).await?;
        let Done { update, done, stopped } = app.games.change(&self.handle, sitter, decision, change).await?;
        Ok(Json(Changed { done, stopped, update }))
    }
}

/// Through whose eyes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Through {
    /// Where the seat has a choice; else those of its side.
    eyes: Option<Eyes>,
}

/// A change that was made and is on the disk.
#[derive(Serialize, Deserialize, ToSchema)]
struct Changed {
    /// How many lines were carried out.
    done: u32,
    /// Why not all were.
    stopped: Option<wire::Refusal>,
    /// How the game stands now.
    update: wire::Update,
}

/// What can be played.
#[utoipa::path(get, path = "/api/library", responses((status = 200, body = wire::Library)))]
async fn library(State(app): State<App>) -> Json<wire::Library> {
    Json(app.games.library().clone())
}

/// Where the server can be reached by others.
#[utoipa::path(get, path = "/api/reach", responses((status = 200, body = wire::Reach)))]
async fn reach(State(app): State<App>, ConnectInfo(from): ConnectInfo<SocketAddr>) -> Json<wire::Reach> {
    let mut reach = app.reach.clone();
    if !from.ip().is_loopback() {
        reach.addresses.clear();
    }
    Json(reach)
}

/// The words of a rulebook and what they mean.
#[utoipa::path(
    get, path = "/api/rulebooks/{name}/glossary",
    params(("name" = String, Path, description = "the short name of the rulebook")),
    responses((status = 200, body = Vec<wire::Term>), (status = 404, body = wire::Refusal))
)]
async fn glossary(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<wire::Term>>, Error> {
    let volume = app.games.volume(&name).ok_or(Error::Nothing)?;
    Ok(Json(reference::glossary(&volume.data)?))
}

/// The cases of a rulebook, in our own words.
#[utoipa::path(
    get, path = "/api/rulebooks/{name}/cases",
    params(("name" = String, Path, description = "the short name of the rulebook")),
    responses((status = 200, body = Vec<wire::CaseInfo>), (status = 404, body = wire::Refusal))
)]
async fn cases(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<wire::CaseInfo>>, Error> {
    let volume = app.games.volume(&name).ok_or(Error::Nothing)?;
    Ok(Json(reference::cases(&volume.data)?))
}

/// The charts of a rulebook.
#[utoipa::path(
    get, path = "/api/rulebooks/{name}/tables",
    params(("name" = String, Path, description = "the short name of the rulebook")),
    responses((status = 200, body = Vec<wire::Sheet>), (status = 404, body = wire::Refusal))
)]
async fn tables(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<wire::Sheet>>, Error> {
    let volume = app.games.volume(&name).ok_or(Error::Nothing)?;
    Ok(Json(reference::sheets(&volume.data)))
}

/// Starts a game.
#[utoipa::path(
    post, path = "/api/games", request_body = wire::NewGame,
    responses((status = 200, body = wire::Created), (status = 422, body = wire::Faults))
)]
async fn create(
    State(app): State<App>,
    Extension(from): Extension<guard::Sender>,
    Body(new): Body<wire::NewGame>,
) -> Result<Json<wire::Created>, Error> {
    Ok(Json(app.games.create(new, from.0).await?))
}

/// A part of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Part {
    /// How many to leave out.
    #[serde(default)]
    skip: u32,
}

/// Some 200 of all games, the last changed first: for whoever runs the program, by the key in the link that it prints.
#[utoipa::path(
    get, path = "/api/games", security(("seat" = [])), params(Part),
    responses((status = 200, body = Vec<wire::GameSummary>), (status = 401, body = wire::Refusal))
)]
async fn all_games(
    State(app): State<App>,
    _: Host,
    Query(part): Query<Part>,
) -> Result<Json<Vec<wire::GameSummary>>, Error> {
    Ok(Json(app.games.all(part.skip).await?))
}

/// A seat of a game for whoever runs the program: the person's, where one person plays; else he may look on.
#[utoipa::path(
    post, path = "/api/games/{id}/seat", security(("seat" = [])),
    params(("id" = String, Path, description = "the public name of the game")),
    responses((status = 200, body = wire::Accepted), (status = 401, body = wire::Refusal))
)]
async fn host_seat(
    State(app): State<App>,
    _: Host,
    Path(id): Path<String>,
) -> Result<Json<wire::Accepted>, Error> {
    app.games.host_seat(&id).await?.map(Json).ok_or(Error::Nothing)
}

/// What an invitation is for.
#[utoipa::path(
    post, path = "/api/invitations/view", request_body = wire::Invited,
    responses((status = 200, body = wire::Invitation), (status = 404, body = wire::Refusal))
)]
async fn invitation(
    State(app): State<App>,
    Body(invited): Body<wire::Invited>,
) -> Result<Json<wire::Invitation>, Error> {
    app.games.invitation(&invited.invitation).await?.map(Json).ok_or(Error::Used)
}

/// Takes the seat that an invitation is for. It works once.
#[utoipa::path(
    post, path = "/api/invitations/accept", request_body = wire::Invited,
    responses((status = 200, body = wire::Accepted), (status = 404, body = wire::Refusal))
)]
async fn accept(
    State(app): State<App>,
    Body(invited): Body<wire::Invited>,
) -> Result<Json<wire::Accepted>, Error> {
    app.games.accept(&invited.invitation).await?.map(Json).ok_or(Error::Used)
}

/// Gives a player's seat a new secret; the old one is worth nothing from then on.
#[utoipa::path(
    post, path = "/api/seat/renew", security(("seat" = [])),
    responses((status = 200, body = wire::Seat), (status = 409, body = wire::Refusal))
)]
async fn renew(State(app): State<App>, chair: Chair) -> Result<Json<wire::Seat>, Error> {
    Ok(Json(app.games.renew(&chair.handle, chair.seat).await?))
}

/// Gives a player's seat up.
#[utoipa::path(
    post, path = "/api/seat/leave", security(("seat" = [])),
    responses((status = 204), (status = 409, body = wire::Refusal))
)]
async fn give_up(State(app): State<App>, chair: Chair) -> Result<StatusCode, Error> {
    app.games.give_up(&chair.handle, chair.seat).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Invites somebody to the other side of a game for two, when nobody holds it. An invitation of before is worth nothing then.
#[utoipa::path(
    post, path = "/api/game/invite", security(("seat" = [])), request_body = wire::Invite,
    responses((status = 200, body = wire::Seat), (status = 409, body = wire::Refusal))
)]
async fn invite(
    State(app): State<App>,
    chair: Chair,
    Body(invite): Body<wire::Invite>,
) -> Result<Json<wire::Seat>, Error> {
    let side = convert::engine_side(invite.side);
    Ok(Json(app.games.invite(&chair.handle, chair.seat, side).await?))
}

/// Gives the player's part of the dice. Who acts without it has given an empty one.
#[utoipa::path(
    post, path = "/api/game/nonce", security(("seat" = [])), request_body = wire::Nonce,
    responses((status = 204), (status = 409, body = wire::Refusal))
)]
async fn nonce(
    State(app): State<App>,
    chair: Chair,
    Body(given): Body<wire::Nonce>,
) -> Result<StatusCode, Error> {
    app.games.sit_down(&chair.handle, chair.seat, Some(&given.nonce)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Starts a game from a record or situation file.
#[utoipa::path(
    post, path = "/api/games/open", request_body = wire::OpenFile,
    responses((status = 200, body = wire::Created), (status = 422, body = wire::Faults))
)]
async fn open_file(
    State(app): State<App>,
    Extension(from): Extension<guard::Sender>,
    Body(file): Body<wire::OpenFile>,
) -> Result<Json<wire::Created>, Error> {
    Ok(Json(app.games.open_file(file, from.0).await?))
}

/// Finds games again by the secrets of their seats.
#[utoipa::path(
    post, path = "/api/games/find", request_body = wire::FindGames,
    responses((status = 200, body = Vec<wire::GameSummary>))
)]
async fn find(
    State(app): State<App>,
    Body(find): Body<wire::FindGames>,
) -> Result<Json<Vec<wire::GameSummary>>, Error> {
    Ok(Json(app.games.find(&find.secrets).await?))
}

/// What stays the same during a game.
#[utoipa::path(
    get, path = "/api/game", security(("seat" = [])),
    responses((status = 200, body = wire::GameInfo), (status = 401, body = wire::Refusal))
)]
async fn game(chair: Chair) -> Json<wire::GameInfo> {
    Json(chair.handle.table().await.info().clone())
}

/// What a view waits for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct After {
    /// Where the seat has a choice; else those of its side.
    eyes: Option<Eyes>,
    /// Waits up to 30 seconds for the game to go beyond this decision.
    after: Option<u32>,
}

/// How a game stands: the view, the question with every legal answer, the latest log.
#[utoipa::path(
    get, path = "/api/game/view", security(("seat" = [])), params(After),
    responses((status = 200, body = wire::Update), (status = 401, body = wire::Refusal))
)]
async fn view(
    State(app): State<App>,
    chair: Chair,
    Query(after): Query<After>,
) -> Result<Json<wire::Update>, Error> {
    if let Some(decision) = after.after {
        let (mut pulse, mut closing) = (chair.handle.pulse.subscribe(), app.closing.clone());
        let revoked = pulse.borrow().revoked.of(chair.seat);
        let changed = async {
            tokio::select! {
                _ = pulse.wait_for(|pulse| pulse.decision > decision || pulse.closed) => {}
                _ = closing.changed() => {}
            }
        };
        // Whatever has happened by then is told.
        let _ = timeout(LONGEST_WAIT, changed).await;
        if chair.handle.pulse.borrow().revoked.of(chair.seat) != revoked {
            return Err(Error::Seat);
        }
    }
    let sitter = chair.sitter(after.eyes).await?;
    Ok(Json(chair.handle.table().await.update(sitter, after.after)))
}

/// A legal answer.
#[derive(Serialize, ToSchema)]
struct Line {
    /// How it is typed.
    line: String,
    /// A sentence.
    text: wire::Text,
    /// The case that grants it.
    case: String,
}

/// The decision and its legal answers as lines, ready to be sent to `act`.
#[derive(Serialize, ToSchema)]
struct Lines {
    /// The number of the decision.
    decision: u32,
    /// Who decides.
    side: Option<wire::Side>,
    /// What is asked.
    prompt: wire::Text,
    /// The answers; none while another player decides.
    lines: Vec<Line>,
}

/// Every legal answer as a line.
#[utoipa::path(
    get, path = "/api/game/actions", security(("seat" = [])), params(Through),
    responses((status = 200, body = Lines), (status = 401, body = wire::Refusal))
)]
async fn actions(chair: Chair, Query(through): Query<Through>) -> Result<Json<Lines>, Error> {
    let sitter = chair.sitter(through.eyes).await?;
    let table = chair.handle.table().await;
    let update = table.update(sitter, Some(table.decision()));
    let answers = if update.question.yours { table.position().actions() } else { Vec::new() };
    let line = |answer: engine::shelf::Answer| Line {
        line: answer.action,
        text: answer.text.into(),
        case: answer.case.to_owned(),
    };
    Ok(Json(Lines {
        decision: update.decision,
        side: update.question.side,
        prompt: update.question.prompt,
        lines: answers.into_iter().map(line).collect(),
    }))
}

/// Actions, and the decision that the first one answers.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Act {
    /// The number of the decision.
    decision: u32,
    /// The actions in notation: all are carried out, or none when one is refused.
    lines: Vec<String>,
}

/// Acts. When this is answered with 200 it is on the disk.
#[utoipa::path(
    post, path = "/api/game/act", security(("seat" = [])), params(Through), request_body = Act,
    responses((status = 200, body = Changed), (status = 409, body = wire::Refusal))
)]
async fn act(
    State(app): State<App>,
    chair: Chair,
    Query(through): Query<Through>,
    Body(act): Body<Act>,
) -> Result<Json<Changed>, Error> {
    chair.change(&app, through.eyes, act.decision, Change::Act(act.lines, Vec::new())).await
}

/// The decision that is given up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Back {
    /// The number of the decision.
    decision: u32,
}

/// Takes the last action back.
#[utoipa::path(
    post, path = "/api/game/undo", security(("seat" = [])), params(Through), request_body = Back,
    responses((status = 200, body = Changed), (status = 409, body = wire::Refusal))
)]
async fn undo(
    State(app): State<App>,
    chair: Chair,
    Query(through): Query<Through>,
    Body(back): Body<Back>,
) -> Result<Json<Changed>, Error> {
    chair.change(&app, through.eyes, back.decision, Change::Undo).await
}

/// Does again what was taken back last.
#[utoipa::path(
    post, path = "/api/game/redo", security(("seat" = [])), params(Through), request_body = Back,
    responses((status = 200, body = Changed), (status = 409, body = wire::Refusal))
)]
async fn redo(
    State(app): State<App>,
    chair: Chair,
    Query(through): Query<Through>,
    Body(back): Body<Back>,
) -> Result<Json<Changed>, Error> {
    chair.change(&app, through.eyes, back.decision, Change::Redo).await
}

/// Tells the opponent that decides now to think no longer in this phase.
#[utoipa::path(
    post, path = "/api/game/hurry", security(("seat" = [])),
    responses((status = 204), (status = 409, body = wire::Refusal))
)]
async fn hurry(State(app): State<App>, chair: Chair) -> Result<StatusCode, Error> {
    app.games.hurry(&chair.handle, chair.seat).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Asks anything about the game, as over the WebSocket.
#[utoipa::path(
    post, path = "/api/game/ask", security(("seat" = [])), params(Through), request_body = wire::Ask,
    responses((status = 200, body = wire::Answer), (status = 409, body = wire::Refusal))
)]
async fn ask(
    State(app): State<App>,
    chair: Chair,
    Query(through): Query<Through>,
    Body(ask): Body<wire::Ask>,
) -> Result<Json<wire::Answer>, Error> {
    Ok(Json(chair.ask(&app, through.eyes, ask).await?))
}

/// Actions to ask about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Supposed {
    /// The actions in notation, from the present decision on.
    lines: Vec<String>,
}

/// Whether the last line would be allowed after the others, and if not, which case forbids it and why.
#[utoipa::path(
    post, path = "/api/game/check", security(("seat" = [])), params(Through), request_body = Supposed,
    responses((status = 200, body = wire::Verdict), (status = 409, body = wire::Refusal))
)]
async fn check(
    State(app): State<App>,
    chair: Chair,
    Query(through): Query<Through>,
    Body(supposed): Body<Supposed>,
) -> Result<Json<wire::Verdict>, Error> {
    match chair.ask(&app, through.eyes, wire::Ask::Check { lines: supposed.lines }).await? {
        wire::Answer::Check(verdict) => Ok(Json(verdict)),
        _ => Err(Error::Nothing),
    }
}

/// The exact chances of what a commitment leads to; it is completed up to its first die.
#[utoipa::path(
    post, path = "/api/game/odds", security(("seat" = [])), params(Through), request_body = Supposed,
    responses((status = 200, body = wire::Prospect), (status = 409, body = wire::Refusal))
)]
async fn odds(
    State(app): State<App>,
    chair: Chair,
    Query(through): Query<Through>,
    Body(supposed): Body<Supposed>,
) -> Result<Json<wire::Prospect>, Error> {
    let ask = wire::Ask::Odds { lines: supposed.lines, complete: true };
    match chair.ask(&app, through.eyes, ask).await? {
        wire::Answer::Odds(prospect) => Ok(Json(prospect)),
        _ => Err(Error::Nothing),
    }
}

/// A unit.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OfUnit {
    /// The unit.
    unit: String,
    /// Where the seat has a choice; else those of its side.
    eyes: Option<Eyes>,
}

/// What can be proved of a unit: its supply, with the line or what cuts it.
#[utoipa::path(
    get, path = "/api/game/explain", security(("seat" = [])), params(OfUnit),
    responses((status = 200, body = Vec<wire::Proof>), (status = 409, body = wire::Refusal))
)]
async fn explain(
    State(app): State<App>,
    chair: Chair,
    Query(of): Query<OfUnit>,
) -> Result<Json<Vec<wire::Proof>>, Error> {
    match chair.ask(&app, of.eyes, wire::Ask::Explain { unit: of.unit }).await? {
        wire::Answer::Explain { proofs } => Ok(Json(proofs)),
        _ => Err(Error::Nothing),
    }
}

/// A hex.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OfHex {
    /// The label of the hex.
    hex: String,
    /// Where the seat has a choice; else those of its side.
    eyes: Option<Eyes>,
}

/// The heaviest attack that the enemy could make on a hex now.
#[utoipa::path(
    get, path = "/api/game/threat", security(("seat" = [])), params(OfHex),
    responses((status = 200, body = wire::Prospect), (status = 409, body = wire::Refusal))
)]
async fn threat(
    State(app): State<App>,
    chair: Chair,
    Query(of): Query<OfHex>,
) -> Result<Json<wire::Prospect>, Error> {
    match chair.ask(&app, of.eyes, wire::Ask::Threat { hex: of.hex }).await? {
        wire::Answer::Threat(prospect) => Ok(Json(prospect)),
        _ => Err(Error::Nothing),
    }
}

/// The game as a record; with the seed of its dice when it is over.
#[utoipa::path(
    get, path = "/api/game/record", security(("seat" = [])),
    responses((status = 200, body = String), (status = 409, body = wire::Refusal))
)]
async fn record(State(app): State<App>, chair: Chair) -> Result<String, Error> {
    text(chair.ask(&app, None, wire::Ask::Record).await?)
}

/// The position as a situation file, for whoever may see everything.
#[utoipa::path(
    get, path = "/api/game/situation", security(("seat" = [])),
    responses((status = 200, body = String), (status = 409, body = wire::Refusal))
)]
async fn situation(State(app): State<App>, chair: Chair) -> Result<String, Error> {
    text(chair.ask(&app, None, wire::Ask::Situation).await?)
}

fn text(answer: wire::Answer) -> Result<String, Error> {
    match answer {
        wire::Answer::Text { text, .. } => Ok(text),
        _ => Err(Error::Nothing),
    }
}

/// A map: its drawing, or where everything lies on it.
async fn map(State(app): State<App>, Path(file): Path<String>) -> Result<Response, Error> {
    let (name, ending) = file.rsplit_once('.').ok_or(Error::Nothing)?;
    let sheet = app.games.maps.sheet(name).ok_or(Error::Nothing)?;
    let (body, kind) = match ending {
        "svg" => (sheet.svg.clone(), "image/svg+xml"),
        "json" => (sheet.json.clone(), "application/json"),
        _ => return Err(Error::Nothing),
    };
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(assets::IMMUTABLE));
    // A drawing brings its own style and fonts, and nothing else.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    Ok(response)
}

async fn open_socket(
    State(app): State<App>,
    Extension(guest): Extension<Arc<Guest>>,
    Extension(from): Extension<guard::Sender>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .max_message_size(guard::MAX_MESSAGE)
        .max_frame_size(guard::MAX_MESSAGE)
        .on_upgrade(move |socket| socket::serve(app, socket, guest, from))
}
