//! SHA-256 digests as hexadecimal text.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hmac_sha256::Hash;

/// Bytes read at a time.
const BUFFER_BYTES: usize = 64 << 10;

/// Digest of `bytes`.
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&Hash::hash(bytes))
}

/// Digest of the content of the file at `path`.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Hash::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&digest.finalize())),
            length => digest.update(buffer.get(..length).unwrap_or_default()),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_published_vector() {
        assert_eq!(of_bytes(b"abc"), ABC);
    }

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(of_file(&path).unwrap(), ABC);
    }
}
