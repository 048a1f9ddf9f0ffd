//! Situations with a word changed: what loads can be played, what does not is refused with a reason.

use bite::Bite;
use engine::frame::Frames;
use engine::{Dice, Game, Rulebook, Seed, Side};
use source::Source;

fn pick<T: Copy>(list: &[T], chooser: &mut Dice) -> Option<T> {
    let last = u32::try_from(list.len()).ok().filter(|last| *last > 0)?;
    Some(list[chooser.roll(last) as usize - 1])
}

/// Plays a few decisions at random; every state on the way is sound and can be shown.
fn play(game: &mut Game<Bite>, decisions: usize, chooser: &mut Dice) {
    for _ in 0..decisions {
        let Some(action) = pick(&game.answers(), chooser) else { return };
        assert!(game.act(action).is_ok());
        game.rules.audit(game.state()).unwrap_or_else(|wrong| panic!("{wrong}\n{}", game.to_situation()));
        for side in Side::BOTH {
            let imagined = game.rules.imagine(game.state(), side, chooser);
            assert_eq!(game.rules.audit(&imagined), Ok(()));
        }
    }
}

/// The text with one word in the place of another that looks like it: a hex for a hex, a unit for a unit.
fn garbled(text: &str, chooser: &mut Dice) -> String {
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '-') && !word.is_empty();
    let words: Vec<&str> = text.split([' ', '\n', '"', '=']).filter(is_word).collect();
    let Some(from) = pick(&words, chooser) else { return text.to_owned() };
    let shape = |word: &str| (word.contains('-'), word.parse::<u32>().is_ok().then_some(word.len()));
    let alike: Vec<&str> = words.iter().copied().filter(|word| shape(word) == shape(from)).collect();
    let places: Vec<usize> = text.match_indices(from).map(|(place, _)| place).collect();
    let (Some(to), Some(place)) = (pick(&alike, chooser), pick(&places, chooser)) else {
        return text.to_owned();
    };
    format!("{}{to}{}", &text[..place], &text[place + from.len()..])
}

#[test]
fn garbled_situations_are_refused_or_played() {
    let data = Bite::embedded();
    let mut chooser = Dice::seeded(&Seed("garbled".into()));
    let (mut loaded, mut refused) = (0, 0);
    for i in 0..8 {
        let seed = Seed(format!("garbled-{i}"));
        let mut game = Game::<Bite>::scenario("wolomin", &data, Default::default(), seed).unwrap();
        while let Some(action) = pick(&game.answers(), &mut chooser) {
            game.act(action).unwrap();
            let is_deep = Bite::stack(game.state()).frames().len() > 2;
            if !is_deep && chooser.roll(8) > 1 {
                continue;
            }
            let text = garbled(&game.to_situation(), &mut chooser);
            let seed = Some(Seed("again".into()));
            match Game::<Bite>::situation(&Source::new("garbled", text), &data, seed) {
                Ok(mut other) => {
                    loaded += 1;
                    play(&mut other, 12, &mut chooser);
                }
                Err(faults) => {
                    refused += 1;
                    assert!(!faults.to_string().is_empty());
                }
            }
        }
    }
    assert!(loaded > 50 && refused > 50, "{loaded} loaded, {refused} refused");
}
