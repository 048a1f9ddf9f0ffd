//! Records: a whole game in readable text, to this engine what PGN is to chess.
//!
//! `docs/records.md` specifies the format.

use std::fmt::Write;

use source::{Fault, Faults, Source};

use crate::{Asked, BySide, Data, Game, Mixture, Options, Outcome, Refused, Rulebook, Seed, Side, Start};

/// The version of the format that is written.
pub const FORMAT: &str = "record 1";

/// The words a record's first line begins with, by which it is told from a situation.
pub const OPENING: &str = "[Grognard ";

/// True when a text is a record and not a situation: after empty lines and comments it opens with a tag.
pub fn is_record(source: &Source) -> bool {
    let mut lines =
        source.text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with(OPENING))
}

/// The tags a record may begin with, in the order they are written.
const TAGS: [&str; 17] = [
    CASUAL,
    "Grognard",
    "Rulebook",
    "Rules",
    "Data",
    "Scenario",
    "Options",
    "Seed",
    "Game",
    "Secret",
    "Commitment",
    "AxisNonce",
    "SovietNonce",
    "Axis",
    "Soviet",
    "Date",
    "Result",
];

/// A record as it was read: the game is not played through yet.
#[derive(Clone, Debug)]
pub struct Record {
    name: String,
    tags: Vec<Tag>,
    situation: Option<Source>,
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Tag {
    line: usize,
    key: String,
    value: String,
}

/// One action of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    line: usize,
    side: Side,
    action: String,
    /// What the dice showed; nothing when the record does not say.
    dice: Option<Vec<u32>>,
}

impl Record {
    /// Reads the text; [`Record::replay`] plays it.
    pub fn parse(source: &Source) -> Result<Record, Faults> {
        let mut reader =
            Reader { source, faults: Faults::default(), record: Record::new(&source.name), written: 0 };
        for (i, line) in source.text.lines().enumerate() {
            reader.line(i + 1, line);
        }
        reader.finish()
    }

    fn new(name: &str) -> Record {
        Record { name: name.to_owned(), tags: Vec::new(), situation: None, lines: Vec::new() }
    }

    /// The value of a tag.
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.key == key).map(|tag| tag.value.as_str())
    }

    /// The name of the rulebook.
    pub fn rulebook(&self) -> &str {
        self.tag("Rulebook").unwrap_or_default()
    }

    /// How many actions it has.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// True when it has no action.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Plays the game through. Dice come from the record where it tells them, else from its seed.
    pub fn replay<R: Rulebook>(&self, data: &Data) -> Result<Game<R>, Faults> {
        let mut game = self.begin::<R>(data)?;
        for line in &self.lines {
            self.replay_line(&mut game, line, true)?;
        }
        self.compare_result(&game)?;
        Ok(game)
    }

    /// Plays the game through with dice from the seed alone, and compares every roll, the commitment and the
    /// result with what the record says. Returns the game and how many rolls were compared.
    pub fn verify<R: Rulebook>(&self, data: &Data) -> Result<(Game<R>, usize), Faults> {
        let Some(secret) = self.tag("Secret").or(self.tag("Seed")) else {
            return Err(self
                .fault(0, "Seed", "the record has no seed, so its dice cannot be verified")
                .into());
        };
        let commitment = Mixture::commitment(secret);
        if self.tag("Commitment").is_some_and(|told| told != commitment) {
            let what = if self.tag("Secret").is_some() { "secret" } else { "seed" };
            return Err(self
                .tag_fault("Commitment", format!("the {what}'s commitment is {commitment}"))
                .into());
        }
        let mut game = self.begin::<R>(data)?;
        let mut compared = 0;
        for line in &self.lines {
            self.replay_line(&mut game, line, false)?;
            let Some(told) = &line.dice else { continue };
            let rolled = game.moves().last().map(|last| last.rolls.as_slice()).unwrap_or_default();
            if rolled != told {
                let message = format!("the seed gives {}, the record says {}", show(rolled), show(told));
                return Err(self.fault(line.line, "dice", message).into());
            }
            compared += told.len();
        }
        self.compare_result(&game)?;
        Ok((game, compared))
    }

    fn begin<R: Rulebook>(&self, data: &Data) -> Result<Game<R>, Faults> {
        self.check_header::<R>(data)?;
        let mixture = self.mixture()?;
        let seed = self.tag("Seed").map(|seed| Seed(seed.to_owned()));
        let mut game = match (&self.situation, self.tag("Scenario")) {
            (Some(_), Some(_)) => {
                let message = "a game begins with a scenario or with a situation, not with both";
                return Err(self.tag_fault("Scenario", message).into());
            }
            (Some(_), None) if self.tag("Options").is_some() => {
                return Err(self.tag_fault("Options", "a situation names its own options").into());
            }
            (Some(source), None) => Game::<R>::situation(source, data, seed)?,
            (None, Some(name)) => {
                let options = self.options::<R>()?;
                Game::<R>::scenario_with(name, data, options, seed)
                    .map_err(|faults| self.tag_fault("Scenario", faults.to_string()))?
            }
            (None, None) => {
                return Err(self
                    .fault(
                        1,
                        "Scenario",
                        "expected a Scenario tag, or a situation in lines that begin with |",
                    )
                    .into());
            }
        };
        for side in Side::BOTH {
            game.players[side] = self.tag(player_tag(side)).unwrap_or_default().to_owned();
        }
        game.casual = self.tag(CASUAL).is_some();
        if let Some(mixture) = mixture {
            game.mix(mixture);
        }
        Ok(game)
    }

    /// What the seed is mixed from, when the secret is known.
    fn mixture(&self) -> Result<Option<Mixture>, Faults> {
        let Some(secret) = self.tag("Secret") else { return Ok(None) };
        if self.tag("Seed").is_some() {
            return Err(self
                .tag_fault("Seed", "the seed follows from the secret: only one can be told")
                .into());
        }
        let text = |key: &str| self.tag(key).unwrap_or_default().to_owned();
        let nonces = BySide { axis: text(nonce_tag(Side::Axis)), soviet: text(nonce_tag(Side::Soviet)) };
        Ok(Some(Mixture { game: text("Game"), secret: secret.to_owned(), nonces }))
    }

    /// Whether it was played with these data; if not, why.
    pub fn fits(&self, data: &Data) -> Result<(), String> {
        data.fits(self.tag("Data"), self.tag("Scenario"))
    }

    fn check_header<R: Rulebook>(&self, data: &Data) -> Result<(), Faults> {
        if self.rulebook() != R::BOOK.name {
            return Err(self.tag_fault("Rulebook", format!("expected {}", R::BOOK.name)).into());
        }
        if self.tag("Rules").is_some_and(|rules| rules.parse() != Ok(R::BOOK.rules)) {
            let message = format!("this program has version {} of the rules", R::BOOK.rules);
            return Err(self.tag_fault("Rules", message).into());
        }
        self.fits(data).map_err(|why| self.tag_fault("Data", format!("this game was {why}")))?;
        Ok(())
    }

    fn options<R: Rulebook>(&self) -> Result<Options, Faults> {
        let mut options = Options::default();
        for name in self.tag("Options").unwrap_or_default().split_whitespace() {
            options.switch_on(&R::BOOK, name).map_err(|wrong| self.tag_fault("Options", wrong))?;
        }
        Ok(options)
    }

    fn replay_line<R: Rulebook>(
        &self,
        game: &mut Game<R>,
        line: &Line,
        told_dice: bool,
    ) -> Result<(), Faults> {
        let fault = |field: &str, message: String| Faults::from(self.fault(line.line, field, message));
        let mut deeds = game.parse_line(&line.action).map_err(|wrong| fault("action", wrong))?;
        deeds.side = Some(line.side);
        if told_dice {
            game.force_dice(line.dice.iter().flatten().copied());
        }
        let asked = match game.asked() {
            Asked::Decision { side, .. } => Some(side),
            Asked::Over(_) => None,
        };
        let rules = game.rules.clone();
        game.act_all(&deeds).map_err(|refused| match (refused, asked) {
            (Refused::Over, _) | (_, None) => fault("", "the game is over before this".to_owned()),
            (Refused::Rule(_), Some(asked)) if asked != line.side => {
                fault("side", format!("it is {asked} who decides here"))
            }
            (Refused::Rule(violation), _) => {
                fault("action", format!("{} ({})", violation.text(&*rules), violation.case))
            }
            (Refused::Talk(why), _) => fault("action", why.to_owned()),
            (Refused::Dice(wrong), _) => fault("dice", wrong),
            (Refused::Fault(wrong), _) => fault("", wrong),
        })?;
        match game.forced_dice_left() {
            0 => Ok(()),
            left => Err(fault("dice", format!("{left} more than this action rolls"))),
        }
    }

    fn compare_result<R: Rulebook>(&self, game: &Game<R>) -> Result<(), Faults> {
        match self.tag("Result") {
            Some(told) if told != result(game) => {
                Err(self.tag_fault("Result", format!("the game's result is `{}`", result(game))).into())
            }
            _ => Ok(()),
        }
    }

    fn fault(&self, line: usize, field: &str, message: impl Into<String>) -> Fault {
        Fault { file: self.name.clone(), line, field: field.to_owned(), message: message.into() }
    }

    fn tag_fault(&self, key: &str, message: impl Into<String>) -> Fault {
        let line = self.tags.iter().find(|tag| tag.key == key).map_or(1, |tag| tag.line);
        self.fault(line, key, message)
    }
}

fn show(rolls: &[u32]) -> String {
    let rolls: Vec<String> = rolls.iter().map(u32::to_string).collect();
    if rolls.is_empty() { "no roll".to_owned() } else { rolls.join(" ") }
}

fn player_tag(side: Side) -> &'static str {
    match side {
        Side::Axis => "Axis",
        Side::Soviet => "Soviet",
    }
}

fn nonce_tag(side: Side) -> &'static str {
    match side {
        Side::Axis => "AxisNonce",
        Side::Soviet => "SovietNonce",
    }
}

/// How a game stands, in the word of the `Result` tag.
fn result<R: Rulebook>(game: &Game<R>) -> &'static str {
    match game.asked() {
        Asked::Decision { .. } => "*",
        Asked::Over(Outcome { winner: Some(side), .. }) => side.word(),
        Asked::Over(Outcome { winner: None, .. }) => "draw",
    }
}

struct Reader<'s> {
    source: &'s Source,
    faults: Faults,
    record: Record,
    /// How many lines of the situation are written, the empty ones that stand for the record's own among them.
    written: usize,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, text: &str) {
        if let Some(situation) = text.strip_prefix('|') {
            return self.situation_line(number, situation.strip_prefix(' ').unwrap_or(situation));
        }
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let read = if text.starts_with('[') { self.tag(number, text) } else { self.action(number, text) };
        if let Err((field, message)) = read {
            self.faults.push(self.source.fault(number, field, message));
        }
    }

    /// The lines of a situation are kept where they stand, so that its faults name the record's lines.
    fn situation_line(&mut self, number: usize, text: &str) {
        if !self.record.lines.is_empty() {
            self.faults.push(self.source.fault(
                number,
                "",
                "the situation must stand before the first action",
            ));
        }
        let situation =
            self.record.situation.get_or_insert_with(|| Source::new(self.source.name.clone(), String::new()));
        situation.text.push_str(&"\n".repeat(number - 1 - self.written));
        situation.text.push_str(text);
        situation.text.push('\n');
        self.written = number;
    }

    fn tag(&mut self, line: usize, text: &str) -> Result<(), (&'static str, String)> {
        let wrong = || ("", format!("`{text}` is not a tag; expected [Key \"value\"]"));
        let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(wrong)?;
        let (key, value) = inside.split_once(' ').ok_or_else(wrong)?;
        let value = value.trim().strip_prefix('"').and_then(|v| v.strip_suffix('"')).ok_or_else(wrong)?;
        if !TAGS.contains(&key) {
            return Err(("", format!("unknown tag {key}; expected one of {}", TAGS.join(", "))));
        }
        if self.record.tag(key).is_some() {
            return Err(("", format!("the tag {key} stands here twice")));
        }
        if !self.record.lines.is_empty() {
            return Err(("", format!("the tag {key} must stand before the first action")));
        }
        if key == "Grognard" && value != FORMAT {
            return Err(("", format!("this program reads `{FORMAT}`, not `{value}`")));
        }
        self.record.tags.push(Tag { line, key: key.to_owned(), value: unescape(value) });
        Ok(())
    }

    fn action(&mut self, line: usize, text: &str) -> Result<(), (&'static str, String)> {
        let (text, dice) = match text.split_once(';') {
            Some((text, dice)) => (text, Some(read_dice(dice).map_err(|wrong| ("dice", wrong))?)),
            None => (text, None),
        };
        let (side, action) = text
            .trim()
            .split_once(char::is_whitespace)
            .ok_or(("", "expected a side and its action, such as `axis end`".to_owned()))?;
        let side = Side::from_word(side).map_err(|wrong| ("side", wrong))?;
        self.record.lines.push(Line { line, side, action: action.trim().to_owned(), dice });
        Ok(())
    }

    fn finish(mut self) -> Result<Record, Faults> {
        for key in ["Grognard", "Rulebook"] {
            if self.record.tag(key).is_none() {
                self.faults.push(self.source.fault(1, key, "the tag is missing"));
            }
        }
        self.faults.or(Some(self.record))
    }
}

fn read_dice(text: &str) -> Result<Vec<u32>, String> {
    text.split_whitespace()
        .map(|die| die.parse().map_err(|_| format!("`{die}` is not what a die shows")))
        .collect()
}

/// A value as it stands between quotes: nothing is lost, since the dice follow from every letter of a seed.
fn escape(value: &str) -> String {
    let mut out = String::new();
    for c in value.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            _ if c.is_control() => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    out
}

fn unescape(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
        } else if let Some((control, after)) = read_control(rest.as_str()) {
            out.push(control);
            rest = after.chars();
        } else {
            out.push(rest.next().unwrap_or(c));
        }
    }
    out
}

/// The control character that `u{9}` after a backslash means, and what follows it.
fn read_control(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix("u{")?.split_once('}')?;
    let control = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
    Some((control, after))
}

/// Marks a game in which anything may be taken back, dice included.
const CASUAL: &str = "Casual";

/// A tag as a record has it.
pub fn tag(key: &str, value: &str) -> String {
    format!("[{key} \"{}\"]", escape(value))
}

/// Writes a game as a record that [`Record::parse`] and [`Record::replay`] read back. The seed, or the secret that it is
/// mixed from, stays out of it unless `with_seed`, as it must while a game is under way.
pub fn write<R: Rulebook>(game: &Game<R>, with_seed: bool) -> String {
    let mut out = String::new();
    let mut tag = |key: &str, value: &str| {
        let _ = writeln!(out, "{}", self::tag(key, value));
    };
    tag("Grognard", FORMAT);
    tag("Rulebook", R::BOOK.name);
    tag("Rules", &R::BOOK.rules.to_string());
    if let Some(mark) = &game.data_marks().of_game {
        tag("Data", mark);
    }
    if let Start::Scenario(name) = game.start() {
        tag("Scenario", name);
        let options: Vec<&str> = game.rules.options().names(&R::BOOK).collect();
        if !options.is_empty() {
            tag("Options", &options.join(" "));
        }
    }
    if let Some(mixture) = game.mixture() {
        tag("Game", &mixture.game);
        if with_seed {
            tag("Secret", &mixture.secret);
        }
        tag("Commitment", &Mixture::commitment(&mixture.secret));
        for side in Side::BOTH {
            tag(nonce_tag(side), &mixture.nonces[side]);
        }
    } else if let Some(seed) = game.seed() {
        if with_seed {
            tag("Seed", &seed.0);
        }
        tag("Commitment", &seed.commitment());
    }
    for side in Side::BOTH {
        if !game.players[side].is_empty() {
            tag(player_tag(side), &game.players[side]);
        }
    }
    if game.casual {
        tag(CASUAL, "anything may be taken back");
    }
    tag("Result", result(game));
    if let Start::Situation(text) = game.start() {
        out.push('\n');
        for line in text.lines() {
            let _ = writeln!(out, "| {line}");
        }
    }
    out.push('\n');
    for step in game.moves() {
        let action = step.deed.notation(&*game.rules);
        let _ = write!(out, "{:<6} {action}", step.side.word());
        if !step.rolls.is_empty() {
            let _ = write!(out, " ; {}", show(&step.rolls));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_from_situations() {
        let is = |text: &str| is_record(&Source::new("t", text));
        assert!(is("[Grognard \"record 1\"]\n"));
        assert!(is("# a game\n\n  [Grognard \"record 1\"]\n"));
        assert!(!is("[map]\ngrid = '.'\n") && !is(""));
    }

    #[test]
    fn tags_keep_every_letter() {
        for value in ["plain", "a \"b\" \\ c", "tab\tand\nline", "\u{85}", "u{9}", "\\u{9}", ""] {
            assert_eq!(unescape(&escape(value)), value);
            assert!(!escape(value).contains(char::is_control));
        }
    }
}
