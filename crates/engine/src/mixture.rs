//! Dice that nobody alone can choose: a secret of the server, to which it commits itself before play, mixed with a number of
//! each player and the name of the game.

use sha2::{Digest, Sha256};

use crate::{BySide, Seed};

/// What the seed of a game is mixed from. `docs/records.md` says what it proves, and against whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// The public name of the game.
    pub game: String,
    /// What the server has committed itself to before it heard the players' numbers.
    pub secret: String,
    /// The number that each player has given, any text; empty where none was.
    pub nonces: BySide<String>,
}

impl Mixture {
    /// The commitment that belongs to a secret.
    pub fn commitment(secret: &str) -> String {
        Seed(secret.to_owned()).commitment()
    }

    /// The seed: the SHA-256, in hex, of all parts, each after its length in bytes, so that no two mixtures read the same.
    pub fn seed(&self) -> Seed {
        let mut digest = Sha256::new();
        digest.update("grognard seed");
        for part in [&self.game, &self.secret, &self.nonces.axis, &self.nonces.soviet] {
            digest.update(format!(" {} {part}", part.len()));
        }
        Seed(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixture(game: &str, secret: &str, axis: &str, soviet: &str) -> Mixture {
        let nonces = BySide { axis: axis.to_owned(), soviet: soviet.to_owned() };
        Mixture { game: game.to_owned(), secret: secret.to_owned(), nonces }
    }

    /// This value may never change: every record of a game over a network depends on it.
    #[test]
    fn the_mixture_is_fixed_for_ever() {
        assert_eq!(
            mixture("game", "secret", "anna", "boris").seed().0,
            "9706f3500b32a4b94230378521f6ba2757082734e0ffd4609e44541959603d76" // sha256 of `grognard seed 4 game 6 secret 4 anna 5 boris`
        );
    }

    #[test]
    fn every_part_counts() {
        let seeds = [
            mixture("game", "secret", "anna", "boris"),
            mixture("other", "secret", "anna", "boris"),
            mixture("game", "other", "anna", "boris"),
            mixture("game", "secret", "other", "boris"),
            mixture("game", "secret", "anna", "other"),
            mixture("game", "secret", "annab", "oris"),
            mixture("game", "secret", "", "4 anna 5 boris"),
        ]
        .map(|mixture| mixture.seed().0);
        let different: std::collections::HashSet<&String> = seeds.iter().collect();
        assert_eq!(different.len(), seeds.len());
    }
}
