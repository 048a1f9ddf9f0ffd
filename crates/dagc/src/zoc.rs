//! 8: zones of control. Where they are stands in [`Presence`]; here is what they do to movement.

use arrayvec::ArrayVec;
use board::{HexSet, Mp};
use engine::law::{About, Bar, Term, entering, leaving};
use engine::{Side, UnitId, case};

use crate::{Dagc, Marks, Presence, State};

impl Dagc {
    /// Leaving and entering an enemy zone of control cost 1 MP each (8.3a, 8.3b, 8.3c, 8.4b). A Soviet unit may not go
    /// from one German zone of control straight to another in one of the `barred` entrenchments (8.3d).
    pub(crate) fn zone_terms<'a>(
        &self,
        presence: &'a Presence<'_>,
        side: Side,
        barred: Option<&'a HexSet>,
    ) -> ArrayVec<Term<'a>, 3> {
        let zones = presence.zoc(side.enemy());
        let why = "{} is a German entrenchment, and both hexes are in German zones of control";
        let bar =
            |barred| Term::bar(leaving(zones).entering(barred), Bar::new(case("8.3d"), why, [About::To]));
        let mut terms: ArrayVec<Term<'a>, 3> = barred.map(bar).into_iter().collect();
        terms.push(Term::price(leaving(zones), "leaving a zone of control", Mp::ONE, case("8.3b")));
        terms.push(Term::price(entering(zones), "entering a zone of control", Mp::ONE, case("8.3a")));
        terms
    }

    /// The entrenchments in German zones of control that bar a unit's way: none for Germans, and none for units that are
    /// activated on turn 1 (5.4c).
    pub(crate) fn barring_entrenchments(
        &self,
        state: &State,
        presence: &Presence<'_>,
        unit: UnitId,
    ) -> Option<HexSet> {
        let exempt = state.turn == 1 && state.marked(unit, Marks::ACTIVATED);
        let bound = self.side(unit) == Side::Soviet && !exempt;
        bound.then(|| self.ground.german_entrenchments & *presence.zoc(Side::Axis))
    }
}
