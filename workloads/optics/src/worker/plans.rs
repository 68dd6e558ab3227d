//! Where the FFT plans of an engine come from: the file that a request names, or nowhere.
//!
//! Wisdom makes runs comparable; it decides nothing else. Whatever is wrong with the file is a
//! warning, and the plans are made anew. The bytes of the file are the library's.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use longrun_protocol::receipt::WisdomReport;

use super::computes::Loaded;
use crate::engine::EngineError;
use crate::native::{Effort, Wisdom};

/// Largest file that is read. A transform takes about a kilobyte.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// The wisdom of one request.
pub struct Plans {
    /// Absent where none is asked for, or the engine has no use for it.
    pub wisdom: Option<Wisdom>,
    /// What the file held, as far as it is good.
    pub read: Vec<u8>,
}

impl Plans {
    /// What the file at `path` knows, for the library that is loaded.
    pub fn read(
        path: Option<&Path>,
        loaded: &Loaded,
        effort: Effort,
        warnings: &mut Vec<String>,
    ) -> Self {
        let Some(path) = path else {
            return Plans {
                wisdom: None,
                read: Vec::new(),
            };
        };
        let bytes = match read_file(path) {
            Ok(bytes) => bytes,
            // The first to prepare finds no file.
            Err(error) if error.kind() == ErrorKind::NotFound && effort == Effort::Prepare => {
                Vec::new()
            }
            Err(error) => {
                warnings.push(anew(path, &error.to_string()));
                Vec::new()
            }
        };
        match loaded.wisdom(&bytes, effort) {
            Ok(wisdom) => Plans {
                wisdom,
                read: bytes,
            },
            Err(error) => {
                warnings.push(anew(path, &error.to_string()));
                // A library without the area has said so; any other can begin with nothing.
                Plans {
                    wisdom: loaded.wisdom(&[], effort).ok().flatten(),
                    read: Vec::new(),
                }
            }
        }
    }

    /// What the receipt says of it.
    pub fn report(&self) -> Result<Option<WisdomReport>, EngineError> {
        let Some(wisdom) = &self.wisdom else {
            return Ok(None);
        };
        let counts = wisdom.counts()?;
        Ok(Some(WisdomReport {
            plans: counts.plans,
            missing: counts.missing,
            added: counts.added,
        }))
    }
}

fn anew(path: &Path, cause: &str) -> String {
    format!(
        "failed to read FFT wisdom `{}`: {cause}; the plans are made anew",
        path.display()
    )
}

fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let size = fs::metadata(path)?.len();
    if size <= FILE_BYTES_MAX {
        File::open(path)?
            .take(FILE_BYTES_MAX)
            .read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let cause = format!("{size} bytes are more than {FILE_BYTES_MAX}");
    Err(std::io::Error::new(ErrorKind::InvalidData, cause))
}
