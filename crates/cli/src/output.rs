//! What the program prints: collected, then written at once; colours only on a terminal.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use source::Faults;

/// For what matters most in a line.
pub(crate) const STRONG: Style = Style::new().bold();
/// For rule cases and other asides.
pub(crate) const QUIET: Style = Style::new().dimmed();
/// For what went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// For refusals and faults.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// A text in a style.
pub(crate) struct Styled<T>(pub(crate) Style, pub(crate) T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), self.1, self.0.render_reset())
    }
}

/// What will be printed.
#[derive(Default)]
pub(crate) struct Out {
    text: String,
}

impl Out {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: impl fmt::Display) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Adds text as it is.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Prints what was collected. A reader that has gone away (`| head`) is no error.
    pub(crate) fn flush(&mut self) {
        let _ = anstream::stdout().write_all(self.text.as_bytes()).and_then(|()| anstream::stdout().flush());
        self.text.clear();
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It did its work, and the answer is no: already printed. Exit code 1.
    No,
    /// What it was given cannot be used. Exit code 2.
    Input(String),
}

impl Failure {
    /// Says so and ends the program.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::No => ExitCode::from(1),
            Failure::Input(text) => {
                let _ = writeln!(anstream::stderr(), "{}: {text}", Styled(BAD, "grognard"));
                ExitCode::from(2)
            }
        }
    }
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Failure::Input(faults.to_string())
    }
}

/// Says something beside the output.
pub(crate) fn note(text: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", Styled(QUIET, text));
}
