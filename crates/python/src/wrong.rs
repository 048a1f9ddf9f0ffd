//! What Python is told when something is refused: the classes of `grognard.errors`.

use engine::shelf::Refusal;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use source::Faults;

/// An error of a class of `grognard.errors`.
fn raise(class: &str, case: Option<&str>, why: &str) -> PyErr {
    let made = Python::attach(|py| {
        let class = py.import("grognard.errors")?.getattr(class)?;
        Ok::<PyErr, PyErr>(PyErr::from_value(class.call1((why, case))?))
    });
    made.unwrap_or_else(|_| PyRuntimeError::new_err(why.to_owned()))
}

/// What cannot be read or is not there: scenarios, options, data, levels.
pub(crate) fn input(why: &str) -> PyErr {
    raise("InputError", None, why.trim_end())
}

/// What a rule forbids, or is no answer.
pub(crate) fn refused(refusal: &Refusal) -> PyErr {
    raise("IllegalAction", refusal.case, &refusal.why.to_string())
}

/// The same in words.
pub(crate) fn illegal(why: &str) -> PyErr {
    raise("IllegalAction", None, why)
}

/// What the program could not do although it was asked rightly.
pub(crate) fn fault(why: &str) -> PyErr {
    raise("Fault", None, why)
}

pub(crate) fn faults(faults: &Faults) -> PyErr {
    input(&faults.to_string())
}
