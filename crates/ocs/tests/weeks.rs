//! Random play of whole weeks on a small map: supply usage, reinforcements, works, trucks and captures, with every state audited
//! and read back from its own text.

use engine::{Dice, Game, Rulebook, Seed, Setup};
use ocs::Ocs;
use source::Source;

const WEEK: &str = r#"
rulebook = "ocs"
settings = "full"
turn = 1
weather = "clear"
options = "merged-modes surprise"

[map]
grid = """
. . . f . . . .
 . f . . . r . .
. . . . f . . .
 . . c . . . . .
. . . . . f . .
 . . . . . . . .
"""
[map.side]
minor_river = "0402/0502 0403/0503 0404/0504"
[map.link]
primary_road = "0104-0204-0304-0404-0504-0604-0704-0804"

[units]
hq-1 = "0204"
id-1 = "0303"
id-2 = "0304"
pzd = "0402"
pio = "0303"
inf-1 = "0101"
gun-1 = "0303"
bdr-1 = "pool"
truck-1 = "0104 steps=4"
truck-2 = "pool"
wagon-1 = "0204 steps=2"
shq-1 = "0704"
rd-1 = "0504"
grd = "0603"
tb-1 = "0604"
sap = "0504"
katy = "0704 reserve"
sbdr-1 = "pool"
struck-1 = "0804 steps=3"
struck-2 = "pool"

[hedgehogs]
0504 = 1

[stocks]
0104 = "axis token=40"
truck-1 = "axis token=8"
0804 = "soviet token=30"
struck-1 = "soviet token=6"
"#;

/// What the week above has in the air.
const AIR: &str = r#"
[bases]
0104 = "axis level=2 usable=1"
0101 = "axis level=1 usable=1"
0804 = "soviet level=2 usable=2"
0801 = "soviet level=1"
"#;

const AIRCRAFT: &str = r#"
me-1 = "0104"
me-2 = "0101"
me-3 = "0104 steps=1"
me-4 = "0104 inactive"
stuka-1 = "0104"
stuka-2 = "0101 inactive"
he-1 = "0104"
ju-1 = "0104"
ju-2 = "0104"
kondor = "0104"
para = "0104"
mig-1 = "0804"
mig-2 = "0804 steps=1"
mig-3 = "0804 steps=1"
lagg-1 = "0801"
il-1 = "0804"
il-2 = "0804 inactive"
pe = "0804"
i15 = "0801"
sb = "0804 inactive"
tb3-1 = "0804"
vdv = "0804"
"#;

fn pick<T: Copy>(list: &[T], chooser: &mut Dice) -> Option<T> {
    let last = u32::try_from(list.len()).ok().filter(|last| *last > 0)?;
    Some(list[chooser.roll(last) as usize - 1])
}

#[test]
fn random_weeks_are_sound() {
    play_weeks(WEEK, "weeks", 60);
}

#[test]
fn random_weeks_in_the_air_are_sound() {
    let ground = WEEK.replace("surprise\"", "surprise hip-shoot\"");
    let week = ground.replace("[units]", &format!("{AIR}\n[units]{AIRCRAFT}"));
    play_weeks(&week, "air", 60);
}

fn play_weeks(week: &str, name: &str, games: usize) {
    let data = Ocs::embedded().with_fixtures();
    for number in 0..games {
        let seed = Seed(format!("{name}-{number}"));
        let mut chooser = Dice::seeded(&Seed(format!("{name}-{number} chooses")));
        let source = Source::new("week", week);
        let mut game =
            Game::<Ocs>::situation(&source, &data, Some(seed)).unwrap_or_else(|faults| panic!("{faults}"));
        let mut decisions = 0;
        while let Some(action) = pick(&game.answers(), &mut chooser) {
            let before = game.to_situation();
            game.act(action).unwrap_or_else(|refused| panic!("{refused:?}\n{before}"));
            game.rules.audit(game.state()).unwrap_or_else(|wrong| panic!("{wrong}\n{}", game.to_situation()));
            decisions += 1;
            if decisions % 13 == 0 {
                let text = game.to_situation();
                let again = Game::<Ocs>::situation(&Source::new("again", text.clone()), &data, None);
                let again = again.unwrap_or_else(|faults| panic!("{faults}\n{text}"));
                assert_eq!(again.state(), game.state(), "{text}");
                let listed = game.answers();
                let allowed = listed.iter().all(|action| game.rules.check(game.state(), *action).is_ok());
                assert!(allowed, "{text}");
            }
            assert!(decisions < 20_000, "{}", game.to_situation());
        }
        assert!(decisions > 50, "game {number} ended after {decisions} decisions");
    }
}
