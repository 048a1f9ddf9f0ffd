//! Two positions that differ only in what a side does not see.

use engine::{Data, Dice, Game, Options, Rulebook, Seed, Side, situation};

use crate::client::Lot;

/// Two positions of a rulebook that look the same to `side`, after at most so many random actions, as situations. Nothing when
/// the game was over too soon, or nothing was hidden.
pub(crate) fn twins<R: Rulebook>(
    scenario: &str,
    actions: usize,
    side: Side,
    lot: &mut Lot,
) -> Option<[String; 2]> {
    let data: Data = R::embedded();
    let seed = Seed(format!("twins {}", lot.draw(1 << 20)));
    let mut game = Game::<R>::scenario(scenario, &data, Options::default(), seed).unwrap();
    for _ in 0..lot.draw(actions) {
        let answers = game.answers();
        if answers.is_empty() {
            return None;
        }
        game.act(answers[lot.draw(answers.len())]).unwrap();
    }
    if game.answers().is_empty() {
        return None;
    }
    let mut dice = Dice::seeded(&Seed(format!("imagined {}", lot.draw(1 << 20))));
    let imagined = game.rules.imagine(game.state(), side, &mut dice);
    let text = |state: &R::State| situation::write(&*game.rules, state);
    (imagined != *game.state()).then(|| [text(game.state()), text(&imagined)])
}

/// The side that something is hidden from: in some rulebooks the German player hides nothing.
pub(crate) fn kept_in_the_dark<R: Rulebook>(attempt: usize) -> Side {
    let open = ["dagc", "barbarossa"].contains(&R::BOOK.name);
    if open { Side::Axis } else { Side::BOTH[attempt % 2] }
}
