//! What a mutated copy of a rulebook is built with: the switch that turns one mutant on, and the tests that must notice it.
//!
//! The program of this crate (`main.rs`) writes a copy of a rulebook's crate in which every small change that it can think of
//! is compiled in, each behind [`on`]. So one build serves thousands of mutants. The copy's own program is nothing but
//! [`runner::main`].

pub mod runner;
mod switch;

pub use switch::on;
