//! The file of states that task `checkpoint` writes and task `duet` starts from.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::files;
use crate::fourier::Complex64;
use crate::npy;
use crate::witness::sha256_hex;

/// Largest file that is read: 256 states of a million points.
const FILE_BYTES_MAX: u64 = 4 << 30;

/// States of one guide, all of the same length.
#[derive(Debug, PartialEq)]
pub struct States {
    values: Vec<Complex64>,
    points: usize,
}

impl States {
    /// Writes states of `points` values each, whole or not at all; the digest of the file.
    pub fn write(path: &Path, states: &[&[Complex64]], points: usize) -> Result<String, String> {
        let bytes = npy::complex_rows(states, points);
        files::write_whole(path, &bytes)?;
        Ok(sha256_hex(&bytes))
    }

    /// Reads a file, which must have this digest.
    pub fn read(path: &Path, sha256: &str) -> Result<Self, String> {
        let refuse = |cause: String| {
            let path = path.display();
            format!("failed to read states `{path}`: {cause}; prepare them anew")
        };
        let bytes = read_file(path).map_err(|error| refuse(error.to_string()))?;
        let found = sha256_hex(&bytes);
        if found != sha256 {
            return Err(refuse(format!(
                "the file has the SHA-256 `{found}` and the request asks for `{sha256}`"
            )));
        }
        let (values, points) = npy::read_complex_rows(&bytes).map_err(refuse)?;
        Ok(States { values, points })
    }

    /// Values of each state.
    pub fn points(&self) -> usize {
        self.points
    }

    /// State `index`, if there is one.
    pub fn get(&self, index: u32) -> Option<&[Complex64]> {
        let begin = usize::try_from(index).ok()?.checked_mul(self.points)?;
        self.values.get(begin..begin.checked_add(self.points)?)
    }
}

fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than is taken, so that a longer file is not taken for a whole one.
    File::open(path)?
        .take(FILE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= FILE_BYTES_MAX {
        return Ok(bytes);
    }
    let cause = format!("it is longer than {FILE_BYTES_MAX} bytes");
    Err(std::io::Error::new(std::io::ErrorKind::InvalidData, cause))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn states_come_back_from_the_file_that_has_their_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("states.npy");
        let values: Vec<Complex64> = (0..6).map(|j| Complex64::new(f64::from(j), 0.5)).collect();
        let rows: Vec<&[Complex64]> = values.chunks(2).collect();
        let sha256 = States::write(&path, &rows, 2).unwrap();
        let states = States::read(&path, &sha256).unwrap();
        assert_eq!(states.points(), 2);
        assert_eq!(states.get(2), Some(&values[4..]));
        assert_eq!(states.get(3), None);
        let reason = States::read(&path, "0123").unwrap_err();
        assert!(
            reason.contains(&sha256) && reason.contains("`0123`"),
            "{reason}"
        );
        let nowhere = States::read(&folder.path().join("none"), &sha256).unwrap_err();
        assert!(nowhere.contains("prepare them anew"), "{nowhere}");
    }
}
