//! The map as the rules see it: what each hex and hexside is, looked up once.

use board::{Dir, Hex, HexSet, Map, Mp, Sides};
use engine::law::{About, Bar, Statute, Term, crossing, entering};
use engine::{Side, case};

use crate::Zone;
use crate::charts::{TerrainChart, TerrainEffect};

/// What a map means to this rulebook.
pub(crate) struct Ground {
    /// By [`Map::index`].
    effects: Vec<TerrainEffect>,
    width: usize,
    /// What never changes about a step, by [`Payer`].
    statutes: [Statute; 6],
    /// Hexes that units can be in.
    pub(crate) land: HexSet,
    /// Lakes that supply lines of a side may cross (7.14b, 7.14c).
    axis_lakes: HexSet,
    soviet_lakes: HexSet,
    pub(crate) rough: HexSet,
    pub(crate) marsh: HexSet,
    /// The marsh of 5.13.
    pub(crate) june_marsh: HexSet,
    pub(crate) cities: HexSet,
    /// The same in a list, by whose places a state remembers them; at most 64.
    pub(crate) city_list: Vec<Hex>,
    pub(crate) industry: HexSet,
    /// Everything that is worth a point (4.2a).
    pub(crate) worth_points: HexSet,
    /// Those of them that are German when the campaign begins (4.16c).
    pub(crate) western_points: HexSet,
    pub(crate) soviet_lines: HexSet,
    pub(crate) german_lines: HexSet,
    // Countries.
    pub(crate) ussr: HexSet,
    pub(crate) baltics: HexSet,
    pub(crate) lithuania: HexSet,
    pub(crate) lublin: HexSet,
    pub(crate) greater_germany: HexSet,
    pub(crate) general_government: HexSet,
    pub(crate) hungary: HexSet,
    pub(crate) romania: HexSet,
    pub(crate) bulgaria: HexSet,
    /// Soviet and nobody's when play begins (3.6b, R16).
    pub(crate) soviet_at_start: HexSet,
    /// Next to the General Government, or in it (R78), and next to Bucharest (8.25a).
    pub(crate) near_poland: HexSet,
    pub(crate) near_bucharest: HexSet,
    // Zones.
    pub(crate) north: HexSet,
    pub(crate) dp_area: HexSet,
    pub(crate) r_area: HexSet,
    pub(crate) cs_area: HexSet,
    pub(crate) baltic_coast: HexSet,
    pub(crate) black_coast: HexSet,
    pub(crate) azov_coast: HexSet,
    pub(crate) dnepr: HexSet,
    pub(crate) axis_sources: HexSet,
    pub(crate) soviet_sources: HexSet,
    pub(crate) rvgk_exit: HexSet,
    pub(crate) yugoslav_edge: HexSet,
    pub(crate) caucasus_exit: HexSet,
    pub(crate) groups: [HexSet; 3],
    pub(crate) black_ports: HexSet,
    pub(crate) baltic_ports: HexSet,
    // Places.
    pub(crate) moscow: Option<Hex>,
    pub(crate) kiev: Option<Hex>,
    pub(crate) leningrad: Option<Hex>,
    pub(crate) stalingrad: Option<Hex>,
    pub(crate) rostov: Option<Hex>,
    pub(crate) dnepropetrovsk: Option<Hex>,
    pub(crate) maikop: Option<Hex>,
    pub(crate) sevastopol: Option<Hex>,
    pub(crate) odessa: Option<Hex>,
    pub(crate) bucharest: Option<Hex>,
    pub(crate) ploesti: Option<Hex>,
    /// The two shores of Kerch (10.14).
    pub(crate) kerch: Option<(Hex, Hex)>,
    // Hexsides.
    pub(crate) all_sides: Sides,
    pub(crate) rivers: Sides,
    pub(crate) kerch_side: Sides,
    pub(crate) sivash_side: Sides,
    /// Neither sea nor lake, and no strait: where units retreat, advance and attack (11.17b, 11.18b, 11.19).
    pub(crate) dry_sides: Sides,
    axis_supply: Sides,
    soviet_supply: Sides,
    /// Those of the German side and Kerch (R32).
    pub(crate) crimea_supply: Sides,
}

/// Who pays what for a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payer {
    Foot,
    Mech,
    /// Soviet mechanized units from turn 13 on, to which marsh is like clear ground (10.12b).
    SovietMech,
    /// German units on turn 1, which ignore rivers (10.18b).
    JuneFoot,
    JuneMech,
    /// Those to which two marsh hexes are clear besides (5.13).
    JuneSuppliedMech,
}

/// Most cities that a state can remember.
const MAX_CITIES: usize = 64;

impl Ground {
    /// Nothing when the map is too large: more than 64 lines of 64 hexes, or more than 64 cities.
    pub(crate) fn new(map: &Map, chart: &TerrainChart) -> Option<Ground> {
        if !map.fits::<64, 1>() || map.hexes_with("city").len() > MAX_CITIES {
            return None;
        }
        let effects = effects(map, chart);
        let land: HexSet = map.hexes().filter(|hex| effects[map.index(*hex)].foot.is_some()).collect();
        let terrain = |name: &str| {
            map.terrain_named(name).map(|terrain| HexSet::with_terrain(map, terrain)).unwrap_or_default()
        };
        let feature = |name: &str| HexSet::from_layer(map.hexes_with(name));
        let area = |name: &str| map.area(name).map(HexSet::from_layer).unwrap_or_default();
        let all_sides = Sides::all(map)?;
        let (ussr, greater_germany, hungary) = (area("USSR"), area("Greater Germany"), area("Hungary"));
        let baltics = area("Lithuania") | area("Latvia") | area("Estonia");
        let (east, west) = (ussr | baltics, greater_germany | hungary);
        let lakes = terrain("lake");
        let soviet_lakes = all_sides.grow(&(east & land)) & lakes;
        let axis_lakes = (all_sides.grow(&(west & land)) & lakes) - soviet_lakes;
        let cities = feature("city");
        let worth_points = cities | feature("industry") | feature("oil");
        let [lake, sea, kerch, sivash, river] =
            ["lake", "sea", "kerch", "sivash", "river"].map(|name| map.sides_with(name));
        let north = area("Northern logistical area");
        let water = [lake, sea, kerch, sivash];
        let supply = |shut: &[&board::SideLayer], lakes_of: &HexSet| {
            Sides::new(map, |hex, dir| {
                let beyond = map.neighbour(hex, dir);
                let inner = lakes_of.contains(hex) && beyond.is_some_and(|beyond| lakes_of.contains(beyond));
                // The logistical boundary (7.15a).
                beyond.is_some_and(|beyond| north.contains(hex) != north.contains(beyond))
                    || shut.iter().any(|layer| layer.has(hex, dir))
                    || lake.has(hex, dir) && !inner
            })
        };
        let place = |name: &str| map.place(name);
        let set = |places: &[Option<Hex>]| places.iter().flatten().copied().collect::<HexSet>();
        let bucharest = place("Bucharest");
        let general_government = area("General Government");
        let shore = map.hexes().find_map(|hex| Some((hex, map.neighbour(hex, kerch.dirs(hex).next()?)?)));
        let (sevastopol, odessa) = (place("Sevastopol"), place("Odessa"));
        Some(Ground {
            width: map.grid().width(),
            statutes: statutes(map, chart, land, area("June marsh"))?,
            effects,
            land,
            axis_lakes,
            soviet_lakes,
            rough: terrain("rough"),
            marsh: terrain("marsh"),
            june_marsh: area("June marsh"),
            cities,
            city_list: cities.iter().collect(),
            industry: feature("industry"),
            worth_points,
            western_points: worth_points - east,
            soviet_lines: feature("soviet_fortified_line"),
            german_lines: feature("german_fortified_line"),
            ussr,
            baltics,
            lithuania: area("Lithuania"),
            lublin: area("Lublin land"),
            greater_germany,
            general_government,
            hungary,
            romania: area("Romania"),
            bulgaria: area("Bulgaria"),
            soviet_at_start: east & land,
            near_poland: if general_government.is_empty() {
                HexSet::EMPTY
            } else {
                all_sides.grow(&general_government) & land
            },
            near_bucharest: bucharest
                .map_or(HexSet::EMPTY, |hex| (all_sides.grow(&HexSet::of(hex)) & land) - HexSet::of(hex)),
            north,
            dp_area: area("DP supply area"),
            r_area: area("R supply area"),
            cs_area: area("CS supply area"),
            baltic_coast: area("Baltic coast"),
            black_coast: area("Black Sea coast"),
            azov_coast: area("Sea of Azov coast"),
            dnepr: area("Dnepr line"),
            axis_sources: area("German supply"),
            soviet_sources: area("Soviet supply"),
            rvgk_exit: area("RVGK exit"),
            yugoslav_edge: area("Yugoslav edge"),
            caucasus_exit: area("Caucasus exit"),
            groups: ["North", "Centre", "South"].map(|name| area(&format!("Army Group {name}"))),
            black_ports: set(&[odessa, sevastopol]) | area("Black Sea port"),
            baltic_ports: set(&["Leningrad", "Riga", "Konigsberg", "Danzig"].map(place)),
            moscow: place("Moscow"),
            kiev: place("Kiev"),
            leningrad: place("Leningrad"),
            stalingrad: place("Stalingrad"),
            rostov: place("Rostov"),
            dnepropetrovsk: place("Dnepro-Petrovsk"),
            maikop: place("Maikop oil field"),
            sevastopol,
            odessa,
            bucharest,
            ploesti: place("Ploesti oil field"),
            kerch: shore,
            rivers: Sides::of(map, &[river])?,
            kerch_side: Sides::of(map, &[kerch])?,
            sivash_side: Sides::of(map, &[sivash])?,
            dry_sides: Sides::without(map, &water)?,
            axis_supply: supply(&[sea, kerch, sivash], &west)?,
            soviet_supply: supply(&[sea], &east)?,
            crimea_supply: supply(&[sea, sivash], &west)?,
            all_sides,
        })
    }

    /// With the Lithuania option countries are others: five hexes are German, five count as USSR (3.7a, R115).
    pub(crate) fn exchange_lithuania(&mut self) {
        self.ussr |= self.lublin;
        self.general_government -= self.lublin;
        self.soviet_at_start = (self.soviet_at_start | self.lublin) - self.lithuania;
        self.groups[0] |= self.lithuania;
        for group in &mut self.groups {
            *group -= self.lublin;
        }
        self.near_poland = (self.all_sides.grow(&self.general_government) & self.land) - HexSet::EMPTY;
    }

    pub(crate) fn effect(&self, hex: Hex) -> TerrainEffect {
        self.effects[usize::from(hex.line()) * self.width + usize::from(hex.pos())]
    }

    /// What never changes about the steps of a unit.
    pub(crate) fn statute(&self, payer: Payer) -> &Statute {
        &self.statutes[payer as usize]
    }

    /// The hexsides that overland lines of a side may cross (7.14, 7.15).
    pub(crate) fn supply_sides(&self, side: Side) -> &Sides {
        match side {
            Side::Axis => &self.axis_supply,
            Side::Soviet => &self.soviet_supply,
        }
    }

    /// The hexes that lines of a side may enter as far as the ground is concerned (7.14).
    pub(crate) fn supply_ground(&self, side: Side) -> HexSet {
        match side {
            Side::Axis => self.land | self.axis_lakes,
            Side::Soviet => self.land | self.soviet_lakes,
        }
    }

    pub(crate) fn zone(&self, hex: Hex) -> Zone {
        if self.north.contains(hex) { Zone::North } else { Zone::South }
    }
}

/// East, north-east and south-east; the other three are west (11.27b, 11.27c, 11.27f).
pub(crate) fn is_eastward(dir: Dir) -> bool {
    matches!(dir, Dir::D0 | Dir::D1 | Dir::D5)
}

fn effects(map: &Map, chart: &TerrainChart) -> Vec<TerrainEffect> {
    let effect = |hex: Hex| {
        let name = map.contains(hex).then(|| map.terrain_name(map.terrain(hex)));
        name.and_then(|name| chart.effect(name)).unwrap_or_default()
    };
    map.grid().hexes().map(effect).collect()
}

/// What terrain is called where it is paid for, and by which case.
fn ground_word(terrain: &str) -> (&'static str, engine::Case) {
    match terrain {
        "clear" => ("clear ground", case("10.10a")),
        "rough" => ("rough", case("10.11")),
        "marsh" => ("marsh", case("10.12a")),
        "desert_steppe" => ("desert-steppe", case("10.9")),
        _ => ("terrain", case("10.9")),
    }
}

/// Terrain, rivers and water, for each who pays differently (10.10 to 10.18).
fn statutes(map: &Map, chart: &TerrainChart, land: HexSet, june_marsh: HexSet) -> Option<[Statute; 6]> {
    let water: HexSet = map.hexes().filter(|hex| !land.contains(*hex)).collect();
    let of =
        |names: &[&str]| Sides::of(map, &names.iter().map(|name| map.sides_with(name)).collect::<Vec<_>>());
    let (lake_or_sea, kerch, sivash, river, all) =
        (of(&["lake", "sea"])?, of(&["kerch"])?, of(&["sivash"])?, of(&["river"])?, Sides::all(map)?);
    let water_between =
        Bar::new(case("10.13"), "lake or sea lies between {} and {}", [About::From, About::To]);
    let is_water = Bar::new(case("10.13"), "{} is lake or sea", [About::To]);
    let strait = Bar::plain(case("10.14a"), "the Kerch Strait is crossed by a move of its own");
    let sivash_bar = Bar::plain(case("10.15a"), "mechanized units do not cross the Sivash");
    let statute = |payer: Payer| {
        let mech = !matches!(payer, Payer::Foot | Payer::JuneFoot);
        let june = matches!(payer, Payer::JuneFoot | Payer::JuneMech | Payer::JuneSuppliedMech);
        let mut terms = vec![
            Term::bar(crossing(&lake_or_sea), water_between),
            Term::bar(crossing(&kerch), strait),
            Term::bar(entering(&water), is_water),
        ];
        if mech {
            terms.push(Term::bar(crossing(&sivash), sivash_bar));
        }
        let mut sets = Vec::new();
        for (terrain, name) in map.terrains() {
            let Some(effect) = chart.effect(name) else { continue };
            let Some(cost) = (if mech { effect.mech } else { effect.foot }) else { continue };
            let (word, number) = ground_word(name);
            let hexes = HexSet::with_terrain(map, terrain);
            match (payer, name) {
                (Payer::SovietMech, "marsh") => sets.push((hexes, word, 1, case("10.12b"))),
                (Payer::JuneSuppliedMech, "marsh") => {
                    sets.push((hexes & june_marsh, word, 1, case("5.13")));
                    sets.push((hexes - june_marsh, word, cost, number));
                }
                _ => sets.push((hexes, word, cost, number)),
            }
        }
        for (hexes, word, cost, number) in &sets {
            terms.push(Term::price(entering(hexes), word, Mp::whole(u16::from(*cost)), *number));
        }
        let river_cost = Mp::whole(u16::from(if mech { chart.river_mech } else { chart.river_foot }));
        if !june {
            terms.push(Term::price(crossing(&river), "river", river_cost, case("10.18a")));
        }
        terms.push(Term::price(crossing(&sivash), "the Sivash", river_cost, case("10.15a")));
        Statute::new(map, &[&all], &terms)
    };
    let [a, b, c, d, e, f] = [
        Payer::Foot,
        Payer::Mech,
        Payer::SovietMech,
        Payer::JuneFoot,
        Payer::JuneMech,
        Payer::JuneSuppliedMech,
    ]
    .map(statute);
    Some([a?, b?, c?, d?, e?, f?])
}
