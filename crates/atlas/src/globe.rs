//! The globe as it lies on the hexes of one map.

use board::Hex;
use geo::{Coord, Geometry, MapCoords};

use crate::overlay::Overlay;
use crate::project::Lambert;
use crate::recipe::{Fit, Recipe};
use crate::register::{Affine, Control, Register};
use crate::report::{Report, Residual};

/// The globe as it lies on the hexes of one map.
pub(crate) struct Globe {
    sheet: Lambert,
    register: Register,
    controls: Vec<(Control, Hex, String)>,
}

impl Globe {
    /// Fits the control points of the recipe, and bends for those of the overlay; none if they determine no fit.
    pub(crate) fn new(recipe: &Recipe, overlay: &Overlay) -> Option<Globe> {
        let sheet = Lambert::new(recipe.projection.centre);
        let grid = recipe.blank.grid();
        let control = |place: &str, at: Coord, hex: Hex, case: &str| {
            let (place, centre) = (place.to_owned(), grid.centre(hex).into());
            (Control { place, sheet: sheet.project(at), centre }, hex, case.to_owned())
        };
        let mut controls: Vec<_> =
            recipe.controls.iter().map(|c| control(&c.place, c.at, c.hex, &c.case)).collect();
        let printed = plain(&controls);
        for (place, at, hex) in overlay.controls(recipe) {
            // The printed point of a hex is worth more than the overlay's.
            if !controls.iter().any(|&(_, known, _)| known == hex) {
                controls.push(control(&place, at, hex, ""));
            }
        }
        let register = match &recipe.projection.fit {
            Fit::Points(stiffness) => Register::bent(Affine::fit(&printed, *stiffness)?, &plain(&controls))?,
            Fit::Frame { hex, at, turn } => {
                let km = recipe.blank.km?;
                let turned = Affine::frame((0.0, 0.0).into(), km, *turn).apply(sheet.project(*at));
                let shift = Coord::from(grid.centre(*hex)) - turned;
                Register::straight(Affine::frame(shift, km, *turn))
            }
        };
        Some(Globe { sheet, register, controls })
    }

    /// Where a point in longitude and latitude falls on the map.
    pub(crate) fn place(&self, at: Coord) -> Coord {
        self.register.place(self.sheet.project(at))
    }

    /// An outline in longitude and latitude, as it falls on the map.
    pub(crate) fn shape(&self, shape: &Geometry) -> Geometry {
        shape.map_coords(|at| self.place(at))
    }

    /// A report that tells how well each place fits.
    pub(crate) fn report(&self, recipe: &Recipe) -> Report {
        let map = &recipe.blank;
        let label = |p: Coord| map.grid().hex_at(p.x, p.y).map_or("off".to_owned(), |hex| map.label(hex));
        let far = |p: Coord, centre: Coord| (p.x - centre.x).hypot(p.y - centre.y);
        let residual = |(control, hex, case): &(Control, Hex, String)| {
            let fitted = self.register.straight.apply(control.sheet);
            let placed = self.register.place(control.sheet);
            Residual {
                place: control.place.clone(),
                hex: map.label(*hex),
                case: case.clone(),
                fitted: far(fitted, control.centre),
                fitted_hex: label(fitted),
                placed: far(placed, control.centre),
                placed_hex: label(placed),
            }
        };
        Report {
            title: map.title.clone(),
            km: self.register.straight.km(),
            turn: self.register.straight.turn(),
            residuals: self.controls.iter().map(residual).collect(),
            ..Report::default()
        }
    }
}

fn plain(controls: &[(Control, Hex, String)]) -> Vec<Control> {
    controls.iter().map(|(control, _, _)| control.clone()).collect()
}
