//! Maps as they are served: a drawing and where everything lies on it, under a name that changes with them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use atlas::draw::{self, DrawOptions};
use board::{Hex, Map, Orientation};
use sha2::{Digest, Sha256};
use source::Writer;

use crate::wire::{Geometry, HexPlace, MapLinks};

const OPTIONS: DrawOptions =
    DrawOptions { hex: 64.0, numbers: true, names: true, furniture: false, fonts: true };

/// A map as it is served.
pub(crate) struct Sheet {
    /// The drawing.
    pub(crate) svg: String,
    /// Its [`Geometry`] as JSON.
    pub(crate) json: String,
}

/// The maps of all games that are open. Each game holds its own, so that a drawing goes with the last game that needs it.
#[derive(Default)]
pub(crate) struct Maps {
    sheets: Mutex<HashMap<String, Weak<Sheet>>>,
}

impl Maps {
    /// A map as it is served, and where; it is drawn when it is new.
    pub(crate) fn sheet_of(&self, map: &Map) -> (Arc<Sheet>, MapLinks) {
        let name = name_of(map);
        let sheet = self.sheet(&name).unwrap_or_else(|| {
            let sheet = Arc::new(draw(map));
            let mut sheets = self.lock();
            sheets.retain(|_, sheet| sheet.strong_count() > 0);
            sheets.insert(name.clone(), Arc::downgrade(&sheet));
            sheet
        });
        (sheet, MapLinks { svg: format!("/api/maps/{name}.svg"), json: format!("/api/maps/{name}.json") })
    }

    /// A map by its name.
    pub(crate) fn sheet(&self, name: &str) -> Option<Arc<Sheet>> {
        self.lock().get(name).and_then(Weak::upgrade)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Weak<Sheet>>> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that follows from the map and the program that draws it.
fn name_of(map: &Map) -> String {
    let mut writer = Writer::new();
    map.write(&mut writer);
    let mut digest = Sha256::new();
    digest.update(env!("CARGO_PKG_VERSION"));
    digest.update(writer.finish());
    digest.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

fn draw(map: &Map) -> Sheet {
    let layout = draw::layout(map, &OPTIONS);
    let hexes = layout.centres.iter().map(|&(hex, x, y)| place(map, hex, x, y)).collect();
    let geometry = Geometry {
        title: map.title.clone(),
        width: layout.width,
        height: layout.height,
        hex: OPTIONS.hex,
        orientation: match map.grid().orientation() {
            Orientation::PointsUp => "points-up",
            Orientation::FlatTop => "flat-top",
        }
        .to_owned(),
        km: map.km,
        hexes,
    };
    Sheet { svg: draw::svg(map, &OPTIONS), json: serde_json::to_string(&geometry).unwrap_or_default() }
}

fn place(map: &Map, hex: Hex, x: f64, y: f64) -> HexPlace {
    let round = |length: f64| (length * 100.0).round() / 100.0;
    HexPlace {
        label: map.label(hex),
        x: round(x),
        y: round(y),
        terrain: map.terrain_name(map.terrain(hex)).to_owned(),
        names: names(map, hex),
        features: features(map, hex),
    }
}

/// The places in a hex.
pub(crate) fn names(map: &Map, hex: Hex) -> Vec<String> {
    map.places_in(hex).map(str::to_owned).collect()
}

/// What else is in a hex.
pub(crate) fn features(map: &Map, hex: Hex) -> Vec<String> {
    let features = map.hex_features().filter(|feature| map.hexes_with(feature).has(hex));
    let areas = map.areas().filter(|(_, area)| area.has(hex)).map(|(name, _)| name);
    features.chain(areas).map(str::to_owned).collect()
}
