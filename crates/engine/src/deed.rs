//! Deeds: what a side does at the table. It answers what it is asked, speaks up where the rules let it, or says something
//! about the game itself: concedes, offers a draw, accepts or declines one.
//!
//! A deed belongs to a side. In notation it may say which, `soviet: concede`; without that it is the side that is asked.

use crate::{BySide, Outcome, Phrase, Remark, Rulebook, Side, case, muster, phrases};

phrases! {
    /// What a side may say about the game at any time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Talk {
        /// Give the game up.
        Concede = "concede", "", "concede the game";
        /// Offer a draw.
        OfferDraw = "offer-draw", "", "offer a draw";
        /// Accept the draw that was offered.
        AcceptDraw = "accept-draw", "", "accept the draw";
        /// Decline it.
        DeclineDraw = "decline-draw", "", "decline the draw";
    }
}

/// What a side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed<A> {
    /// An answer to what is asked, or something that the rules let a side do unasked.
    Action(A),
    /// Something about the game itself.
    Talk(Talk),
}

impl<A: Phrase> Deed<A> {
    /// In notation.
    pub fn notation(&self, lexicon: &dyn crate::Lexicon) -> String {
        match self {
            Deed::Action(action) => action.notation(lexicon),
            Deed::Talk(talk) => talk.notation(lexicon),
        }
    }

    /// The action, if it is one.
    pub fn action(self) -> Option<A> {
        match self {
            Deed::Action(action) => Some(action),
            Deed::Talk(_) => None,
        }
    }
}

/// What a line of notation stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<A> {
    /// Whose deed it is, where it says so; else it is the side's that is asked.
    pub side: Option<Side>,
    /// The deeds, one after the other: the steps of a whole attack, or a single one.
    pub deeds: Vec<Deed<A>>,
}

/// Reads a line.
pub fn parse<R: Rulebook>(line: &str, rules: &R) -> Result<Line<R::Action>, String> {
    let (side, line) = match line.split_once(':') {
        Some((side, rest)) => (Some(Side::from_word(side.trim())?), rest.trim()),
        None => (None, line.trim()),
    };
    if let Ok(talk) = Talk::parse(line, rules) {
        return Ok(Line { side, deeds: vec![Deed::Talk(talk)] });
    }
    let steps = muster::expand(line);
    let deeds = steps.iter().map(|step| R::Action::parse(step, rules).map(Deed::Action));
    Ok(Line { side, deeds: deeds.collect::<Result<_, _>>()? })
}

/// How things stand between the players, apart from the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accord {
    /// Who has offered a draw that was not answered.
    pub offer: Option<Side>,
    /// How the players have ended the game.
    pub outcome: Option<Outcome>,
}

impl Accord {
    /// Whether a side may say this now, and if not, why.
    pub fn check(&self, side: Side, talk: Talk) -> Result<(), &'static str> {
        match talk {
            _ if self.outcome.is_some() => Err("the game is over"),
            Talk::Concede => Ok(()),
            Talk::OfferDraw if self.offer == Some(side) => Err("a draw is offered already"),
            Talk::OfferDraw if self.offer.is_some() => {
                Err("the other side has offered a draw: accept or decline it")
            }
            Talk::OfferDraw => Ok(()),
            Talk::AcceptDraw | Talk::DeclineDraw if self.offer == Some(side.enemy()) => Ok(()),
            Talk::AcceptDraw | Talk::DeclineDraw => Err("no draw is offered to this side"),
        }
    }

    /// All that a side may say now.
    pub fn allowed(self, side: Side) -> impl Iterator<Item = Talk> {
        let all = [Talk::AcceptDraw, Talk::DeclineDraw, Talk::OfferDraw, Talk::Concede];
        all.into_iter().filter(move |talk| self.check(side, *talk).is_ok())
    }

    /// What it comes to.
    pub(crate) fn say(&mut self, side: Side, talk: Talk) {
        let over =
            |winner: Option<Side>, reason: Remark| Outcome { winner, reason, points: BySide::default() };
        match talk {
            Talk::Concede => {
                let reason = Remark::new(case(""), "{} concedes", [side.into()]);
                self.outcome = Some(over(Some(side.enemy()), reason));
            }
            Talk::OfferDraw => self.offer = Some(side),
            Talk::AcceptDraw => {
                self.outcome = Some(over(None, Remark::new(case(""), "a draw is agreed", [])));
            }
            Talk::DeclineDraw => self.offer = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_takes_two() {
        let mut accord = Accord::default();
        assert!(accord.check(Side::Axis, Talk::AcceptDraw).is_err());
        accord.say(Side::Axis, Talk::OfferDraw);
        assert!(accord.check(Side::Axis, Talk::AcceptDraw).is_err());
        assert!(accord.check(Side::Axis, Talk::OfferDraw).is_err());
        assert_eq!(
            accord.allowed(Side::Soviet).collect::<Vec<_>>(),
            [Talk::AcceptDraw, Talk::DeclineDraw, Talk::Concede]
        );
        accord.say(Side::Soviet, Talk::DeclineDraw);
        accord.say(Side::Soviet, Talk::OfferDraw);
        accord.say(Side::Axis, Talk::AcceptDraw);
        assert_eq!(accord.outcome.map(|outcome| outcome.winner), Some(None));
        assert!(accord.check(Side::Axis, Talk::Concede).is_err());
    }
}
