//! From recipe, overlay, facts and geography to a map.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use board::{Corner, Hex, Hexside, Map};
use geo::{BooleanOps, Coord, Geometry, LineString, MapCoords, MultiPolygon, Polygon};
use source::{Faults, Source};

use crate::classify::{self, Cover, Ground, Waters};
use crate::facts::{self, Fact, is_land};
use crate::overlay::Overlay;
use crate::project::Lambert;
use crate::recipe::{End, Fit, Recipe, River, Water};
use crate::register::{Affine, Control, Register};
use crate::report::{Contradiction, Report, Residual};
use crate::rivers::{self, Bed};
use crate::vectors::{self, Feature};

/// Builds the map whose `recipe.toml`, `facts.toml` and `overlay.geojson` lie in `atlas`, from the Natural Earth
/// files in `geo`.
pub fn build(atlas: &Path, geo: &Path) -> Result<(Map, Report), Faults> {
    let recipe = vectors::open(atlas, "recipe.toml")?;
    let facts = vectors::open(atlas, "facts.toml")?;
    let overlay = vectors::open(atlas, "overlay.geojson")?;
    build_from(&recipe, &facts, &overlay, geo)
}

/// Builds a map from texts that were read already.
pub fn build_from(
    recipe: &Source,
    facts: &Source,
    overlay: &Source,
    geo: &Path,
) -> Result<(Map, Report), Faults> {
    let recipe_source = recipe;
    let recipe = Recipe::read(recipe)?;
    let overlay = Overlay::new(vectors::read(overlay)?, &recipe)?;
    let facts = facts::read(facts, &recipe.blank)?;
    let globe = Globe::new(&recipe, &overlay)
        .ok_or_else(|| recipe_source.fault(0, "control", "the control points do not determine a fit"))?;
    let mut report = globe.report(&recipe);
    let waters = recipe.water.as_ref().map(|water| read_waters(water, &recipe, &globe, geo)).transpose()?;
    let terrain = lay_terrain(&recipe, &overlay, &facts, &globe, waters.as_ref(), &mut report);
    let mut map = recipe.map(|hex| {
        let letter = terrain.get(&hex).and_then(|terrain| recipe.letter(terrain));
        letter.unwrap_or("-").to_owned()
    })?;
    let mut faults = Faults::default();
    if let (Some(waters), Some(water)) = (&waters, recipe.water.as_ref().filter(|water| !water.listed)) {
        part_by_water(&mut map, waters, &water.open);
    }
    overlay.lay_features(&mut map, &recipe, &globe, &mut report, &mut faults);
    if let Some(water) = &recipe.water {
        let beds = read_beds(water, &overlay, geo)?;
        snap_rivers(&mut map, &recipe.rivers, &beds, &globe, recipe_source, &mut faults);
    }
    mark_coast(&mut map);
    lay_facts(&mut map, &facts, &mut faults);
    report.terrain = count_terrain(&map);
    faults.or(Some((map, report)))
}

/// The globe as it lies on the hexes of one map.
pub(crate) struct Globe {
    sheet: Lambert,
    register: Register,
    controls: Vec<(Control, Hex, String)>,
}

impl Globe {
    fn new(recipe: &Recipe, overlay: &Overlay) -> Option<Globe> {
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

    fn report(&self, recipe: &Recipe) -> Report {
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

/// The polygons of features, laid on the map.
fn polygons<'f>(features: impl Iterator<Item = &'f Feature>, globe: &Globe) -> MultiPolygon {
    let shapes = features.filter_map(|feature| feature.shape.as_ref()).map(|shape| globe.shape(shape));
    let pieces = shapes.flat_map(|shape| match shape {
        Geometry::Polygon(polygon) => vec![polygon],
        Geometry::MultiPolygon(many) => many.0,
        _ => Vec::new(),
    });
    MultiPolygon::new(pieces.collect::<Vec<Polygon>>())
}

fn read_all(files: &[String], geo: &Path) -> Result<Vec<Feature>, Faults> {
    let mut all = Vec::new();
    for name in files {
        all.extend(vectors::read(&vectors::open(geo, name)?)?);
    }
    Ok(all)
}

fn read_waters(water: &Water, recipe: &Recipe, globe: &Globe, geo: &Path) -> Result<Waters, Faults> {
    let grid = recipe.blank.grid();
    let (land, lakes) = (read_all(&water.land, geo)?, read_all(&water.lakes, geo)?);
    let of = |names: &[String]| polygons(lakes.iter().filter(|lake| names.contains(&lake.name)), globe);
    let (lagoons, fresh) = (of(&water.sea), of(&water.named));
    let land = polygons(land.iter(), globe).difference(&lagoons);
    let sea = classify::sheet(grid).difference(&land);
    Ok(Waters { sea: Cover::new(grid, &sea), lake: Cover::new(grid, &fresh) })
}

type Terrains = BTreeMap<Hex, String>;

/// The terrain of every hex: water by geography or by the overlay's list, then facts, then the overlay's terrain.
fn lay_terrain(
    recipe: &Recipe,
    overlay: &Overlay,
    facts: &[Fact],
    globe: &Globe,
    waters: Option<&Waters>,
    report: &mut Report,
) -> Terrains {
    let map = &recipe.blank;
    let geography: Terrains = map
        .hexes()
        .map(|hex| (hex, waters.map_or(Ground::Land, |waters| waters.ground(map.grid(), hex))))
        .map(|(hex, ground)| (hex, ground.terrain().to_owned()))
        .collect();
    let listed = recipe.water.as_ref().is_some_and(|water| water.listed);
    let mut terrain = geography.clone();
    if listed {
        terrain.values_mut().for_each(|terrain| *terrain = Ground::Land.terrain().to_owned());
    }
    for fact in facts {
        let Some((name, hexes)) = fact.terrain() else { continue };
        let set = if name == "land" { Ground::Land.terrain() } else { name };
        report.contradicted.extend(against(map, &geography, &fact.case, hexes, set));
        let wrong: Vec<Hex> = hexes.iter().copied().filter(|hex| !shows(&terrain, *hex, name)).collect();
        terrain.extend(wrong.into_iter().map(|hex| (hex, set.to_owned())));
    }
    for (hexes, name) in overlay.terrain(recipe, globe) {
        terrain.extend(hexes.into_iter().map(|hex| (hex, name.clone())));
    }
    for hex in overlay.places(recipe) {
        if terrain.get(&hex).is_some_and(|terrain| is_water(terrain)) {
            terrain.insert(hex, Ground::Land.terrain().to_owned());
        }
    }
    overrule(map, &geography, &terrain, facts, report);
    terrain
}

/// True when the hex shows that terrain, or any dry one where `land` is asked.
fn shows(terrain: &Terrains, hex: Hex, name: &str) -> bool {
    let found = terrain.get(&hex).map_or("", String::as_str);
    if name == "land" { !is_water(found) } else { found == name }
}

fn is_water(terrain: &str) -> bool {
    matches!(terrain, "sea" | "lake")
}

/// What a terrain is when only land and water are told apart.
fn ground(terrain: &str) -> &str {
    if is_water(terrain) { terrain } else { "land" }
}

/// The hexes for which geography has other ground than what was set.
fn against(map: &Map, geography: &Terrains, by: &str, hexes: &[Hex], set: &str) -> Vec<Contradiction> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for hex in hexes {
        let real = ground(geography.get(hex).map_or("", String::as_str));
        if real != ground(set) {
            found.entry(real).or_default().push(map.label(*hex));
        }
    }
    let tell = |(real, hexes): (&str, Vec<String>)| Contradiction {
        by: by.to_owned(),
        hexes,
        what: format!("{real} by geography, {} on the map", ground(set)),
    };
    found.into_iter().map(tell).collect()
}

/// Notes where lists of the overlay put water on land or land on water.
fn overrule(map: &Map, geography: &Terrains, terrain: &Terrains, facts: &[Fact], report: &mut Report) {
    let told: BTreeSet<Hex> =
        facts.iter().filter_map(Fact::terrain).flat_map(|(_, hexes)| hexes.iter().copied()).collect();
    for kind in ["sea", "lake", "land"] {
        let set: Vec<Hex> = terrain
            .iter()
            .filter(|(hex, name)| ground(name) == kind && !told.contains(hex))
            .map(|(&hex, _)| hex)
            .collect();
        report.overruled.extend(against(map, geography, "overlay", &set, kind));
    }
}

/// Marks the hexsides between land hexes that are all water.
fn part_by_water(map: &mut Map, waters: &Waters, open: &[Hexside]) {
    let land: Vec<Hex> = map.hexes().filter(|&hex| is_land(map, hex)).collect();
    for hex in land {
        let next: Vec<Hex> = map.neighbours(hex).map(|(_, next)| next).filter(|&n| n > hex).collect();
        for next in next.into_iter().filter(|&next| is_land(map, next)).collect::<Vec<_>>() {
            let side = map.grid().side(hex, next).filter(|side| !open.contains(side));
            if let Some(water) = side.and_then(|side| waters.parting(map.grid(), side)) {
                // Both hexes are on the map and adjacent.
                let _ = map.add_side(water.terrain(), "", hex, next);
            }
        }
    }
}

type Beds = BTreeMap<String, Vec<LineString>>;

/// The beds of all rivers, by name, in longitude and latitude.
fn read_beds(water: &Water, overlay: &Overlay, geo: &Path) -> Result<Beds, Faults> {
    let mut beds = Beds::new();
    let sources = read_all(&water.rivers, geo)?;
    for feature in sources.iter().chain(overlay.of_kind("course")) {
        let lines = match &feature.shape {
            Some(Geometry::LineString(line)) => vec![line.clone()],
            Some(Geometry::MultiLineString(lines)) => lines.0.clone(),
            _ => continue,
        };
        beds.entry(feature.name.clone()).or_default().extend(lines);
    }
    Ok(beds)
}

fn snap_rivers(
    map: &mut Map,
    rivers: &[River],
    beds: &Beds,
    globe: &Globe,
    source: &Source,
    faults: &mut Faults,
) {
    let mut taken: BTreeMap<String, Vec<Hexside>> = BTreeMap::new();
    for river in rivers {
        match snap_river(map, river, beds, globe, &taken) {
            Ok(chain) => {
                for &side in &chain {
                    let (hex, beyond) = map.grid().side_hexes(side);
                    let added = beyond.map(|beyond| map.add_side("river", &river.name, hex, beyond));
                    debug_assert!(matches!(added, Some(Ok(()))), "rivers run between two hexes of the map");
                }
                taken.insert(river.name.clone(), chain);
            }
            Err(message) => faults.push(source.fault(0, format!("river ({})", river.name), message)),
        }
    }
}

fn snap_river(
    map: &Map,
    river: &River,
    beds: &Beds,
    globe: &Globe,
    taken: &BTreeMap<String, Vec<Hexside>>,
) -> Result<Vec<Hexside>, String> {
    let grid = map.grid();
    let lines: Vec<LineString> = river
        .beds
        .iter()
        .filter_map(|name| beds.get(name))
        .flatten()
        .map(|line| line.map_coords(|at| globe.place(at)))
        .collect();
    if lines.is_empty() {
        return Err("none of its beds is in the sources".to_owned());
    }
    let closed: BTreeSet<Corner> = taken.values().flat_map(|chain| rivers::corners(grid, chain)).collect();
    let allowed = |end: &End| -> Result<Box<dyn Fn(Corner) -> bool + '_>, String> {
        Ok(match end {
            End::Spring => Box::new(|corner| !closed.contains(&corner)),
            End::Edge => Box::new(|corner| is_edge(map, corner)),
            End::Water => Box::new(|corner| is_shore(map, corner)),
            End::River(name) => {
                let chain = taken.get(name).ok_or_else(|| format!("the {name} must come before it"))?;
                let corners = rivers::corners(grid, chain);
                Box::new(move |corner| corners.contains(&corner))
            }
        })
    };
    let starts = rivers::ends(grid, globe.place(river.from), allowed(&river.begins)?);
    let goals = rivers::ends(grid, globe.place(river.to), allowed(&river.ends)?);
    let open = |side: Hexside| runs_dry(map, side) && !river.avoid.contains(&side);
    rivers::snap(grid, &Bed { lines }, &starts, &goals, open, &closed)
        .filter(|chain| !chain.is_empty())
        .ok_or_else(|| "there is no way for it between its ends".to_owned())
}

/// True for a side between two land hexes that no lake or strait parts.
fn runs_dry(map: &Map, side: Hexside) -> bool {
    let (hex, beyond) = map.grid().side_hexes(side);
    let both = beyond.is_some_and(|beyond| {
        map.contains(hex) && map.contains(beyond) && is_land(map, hex) && is_land(map, beyond)
    });
    both && !["sea", "lake"].iter().any(|water| map.sides_with(water).has(hex, side.dir()))
}

fn is_edge(map: &Map, corner: Corner) -> bool {
    let hexes = map.grid().corner_hexes(corner);
    hexes.iter().filter(|&&hex| map.contains(hex)).count() == 2
}

fn is_shore(map: &Map, corner: Corner) -> bool {
    let hexes = map.grid().corner_hexes(corner);
    let wet_hex = hexes.iter().any(|&hex| map.contains(hex) && !is_land(map, hex));
    let wet_side =
        map.grid().corner_sides(corner).iter().any(|side| {
            ["sea", "lake"].iter().any(|water| map.sides_with(water).has(side.hex(), side.dir()))
        });
    wet_hex || wet_side
}

/// Marks the land hexes beside the sea.
fn mark_coast(map: &mut Map) {
    let by_sea = |hex: Hex| {
        map.neighbours(hex).any(|(dir, next)| {
            map.terrain_name(map.terrain(next)) == "sea" || map.sides_with("sea").has(hex, dir)
        })
    };
    let coast: Vec<Hex> = map.hexes().filter(|&hex| is_land(map, hex) && by_sea(hex)).collect();
    for hex in coast {
        // The hex was taken from the map.
        let _ = map.add_hex("coast", "", hex);
    }
}

/// Lays the facts over the map and asserts each of them.
fn lay_facts(map: &mut Map, facts: &[Fact], faults: &mut Faults) {
    let title = Source::new(map.title.clone(), "");
    for fact in facts {
        if let Err(message) = fact.lay(map).and_then(|()| fact.check(map)) {
            faults.push(title.fault(0, format!("case {} ({})", fact.case, fact.says), message));
        }
    }
}

fn count_terrain(map: &Map) -> Vec<(String, usize)> {
    let count = |terrain| map.hexes().filter(|&hex| map.terrain(hex) == terrain).count();
    map.terrains().map(|(terrain, name)| (name.to_owned(), count(terrain))).collect()
}
