//! What one worker process does: the configuration, and the words it is made of.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A word that is not one of those admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// What kind of word was expected, for the message.
    pub kind: &'static str,
    /// What was given.
    pub given: String,
    /// What would have been accepted.
    pub admitted: &'static str,
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown {} `{}`: expected {}",
            self.kind, self.given, self.admitted
        )
    }
}

impl std::error::Error for UnknownWord {}

/// How much of a case is run. Part of the identity: rows of different sizes are never compared.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// The tracked, complete workload.
    #[default]
    Full,
    /// Seconds.
    Quick,
    /// About a second.
    Smoke,
}

impl Size {
    /// Every size, largest first.
    pub const ALL: [Size; 3] = [Size::Full, Size::Quick, Size::Smoke];

    /// The word used in flags and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Size::Full => "full",
            Size::Quick => "quick",
            Size::Smoke => "smoke",
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Size {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let given = || UnknownWord {
            kind: "size",
            given: text.to_owned(),
            admitted: "full, quick or smoke",
        };
        Size::ALL
            .into_iter()
            .find(|size| size.as_str() == text)
            .ok_or_else(given)
    }
}

/// What computes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The native library.
    #[default]
    Native,
    /// Plain Rust, written from the equations.
    Reference,
    /// The worker's own dispatcher, where it has one.
    Auto,
}

impl Engine {
    /// The word used in flags and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Engine::Native => "native",
            Engine::Reference => "reference",
            Engine::Auto => "auto",
        }
    }

    /// Whether a worker with this engine is handed a native library.
    pub fn needs_library(self) -> bool {
        !matches!(self, Engine::Reference)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Engine {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "native" => Ok(Engine::Native),
            "reference" => Ok(Engine::Reference),
            "auto" => Ok(Engine::Auto),
            _ => Err(UnknownWord {
                kind: "engine",
                given: text.to_owned(),
                admitted: "native, reference or auto",
            }),
        }
    }
}

/// Which native library.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// Host code.
    #[default]
    Cpu,
    /// NVIDIA devices.
    Cuda,
    /// AMD devices.
    Hip,
}

impl Backend {
    /// The word used in flags and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Backend::Cpu => "cpu",
            Backend::Cuda => "cuda",
            Backend::Hip => "hip",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Host threads of a configuration, or the device.
///
/// Written as a word: `"1"`, `"16"`, `"device"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("pattern" = "^(device|[1-9][0-9]*)$")))]
#[serde(try_from = "String", into = "String")]
pub enum Width {
    /// That many host threads; at least one.
    Threads(u32),
    /// The whole configuration runs on the device.
    Device,
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Width::Threads(threads) => f.pad(&threads.to_string()),
            Width::Device => f.pad("device"),
        }
    }
}

impl FromStr for Width {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        if text == "device" {
            return Ok(Width::Device);
        }
        match text.parse::<u32>() {
            Ok(threads) if threads >= 1 => Ok(Width::Threads(threads)),
            _ => Err(UnknownWord {
                kind: "width",
                given: text.to_owned(),
                admitted: "a number of threads of at least 1, or `device`",
            }),
        }
    }
}

impl TryFrom<String> for Width {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<Self, UnknownWord> {
        text.parse()
    }
}

impl From<Width> for String {
    fn from(width: Width) -> String {
        width.to_string()
    }
}

/// What one worker process does, exactly.
///
/// `stepper` is what was *requested*: `default`, or the name of an override. What it resolved to
/// is the worker's report (`resolved` in the receipt).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Suite that the case belongs to.
    pub suite: String,
    /// Name of the case.
    pub case: String,
    /// Size of the case.
    pub size: Size,
    /// Revision of the case at this size, at least 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub revision: u32,
    /// What computes.
    pub engine: Engine,
    /// Requested stepper.
    pub stepper: String,
    /// Other distinctions as sorted `k=v` text joined by commas; empty when there are none.
    pub variant: String,
    /// Host threads, or the device.
    pub width: Width,
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.case)?;
        if self.size != Size::Full {
            write!(f, " {}", self.size)?;
        }
        if self.engine != Engine::Native {
            write!(f, " {}", self.engine)?;
        }
        if self.stepper != "default" {
            write!(f, " {}", self.stepper)?;
        }
        if !self.variant.is_empty() {
            write!(f, " {}", self.variant)?;
        }
        write!(f, " @{}", self.width)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_width_is_a_positive_number_or_the_device() {
        assert_eq!("16".parse(), Ok(Width::Threads(16)));
        assert_eq!("device".parse(), Ok(Width::Device));
        for refused in ["0", "-1", "", "production", "1.5", "99999999999"] {
            assert!(refused.parse::<Width>().is_err(), "{refused}");
        }
    }

    #[test]
    fn a_width_is_written_as_a_word() {
        let json = serde_json::to_string(&[Width::Threads(2), Width::Device]).unwrap();
        assert_eq!(json, r#"["2","device"]"#);
        let back: Vec<Width> = serde_json::from_str(&json).unwrap();
        assert_eq!(back, [Width::Threads(2), Width::Device]);
    }

    #[test]
    fn what_is_ordinary_is_left_out_of_the_display_name() {
        let mut configuration = Configuration {
            suite: "tracking".into(),
            case: "gnlse_soliton".into(),
            size: Size::Full,
            revision: 1,
            engine: Engine::Native,
            stepper: "default".into(),
            variant: String::new(),
            width: Width::Threads(1),
        };
        assert_eq!(configuration.to_string(), "gnlse_soliton @1");
        configuration.size = Size::Smoke;
        configuration.engine = Engine::Reference;
        configuration.stepper = "rk".into();
        configuration.variant = "dtype=f64".into();
        assert_eq!(
            configuration.to_string(),
            "gnlse_soliton smoke reference rk dtype=f64 @1"
        );
    }
}
