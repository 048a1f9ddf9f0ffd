//! GeoJSON read so that every fault names its file and feature.

use std::path::Path;

use geo::{Geometry, Validation};
use geojson::{FeatureCollection, JsonObject, JsonValue};
use source::{Fault, Faults, Source};

/// One thing on the globe, in longitude and latitude.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// Where it stands: file, line, place in the file and name.
    pub(crate) origin: Origin,
    /// What it is called; empty if it has no name.
    pub(crate) name: String,
    /// Its outline, if it has one.
    pub(crate) shape: Option<Geometry>,
    properties: JsonObject,
}

/// Where a feature was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    file: String,
    line: usize,
    index: usize,
}

impl Feature {
    /// A property that is text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.properties.get(key).and_then(JsonValue::as_str)
    }

    /// True if the property stands and is `true`.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.properties.get(key).and_then(JsonValue::as_bool) == Some(true)
    }

    /// A property that is a list of words, or words in one text; none if it does not stand.
    pub(crate) fn words(&self, key: &str) -> Option<Vec<&str>> {
        match self.properties.get(key)? {
            JsonValue::Array(items) => Some(items.iter().filter_map(JsonValue::as_str).collect()),
            JsonValue::String(words) => Some(words.split_whitespace().collect()),
            _ => None,
        }
    }

    /// A fault in this feature.
    pub(crate) fn fault(&self, message: impl Into<String>) -> Fault {
        let name = if self.name.is_empty() { "without a name" } else { &self.name };
        Fault {
            file: self.origin.file.clone(),
            line: self.origin.line,
            field: format!("features[{}] ({name})", self.origin.index),
            message: message.into(),
        }
    }
}

/// Reads the file `name` in the folder `dir`.
pub(crate) fn open(dir: &Path, name: &str) -> Result<Source, Faults> {
    let path = dir.join(name);
    let shown = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Source::new(shown, text)),
        Err(error) => Err(Source::new(shown, "").fault(0, "", error.to_string()).into()),
    }
}

/// Reads the features of all these files in the folder `dir`.
pub(crate) fn read_files(dir: &Path, names: &[String]) -> Result<Vec<Feature>, Faults> {
    let mut all = Vec::new();
    for name in names {
        all.extend(read(&open(dir, name)?)?);
    }
    Ok(all)
}

/// Reads a collection of features; every broken outline is a fault.
pub(crate) fn read(source: &Source) -> Result<Vec<Feature>, Faults> {
    let collection: FeatureCollection =
        source.text.parse().map_err(|error: geojson::Error| source.fault(0, "", error.to_string()))?;
    let lines = feature_lines(source);
    let mut faults = Faults::default();
    let mut features = Vec::new();
    for (index, raw) in collection.features.into_iter().enumerate() {
        let origin =
            Origin { file: source.name.clone(), line: lines.get(index).copied().unwrap_or(0), index };
        match feature(origin, raw) {
            Ok(feature) => features.push(feature),
            Err(fault) => faults.push(fault),
        }
    }
    faults.or(Some(features))
}

fn feature(origin: Origin, raw: geojson::Feature) -> Result<Feature, Fault> {
    let properties = raw.properties.unwrap_or_default();
    let name = properties.get("name").and_then(JsonValue::as_str).unwrap_or_default().to_owned();
    let mut feature = Feature { origin, name, shape: None, properties };
    if let Some(outline) = raw.geometry {
        let shape = Geometry::try_from(outline).map_err(|error| feature.fault(error.to_string()))?;
        check_outline(&shape).map_err(|error| feature.fault(format!("broken outline: {error}")))?;
        feature.shape = Some(shape);
    }
    Ok(feature)
}

/// Only what encloses ground must be sound: a line that stands still or crosses itself does no harm.
fn check_outline(shape: &Geometry) -> Result<(), String> {
    match shape {
        Geometry::Polygon(polygon) => polygon.check_validation().map_err(|error| error.to_string()),
        Geometry::MultiPolygon(polygons) => polygons.check_validation().map_err(|error| error.to_string()),
        _ => Ok(()),
    }
}

/// The line on which each feature begins. A feature says `"type": "Feature"`, and nothing else says so.
fn feature_lines(source: &Source) -> Vec<usize> {
    source.text.match_indices("\"Feature\"").map(|(at, _)| source.line_at(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(features: &str) -> Source {
        Source::new("t.geojson", format!("{{\"type\":\"FeatureCollection\",\"features\":[\n{features}\n]}}"))
    }

    #[test]
    fn features_with_their_properties() {
        let source = collection(
            r#"{"type":"Feature","properties":{"name":"Minsk","hex":"3908","vp":4,"port":true},"geometry":{"type":"Point","coordinates":[27.5,53.9]}}"#,
        );
        let features = read(&source).unwrap();
        let minsk = &features[0];
        assert_eq!(minsk.name, "Minsk");
        assert_eq!(minsk.words("hex"), Some(vec!["3908"]));
        assert!(minsk.flag("port") && !minsk.flag("city"));
        assert!(minsk.shape.is_some());
    }

    #[test]
    fn broken_outlines_are_named() {
        let bow_tie = r#"{"type":"Feature","properties":{"name":"Bow tie"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}}"#;
        let good = r#"{"type":"Feature","properties":{"name":"Dot"},"geometry":{"type":"Point","coordinates":[0,0]}},"#;
        let faults = read(&collection(&format!("{good}\n{bow_tie}"))).unwrap_err();
        let told = faults.to_string();
        assert!(told.starts_with("t.geojson:3: features[1] (Bow tie): broken outline"), "{told}");
    }

    #[test]
    fn broken_text_is_a_fault() {
        let faults = read(&Source::new("t.geojson", "{\"type\": ")).unwrap_err();
        assert!(faults.to_string().starts_with("t.geojson: "));
    }
}
