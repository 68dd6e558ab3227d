//! The one error type: what was attempted, on what, why it failed, what to do next.

use std::fmt;
use std::path::Path;

use crate::exit::Exit;

/// A failure that ends a command, with the exit code that it maps to.
///
/// The message reads `failed to <verb> <object>: <cause>; <next step>`, in lower case and with
/// paths in backquotes. It is printed once, after `error: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How the program ends.
    pub exit: Exit,
    /// The whole sentence.
    pub message: String,
}

/// Result of everything that can end a command.
pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// Wrong arguments, registry, settings or names (exit 2).
    pub fn usage(message: impl Into<String>) -> Self {
        Failure {
            exit: Exit::Usage,
            message: message.into(),
        }
    }

    /// The machine or the checkout cannot do it (exit 6).
    pub fn environment(message: impl Into<String>) -> Self {
        Failure {
            exit: Exit::Environment,
            message: message.into(),
        }
    }

    /// Recording was refused (exit 5).
    pub fn refused(message: impl Into<String>) -> Self {
        Failure {
            exit: Exit::Refused,
            message: message.into(),
        }
    }

    /// Work failed, or something happened that should not (exit 1).
    pub fn failed(message: impl Into<String>) -> Self {
        Failure {
            exit: Exit::Failed,
            message: message.into(),
        }
    }

    /// The user interrupted (exit 130).
    pub fn interrupted(message: impl Into<String>) -> Self {
        Failure {
            exit: Exit::Interrupted,
            message: message.into(),
        }
    }

    /// A file operation that failed: `failed to <verb> \`<path>\`: <cause>`.
    pub fn file(verb: &str, path: &Path, cause: impl fmt::Display) -> Self {
        Failure::environment(format!("failed to {verb} `{}`: {cause}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
