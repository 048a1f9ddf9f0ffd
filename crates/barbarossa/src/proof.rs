//! Supply as a proof: the line, or what is missing (7).

use board::{Hex, HexSet};
use engine::{Proof, Side, UnitId, remark};

use crate::{Barbarossa, State, Supply};

impl Barbarossa {
    /// The supply of a unit on the map, with a shortest line to a source where it has one.
    pub(crate) fn supply_proof(&self, state: &State, unit: UnitId) -> Option<Proof> {
        let hex = state.hex(unit)?;
        let supply = self.supply_of(state, unit);
        let side = self.side(unit);
        let because = match supply {
            Supply::Overland if self.is_ica(unit) => {
                remark!("10.34e", "the coastal army is always in supply")
            }
            Supply::Overland if side == Side::Axis => remark!("7.3a", "a line leads to a German source"),
            Supply::Overland => remark!("7.9a", "a line leads to a Soviet source"),
            Supply::Crimea => remark!("7.4e", "it is named for Crimea supply, with a line to Sevastopol"),
            Supply::Garrison if side == Side::Axis => remark!("7.6a", "it stands in a fortress city"),
            Supply::Garrison => remark!("7.13", "it stands in a hero city"),
            Supply::Coastal => remark!("7.5a", "it stands on the coast: halved in attack and movement"),
            Supply::Aerial => remark!("7.7b", "it is supplied by air: halved in attack and movement"),
            Supply::Out => self.why_out(state, side, hex),
        };
        let path = if supply == Supply::Overland { self.supply_line(state, side, hex) } else { Vec::new() };
        Some(Proof { what: "supply", holds: supply != Supply::Out, path, because: vec![because] })
    }

    fn why_out(&self, state: &State, side: Side, hex: Hex) -> engine::Remark {
        if side == Side::Soviet {
            return remark!("7.9a", "no line leads from {} to a Soviet source", hex);
        }
        let lost = |place: Option<Hex>| place.is_some_and(|place| !state.controls(Side::Axis, place));
        let ground = &self.ground;
        if ground.r_area.contains(hex) && lost(ground.rostov) {
            return remark!("7.4d", "lines from {} must pass through German Rostov", hex);
        }
        if ground.dp_area.contains(hex) && lost(ground.dnepropetrovsk) {
            return remark!("7.4b", "lines from {} must pass through German Dnepro-Petrovsk", hex);
        }
        remark!("7.3a", "no line leads from {} to a German source", hex)
    }

    /// A shortest line from a hex over the junctions it needs to a source, from the hex outward.
    fn supply_line(&self, state: &State, side: Side, hex: Hex) -> Vec<Hex> {
        let sources = match side {
            Side::Axis => self.ground.axis_sources,
            Side::Soviet => self.ground.soviet_sources,
        };
        let mut goals: Vec<HexSet> = Vec::new();
        if side == Side::Axis && self.ground.r_area.contains(hex) {
            goals.extend(self.ground.rostov.map(HexSet::of));
        }
        if side == Side::Axis && self.ground.dp_area.contains(hex) {
            goals.extend(self.ground.dnepropetrovsk.map(HexSet::of));
        }
        goals.push(sources);
        let mut line = vec![hex];
        for goal in goals {
            let from = line.last().copied().unwrap_or(hex);
            line.extend(self.shortest_line(state, side, from, &goal));
        }
        line
    }

    /// The hexes after `from` on a shortest way to one of the goals.
    fn shortest_line(&self, state: &State, side: Side, from: Hex, goals: &HexSet) -> Vec<Hex> {
        let open = self.open_to_lines(state, side, state.held(side.enemy()));
        let sides = self.ground.supply_sides(side);
        let mut rings = vec![HexSet::of(from)];
        let mut reached = HexSet::of(from);
        while let Some(last) = rings.last().copied() {
            if last.intersects(goals) {
                break;
            }
            let next = (sides.grow(&last) & open) - reached;
            if next.is_empty() {
                return Vec::new();
            }
            reached |= next;
            rings.push(next);
        }
        let mut path: Vec<Hex> = Vec::new();
        let mut behind = *goals;
        for ring in rings.iter().skip(1).rev() {
            let Some(hex) = (behind & *ring).first() else { return Vec::new() };
            path.push(hex);
            behind = sides.grow(&HexSet::of(hex));
        }
        path.reverse();
        path
    }
}
