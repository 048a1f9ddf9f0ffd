//! How each thing looks, by the name that maps give it.

/// How a terrain is painted.
pub(crate) struct Paint {
    /// The colour of the ground; none for open ground, where the paper shows.
    pub(crate) ground: Option<&'static str>,
    /// The little sign that is scattered over it, and how many a hex has.
    pub(crate) sign: Option<(&'static str, usize)>,
    /// What the legend calls it.
    pub(crate) title: &'static str,
}

/// Terrain that lies on the paper; sea and lake are painted apart.
pub(crate) fn terrain(name: &str) -> Option<Paint> {
    let paint = |ground, sign, title| Some(Paint { ground, sign, title });
    match name {
        "clear" => paint(None, None, "Clear"),
        "open" => paint(None, None, "Open"),
        "forest" => paint(Some("#c6d5a3"), Some(("tree", 15)), "Forest"),
        "woods" => paint(Some("#c6d5a3"), Some(("tree", 15)), "Woods"),
        "heavy_woods" => paint(Some("#a3bd80"), Some(("tree", 26)), "Heavy woods"),
        "marsh" => paint(Some("#cddfd0"), Some(("reed", 9)), "Marsh"),
        "swamp" => paint(Some("#cddfd0"), Some(("reed", 9)), "Swamp"),
        "western_pripyat" => paint(Some("#aecdc0"), Some(("reed", 14)), "Western Pripyat Marshes"),
        "rough" | "hills" => paint(Some("#e2cda3"), Some(("hill", 8)), "Rough"),
        "mountain" => paint(Some("#d3b48a"), Some(("hill", 12)), "Mountain"),
        "desert_steppe" | "desert" => paint(Some("#f3dda6"), Some(("sand", 16)), "Desert-steppe"),
        "village" => paint(None, Some(("house", 0)), "Village"),
        "town" => paint(None, Some(("house", 0)), "Town"),
        "city" | "minor_city" => paint(Some("#ecd9c3"), Some(("house", 0)), "City"),
        "major_city" => paint(Some("#dfbfa6"), Some(("house", 0)), "Major city"),
        _ => None,
    }
}

/// The sign of a built-up terrain, which stands in the middle of its hex.
pub(crate) fn built(terrain: &str) -> Option<&'static str> {
    match terrain {
        "village" => Some("village"),
        "town" | "city" | "minor_city" => Some("bigtown"),
        "major_city" => Some("metropolis"),
        _ => None,
    }
}

/// A kind of running water.
pub(crate) struct Current {
    pub(crate) feature: &'static str,
    /// How broad it is where it begins, where it ends, and how much more where it is long.
    pub(crate) spring: f64,
    pub(crate) mouth: f64,
    pub(crate) swell: f64,
    pub(crate) class: &'static str,
    pub(crate) title: &'static str,
}

/// Running waters, the broadest last.
pub(crate) const CURRENTS: [Current; 4] = [
    current("stream", [0.03, 0.045, 0.036], "streamline", "Stream"),
    current("minor_river", [0.04, 0.055, 0.015], "streamline", "Minor river"),
    current("river", [0.05, 0.075, 0.06], "riverline", "River"),
    current("major_river", [0.13, 0.15, 0.05], "broadline", "Major river"),
];

const fn current(
    feature: &'static str,
    [spring, mouth, swell]: [f64; 3],
    class: &'static str,
    title: &'static str,
) -> Current {
    Current { feature, spring, mouth, swell, class, title }
}

/// How a line along hexsides or from hex to hex is drawn.
pub(crate) struct Stroke {
    pub(crate) class: &'static str,
    pub(crate) title: &'static str,
}

/// Lines along hexsides; rivers and waters are drawn apart.
pub(crate) fn side(name: &str) -> Option<Stroke> {
    let stroke = |class, title| Some(Stroke { class, title });
    match name {
        "border" => stroke("border", "Border"),
        "start_line" => stroke("front", "Start line"),
        "logistics_boundary" => stroke("boundary", "Logistical boundary"),
        "narrows" => stroke("narrows", "Narrows"),
        "kerch" => stroke("narrows", "Kerch Strait"),
        "sivash" => stroke("narrows", "Sivash"),
        _ => None,
    }
}

/// Ways from hex to hex, widest last.
pub(crate) const WAYS: [(&str, &str, &str); 9] = [
    ("track", "track", "Track"),
    ("road", "road", "Road"),
    ("secondary_road", "road", "Secondary road"),
    ("main_road", "highway", "Main road"),
    ("primary_road", "highway", "Primary road"),
    ("railway", "rail", "Railway"),
    ("railroad_low", "light", "Low-capacity railroad"),
    ("railroad", "rail", "Railroad"),
    ("railroad_multi", "double", "Multi-track railroad"),
];

/// The lines that a way is drawn with, one over the other.
pub(crate) fn strokes(class: &'static str) -> Vec<&'static str> {
    match class {
        "road" => vec!["road-case", "road"],
        "highway" => vec!["highway-case", "highway"],
        "rail" => vec!["ties", "rail"],
        "light" => vec!["ties-light", "light"],
        "double" => vec!["ties", "double", "between"],
        other => vec![other],
    }
}

/// The colours of what belongs to a side.
pub(crate) const GERMAN: &str = "#4d5560";
pub(crate) const SOVIET: &str = "#b3302a";

/// Hexes of the edge by which a side enters: feature, colour, title.
pub(crate) const ENTRIES: [(&str, &str, &str); 2] =
    [("german_entry", GERMAN, "German entry"), ("soviet_entry", SOVIET, "Soviet entry")];

/// Areas that are drawn with an outline and a name.
pub(crate) const ZONES: [&str; 1] = ["1UF"];

/// Signs for features of hexes: feature, sign, title.
pub(crate) const SIGNS: [(&str, &str, &str); 15] = [
    ("german_entrenchment", "german-trench", "German entrenchment"),
    ("soviet_entrenchment", "soviet-trench", "Soviet entrenchment"),
    ("german_fortified_line", "german-trench", "German fortified line"),
    ("soviet_fortified_line", "soviet-trench", "Soviet fortified line"),
    ("pillbox", "pillbox", "Pillbox"),
    ("fortification", "bastion", "Fortification"),
    ("fortress", "bastion", "Fortress"),
    ("village", "village", "Village"),
    ("city", "city", "City"),
    ("town", "town", "Town"),
    ("oil", "oil", "Oil field"),
    ("industry", "industry", "Industrial region"),
    ("port", "port", "Port"),
    ("depot", "depot", "Supply depot"),
    ("beach", "beach", "Beach"),
];

/// The colours and lines of the drawing, for a distance of `u` pixels from centre to centre.
pub(crate) fn sheet(u: f64) -> String {
    let px = |part: f64| format!("{:.2}", part * u);
    let mut css = String::new();
    let rules = [
        (".paper", "fill:#e6dcc2".to_owned()),
        (".land", "fill:#f3ecd8".to_owned()),
        (".sea", "fill:#a9cbdc".to_owned()),
        (".shelf1", format!("fill:none;stroke:#b9d6e3;stroke-width:{};stroke-linejoin:round", px(1.1))),
        (".shelf2", format!("fill:none;stroke:#cbe2ea;stroke-width:{};stroke-linejoin:round", px(0.55))),
        (".shore", format!("fill:none;stroke:#3f6d8c;stroke-width:{};stroke-linejoin:round", px(0.028))),
        (".lake", "fill:#b7d5e3".to_owned()),
        (".grid", format!("fill:none;stroke:#6f654b;stroke-opacity:.42;stroke-width:{}", px(0.02))),
        (".frame", format!("fill:none;stroke:#4c4433;stroke-width:{};stroke-linejoin:round", px(0.05))),
        (".river", "fill:#3f7fae".to_owned()),
        (".streamline", format!("fill:none;stroke:#3f7fae;stroke-width:{}", px(0.055))),
        (".strait", format!("fill:none;stroke:#b7d5e3;stroke-width:{}", px(0.24))),
        (".broadline", format!("fill:none;stroke:#3f7fae;stroke-width:{}", px(0.17))),
        (".riverline", format!("fill:none;stroke:#3f7fae;stroke-width:{}", px(0.1))),
        (
            ".bank",
            format!(
                "fill:none;stroke:#f3ecd8;stroke-opacity:.55;stroke-width:{};stroke-linejoin:round",
                px(0.05)
            ),
        ),
        (".water", format!("fill:#b7d5e3;stroke:#3f6d8c;stroke-width:{};stroke-linejoin:round", px(0.028))),
        (
            ".border",
            format!(
                "fill:none;stroke:#a5433d;stroke-width:{};stroke-dasharray:{} {} {} {};stroke-linecap:butt;stroke-opacity:.85",
                px(0.06),
                px(0.2),
                px(0.08),
                px(0.05),
                px(0.08)
            ),
        ),
        (".front", format!("fill:none;stroke:#a5433d;stroke-width:{};stroke-opacity:.45", px(0.16))),
        (
            ".boundary",
            format!(
                "fill:none;stroke:#5b4a86;stroke-width:{};stroke-dasharray:{} {};stroke-opacity:.6",
                px(0.07),
                px(0.3),
                px(0.16)
            ),
        ),
        (
            ".narrows",
            format!(
                "fill:none;stroke:#a5433d;stroke-width:{};stroke-dasharray:{} {}",
                px(0.11),
                px(0.05),
                px(0.05)
            ),
        ),
        (
            ".zone",
            format!(
                "fill:none;stroke:#5b4a86;stroke-width:{};stroke-dasharray:{} {};stroke-opacity:.75;stroke-linejoin:round",
                px(0.07),
                px(0.22),
                px(0.12)
            ),
        ),
        (".away", "fill:#e6dcc2;fill-opacity:.75".to_owned()),
        (
            ".partisan",
            format!(
                "fill:url(#hatch);stroke:#a5433d;stroke-opacity:.45;stroke-width:{};stroke-dasharray:{} {};stroke-linejoin:round",
                px(0.03),
                px(0.08),
                px(0.06)
            ),
        ),
        (
            ".track",
            format!(
                "fill:none;stroke:#8a6d43;stroke-width:{};stroke-dasharray:{} {}",
                px(0.045),
                px(0.12),
                px(0.07)
            ),
        ),
        (
            ".road-case",
            format!(
                "fill:none;stroke:#6d5433;stroke-width:{};stroke-linejoin:round;stroke-linecap:round",
                px(0.085)
            ),
        ),
        (
            ".road",
            format!(
                "fill:none;stroke:#e9d9a8;stroke-width:{};stroke-linejoin:round;stroke-linecap:round",
                px(0.05)
            ),
        ),
        (
            ".highway-case",
            format!(
                "fill:none;stroke:#6d3a2c;stroke-width:{};stroke-linejoin:round;stroke-linecap:round",
                px(0.14)
            ),
        ),
        (
            ".highway",
            format!(
                "fill:none;stroke:#d9714f;stroke-width:{};stroke-linejoin:round;stroke-linecap:round",
                px(0.095)
            ),
        ),
        (".rail", format!("fill:none;stroke:#2f2b25;stroke-width:{};stroke-linejoin:round", px(0.035))),
        (
            ".ties",
            format!(
                "fill:none;stroke:#2f2b25;stroke-width:{};stroke-dasharray:{} {}",
                px(0.12),
                px(0.03),
                px(0.15)
            ),
        ),
        (
            ".light",
            format!(
                "fill:none;stroke:#6b6253;stroke-width:{};stroke-linejoin:round;stroke-dasharray:{} {}",
                px(0.03),
                px(0.14),
                px(0.04)
            ),
        ),
        (
            ".ties-light",
            format!(
                "fill:none;stroke:#6b6253;stroke-width:{};stroke-dasharray:{} {}",
                px(0.1),
                px(0.025),
                px(0.155)
            ),
        ),
        (".double", format!("fill:none;stroke:#2f2b25;stroke-width:{};stroke-linejoin:round", px(0.085))),
        (".between", format!("fill:none;stroke:#f3ecd8;stroke-width:{};stroke-linejoin:round", px(0.03))),
        (".bridge", format!("fill:none;stroke:#2f2b25;stroke-width:{}", px(0.035))),
        (".blown", format!("fill:none;stroke:#b3302a;stroke-width:{};stroke-linecap:round", px(0.06))),
        (".t,.i,.b,.n", "fill:#2b2620".to_owned()),
        (
            ".halo",
            format!(
                "fill:#f7f2e2;stroke:#f7f2e2;stroke-opacity:.85;stroke-width:{};stroke-linejoin:round",
                px(0.07)
            ),
        ),
        (".blue", "fill:#235f8c".to_owned()),
        (".number", "fill:#5a5140;fill-opacity:.8".to_owned()),
        (".realm", "fill:#7a3b36;fill-opacity:.5".to_owned()),
    ];
    for (selector, rule) in rules {
        css.push_str(selector);
        css.push('{');
        css.push_str(&rule);
        css.push('}');
    }
    css
}

/// The signs, drawn about the origin in units of the distance from centre to centre.
pub(crate) const DEFS: &str = r##"
<g id="tree"><ellipse cx=".012" cy=".022" rx=".062" ry=".05" fill="#55713a" fill-opacity=".35"/><circle r=".055" fill="#7d9c58"/><circle cx="-.014" cy="-.016" r=".03" fill="#98b372"/></g>
<g id="reed" fill="none" stroke="#4f8580" stroke-width=".017" stroke-linecap="round"><path d="M-.08 0H.08M-.04 .035H.05M0-.005V-.075M-.028-.005L-.045-.055M.028-.005L.045-.055"/></g>
<g id="hill" fill="none" stroke-linecap="round"><path d="M-.1 .03Q0-.13 .1 .03" fill="#d9bf8f" stroke="#94714a" stroke-width=".02"/><path d="M.02-.05L.05 .02M.05-.03L.075 .025" stroke="#94714a" stroke-width=".014"/></g>
<g id="sand" fill="#b58f4c"><circle r=".014"/></g>
<g id="house"><rect x="-.05" y="-.04" width=".1" height=".08" fill="#8d3b31" stroke="#4f211b" stroke-width=".012"/></g>
<g id="village"><g fill="#7a5a45" stroke="#3f2d22" stroke-width=".012"><rect x="-.13" y="-.02" width=".1" height=".075"/><rect x=".02" y="-.08" width=".09" height=".08"/><rect x=".03" y=".045" width=".1" height=".07"/><rect x="-.09" y="-.12" width=".07" height=".065"/></g></g>
<g id="bigtown"><g fill="#8d3b31" stroke="#4f211b" stroke-width=".012"><rect x="-.3" y="-.2" width=".13" height=".11"/><rect x="-.13" y="-.24" width=".15" height=".12"/><rect x=".06" y="-.2" width=".16" height=".1"/><rect x="-.33" y="-.05" width=".12" height=".13"/><rect x="-.17" y="-.08" width=".16" height=".13"/><rect x=".03" y="-.06" width=".12" height=".14"/><rect x=".19" y="-.05" width=".13" height=".11"/><rect x="-.26" y=".12" width=".15" height=".1"/><rect x="-.07" y=".1" width=".13" height=".13"/><rect x=".1" y=".12" width=".16" height=".1"/></g></g>
<g id="metropolis"><use href="#bigtown" transform="scale(1.18)"/></g>
<g id="bastion"><path d="M0-.13L.04-.045L.124-.04L.058 .02L.08 .105L0 .055L-.08 .105L-.058 .02L-.124-.04L-.04-.045Z" fill="#4f4a42" stroke="#f3ecd8" stroke-width=".025" stroke-linejoin="round" paint-order="stroke"/></g>
<g id="depot"><rect x="-.1" y="-.07" width=".2" height=".15" fill="#4d5560" stroke="#f3ecd8" stroke-width=".02"/><path d="M-.13-.07L0-.15L.13-.07Z" fill="#4d5560" stroke="#f3ecd8" stroke-width=".02" stroke-linejoin="round"/></g>
<g id="beach"><path d="M-.13 .05Q-.065-.03 0 .05T.13 .05" fill="none" stroke="#f7f2e2" stroke-width=".07" stroke-linecap="round"/><path d="M-.13 .05Q-.065-.03 0 .05T.13 .05" fill="none" stroke="#b5761f" stroke-width=".035" stroke-linecap="round"/></g>
<g id="city"><rect x="-.27" y="-.27" width=".54" height=".54" fill="#f7f0dd" stroke="#4f211b" stroke-width=".03"/><g fill="#8d3b31"><rect x="-.21" y="-.21" width=".18" height=".13"/><rect x=".03" y="-.21" width=".18" height=".18"/><rect x="-.21" y="-.03" width=".12" height=".24"/><rect x="-.04" y="-.01" width=".25" height=".09"/><rect x="-.04" y=".12" width=".11" height=".09"/><rect x=".11" y=".12" width=".1" height=".09"/></g></g>
<g id="town"><circle r=".13" fill="#f7f0dd" stroke="#4f211b" stroke-width=".035"/><circle r=".065" fill="#8d3b31"/></g>
<g id="port"><circle r=".115" fill="#235f8c" stroke="#f7f2e2" stroke-width=".02"/><path d="M0-.05V.07M-.06 .02Q-.05 .07 0 .075Q.05 .07 .06 .02M-.035-.02H.035" fill="none" stroke="#f7f2e2" stroke-width=".022" stroke-linecap="round"/><circle cy="-.065" r=".017" fill="none" stroke="#f7f2e2" stroke-width=".016"/></g>
<g id="oil"><path d="M-.11 .15L0-.17L.11 .15M-.085 .07H.085M-.05-.03H.05M-.085 .07L.05-.03M.085 .07L-.05-.03" fill="none" stroke="#2b2620" stroke-width=".028" stroke-linejoin="round"/><circle cy="-.18" r=".03" fill="#2b2620"/></g>
<g id="industry"><path d="M-.22 .16V-.02L-.08 .05V-.02L.06 .05V-.2H.12V.05L.22 0V.16Z" fill="#5d5348" stroke="#2b2620" stroke-width=".02" stroke-linejoin="round"/></g>
<g id="pillbox"><path d="M-.12 .09V-.05L-.06-.1H.06L.12-.05V.09Z" fill="#4f4a42" stroke="#1f1c18" stroke-width=".018"/><rect x="-.065" y="-.035" width=".13" height=".03" fill="#f3ecd8"/></g>
<path id="trench" d="M-.36-.12L-.33-.2L-.26-.19L-.23-.27L-.16-.26L-.12-.34L-.05-.33L0-.4L.05-.33L.12-.34L.16-.26L.23-.27L.26-.19L.33-.2L.36-.12" fill="none" stroke-linejoin="round" stroke-linecap="round"/>
<g id="german-trench"><use href="#trench" stroke="#f3ecd8" stroke-width=".095"/><use href="#trench" stroke="#4d5560" stroke-width=".05"/></g>
<g id="soviet-trench"><use href="#trench" stroke="#f3ecd8" stroke-width=".095"/><use href="#trench" stroke="#b3302a" stroke-width=".05"/></g>
"##;
