//! Grognard for Python: the compiled part of the package, `grognard._core`.
//!
//! | room | what is in it |
//! |---|---|
//! | `books` | the rulebooks with their data, by name |
//! | `slot` | a game for programs with the opponents seated in it |
//! | `game` | `Game`: one game |
//! | `batch` | `Batch`: many games at once, in arrays that are written in place |
//! | `ground` | the map as arrays |
//! | `lab` | runs of the lab, for clusters |
//! | `wrong` | what Python is told when something is refused |
//!
//! What Python does better is in Python: environments, trajectories, Ray. docs/python.md.

mod batch;
mod books;
mod game;
mod ground;
mod lab;
mod slot;
mod wrong;

use pyo3::prelude::*;

/// The compiled part of Grognard.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::books::{books, data_hash};
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::lab::{lab_games, lab_gather, lab_play, lab_run, random_play};

    use pyo3::prelude::*;

    /// The version is the program's.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Words of JSON as Python objects.
fn python_of<'py>(py: Python<'py>, json: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json.to_string(),))
}
