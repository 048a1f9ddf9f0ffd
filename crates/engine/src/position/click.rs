//! What a click means: every action that a unit and a hex make, and the case that forbids each.

use std::collections::BTreeMap;

use super::{AnyPosition, Position, Verdict};
use crate::shelf::Refusal;
use crate::{Form, Phrase, Role, Rulebook, Text, Viewer};

/// The most verdicts on a click.
const MOST: usize = 12;

/// How many answers of a form are imagined to see whether it opens ways to go.
const TRIED: usize = 4;

pub(super) fn verdicts<R: Rulebook>(
    position: &Position<R>,
    unit: Option<&str>,
    hex: Option<&str>,
    viewer: Viewer,
) -> Vec<Verdict> {
    let click = Click { position, unit, hex, viewer };
    let mut found = click.with_both();
    found.extend(click.by_going());
    if found.is_empty() || unit.is_none() {
        found.extend(click.with_hex());
    }
    if found.is_empty() && (hex.is_none() || click.stands_there()) {
        found.extend(click.with_unit());
    }
    let mut verdicts: Vec<Verdict> = Vec::new();
    for verdict in found {
        if verdicts.iter().all(|known| known.line != verdict.line) {
            verdicts.push(verdict);
        }
    }
    verdicts.sort_by_key(|verdict| verdict.refusal.is_some());
    if verdicts.is_empty() {
        verdicts.push(click.not_now());
    }
    verdicts.truncate(MOST);
    verdicts
}

/// The units that can be picked and all of whose answers lead nowhere. An answer that opens ways to go for others opens none for
/// them, or there is nothing left after it but to finish.
pub(super) fn stuck<R: Rulebook>(position: &Position<R>, viewer: Viewer) -> Vec<String> {
    let wanted = position.all_answers().into_iter().filter(|action| is_wanted(action.form()));
    let led: Vec<(R::Action, Lead)> =
        wanted.map(|action| (action, lead(position, &action, viewer))).collect();
    let opens = |form: usize| led.iter().any(|(action, lead)| action.index() == form && *lead == Lead::Opens);
    let mut able: BTreeMap<String, bool> = BTreeMap::new();
    for (action, lead) in &led {
        let leads = match lead {
            Lead::Acts => !opens(action.index()),
            Lead::Opens => true,
            Lead::Nowhere => false,
        };
        for unit in named_units(action.form(), &action.words(&*position.rules)) {
            *able.entry(unit).or_default() |= leads;
        }
    }
    able.into_iter().filter(|(_, able)| !able).map(|(unit, _)| unit).collect()
}

/// What an answer leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// It is done with it, as far as anybody knows beforehand.
    Acts,
    /// To hexes that can be chosen then.
    Opens,
    /// To nothing but finishing it.
    Nowhere,
}

fn lead<R: Rulebook>(position: &Position<R>, action: &R::Action, viewer: Viewer) -> Lead {
    if names(action.form(), "hex") || !names_unit(action.form()) {
        return Lead::Acts;
    }
    let Ok(then) = position.after(&action.notation(&*position.rules), viewer) else { return Lead::Acts };
    if then.position.question().side != position.question().side {
        return Lead::Acts;
    }
    let forms: Vec<&Form> =
        then.position.answers().into_iter().map(|(form, _)| &R::Action::FORMS[form]).collect();
    let finishes = |form: &&Form| matches!(form.role, Role::Finish | Role::TakeBack | Role::Arrange);
    if forms.iter().any(|form| names(form, "hex") && !names_unit(form)) {
        Lead::Opens
    } else if !forms.is_empty() && forms.iter().all(finishes) {
        Lead::Nowhere
    } else {
        Lead::Acts
    }
}

fn named_units(form: &Form, words: &[String]) -> Vec<String> {
    let fields = form.fields.iter().zip(words);
    let units = fields.filter(|(field, _)| matches!(field.kind, "unit" | "units"));
    units.flat_map(|(_, word)| word.split(',')).map(str::to_owned).collect()
}

struct Click<'a, R: Rulebook> {
    position: &'a Position<R>,
    unit: Option<&'a str>,
    hex: Option<&'a str>,
    viewer: Viewer,
}

impl<R: Rulebook> Click<'_, R> {
    /// Answers that name the unit and the hex.
    fn with_both(&self) -> Vec<Verdict> {
        self.of(|form| names(form, "hex") && names_unit(form))
    }

    /// Answers that name the hex alone: of whoever is on the way, or of what can be done there.
    fn with_hex(&self) -> Vec<Verdict> {
        self.of(|form| names(form, "hex") && !names_unit(form))
    }

    /// Answers that name the unit alone.
    fn with_unit(&self) -> Vec<Verdict> {
        self.of(|form| names_unit(form) && !names(form, "hex"))
    }

    fn of(&self, fits: impl Fn(&Form) -> bool) -> Vec<Verdict> {
        let forms = R::Action::FORMS.iter().filter(|form| fits(form) && is_wanted(form));
        let lines = forms.filter_map(|form| self.line(form));
        lines.filter_map(|line| self.verdict(line)).collect()
    }

    /// The answer that the click and a form make; what else it takes is as in some answer of that form.
    fn line(&self, form: &Form) -> Option<String> {
        let like = || self.position.all_answers().into_iter().find(|answer| answer.form().name == form.name);
        let others = || like().map(|answer| answer.words(&*self.position.rules));
        let mut line = form.name.to_owned();
        let mut hexes = 0;
        for (place, field) in form.fields.iter().enumerate() {
            line.push(' ');
            match field.kind {
                "unit" | "units" => line.push_str(self.unit?),
                "hex" => {
                    hexes += 1;
                    line.push_str(self.hex?);
                }
                _ => line.push_str(others()?.get(place)?),
            }
        }
        // Which of two hexes was clicked nobody knows.
        (hexes < 2).then_some(line)
    }

    fn verdict(&self, line: String) -> Option<Verdict> {
        let refusal = self.position.heard(&line)?.err();
        let text = self.position.sentence(&line).unwrap_or_default();
        Some(Verdict { line, text, refusal })
    }

    /// What the unit would begin to do, to go to the hex then.
    fn by_going(&self) -> Vec<Verdict> {
        let (Some(_), Some(hex)) = (self.unit, self.hex) else { return Vec::new() };
        let begins = self.with_unit();
        let mut found = Vec::new();
        for begun in begins {
            match begun.refusal {
                Some(_) if self.opens(&begun.line) => found.push(begun),
                Some(_) => {}
                None => found.extend(self.then(&begun.line, hex)),
            }
        }
        found
    }

    /// What can be said of the hex after a line.
    fn then(&self, line: &str, hex: &str) -> Vec<Verdict> {
        let Ok(after) = self.position.after(line, self.viewer) else { return Vec::new() };
        let Some(after) = super::typed::<R>(&*after.position) else { return Vec::new() };
        if after.question().side != self.position.question().side {
            return Vec::new();
        }
        let click = Click { position: after, unit: None, hex: Some(hex), viewer: self.viewer };
        let joined = |verdict: Verdict| Verdict { line: format!("{line}; {}", verdict.line), ..verdict };
        click.with_hex().into_iter().map(joined).collect()
    }

    /// True when other units that begin like this can go somewhere; where none can begin, nobody knows better.
    fn opens(&self, line: &str) -> bool {
        let name = line.split(' ').next().unwrap_or_default();
        let mut like = self.position.all_answers();
        like.retain(|answer| answer.form().name == name);
        let goes = |answer: &R::Action| {
            let Ok(after) = self.position.after(&answer.notation(&*self.position.rules), self.viewer) else {
                return false;
            };
            let forms = R::Action::FORMS;
            let answers = after.position.answers();
            answers.iter().any(|(form, _)| names(&forms[*form], "hex") && !names_unit(&forms[*form]))
        };
        like.is_empty() || like.iter().take(TRIED).any(goes)
    }

    /// True when the unit stands in the hex.
    fn stands_there(&self) -> bool {
        let view = self.position.view(self.viewer);
        let is_it = |piece: &crate::Piece| piece.front.as_ref().map(|front| front.unit.as_str()) == self.unit;
        view.stacks.iter().any(|stack| Some(stack.hex.as_str()) == self.hex && stack.pieces.iter().any(is_it))
    }

    /// Nothing that is asked has to do with it: what is asked is said.
    fn not_now(&self) -> Verdict {
        let asked = self.position.question();
        let mut why = Text::plain("this is not what is asked now: ");
        why.append(asked.text);
        Verdict {
            line: String::new(),
            text: Text::default(),
            refusal: Some(Refusal { case: Some(asked.case), why }),
        }
    }
}

/// What only arranges, takes back or ends something is not what a click means.
fn is_wanted(form: &Form) -> bool {
    !matches!(form.role, Role::Arrange | Role::TakeBack | Role::Finish | Role::EndPhase)
}

fn names(form: &Form, kind: &str) -> bool {
    form.fields.iter().any(|field| field.kind == kind)
}

fn names_unit(form: &Form) -> bool {
    names(form, "unit") || names(form, "units")
}
