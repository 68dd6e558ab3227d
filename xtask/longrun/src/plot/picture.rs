//! The picture that a worker left: whether it is what its receipt says, and what goes into the
//! user's file. All of it is in memory before anything of the user is touched.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use longrun_protocol::receipt::Artifact;

use crate::digest;

/// How every file begins that `plot` has written: it may be replaced.
pub const BEGINNING: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Made by cargo xtask plot. -->\n";

/// Largest picture that is handed over: one of the optics worker has a tenth of a megabyte.
const BYTES_MAX: u64 = 16 << 20;

/// How the picture of a worker begins and ends.
const ELEMENT: (&str, &str) = ("<svg", "</svg>");

/// What goes into the user's file, from the picture in `folder` that a receipt describes.
///
/// # Errors
/// Why it is no such picture.
pub fn read(folder: &Path, plot: &Artifact) -> Result<Vec<u8>, String> {
    let refuse = |cause: &str| format!("the plot `{:.80}` is not handed over: {cause}", plot.file);
    let bytes = bytes_of(&folder.join(&plot.file)).map_err(|error| refuse(&error.to_string()))?;
    checked(&bytes, &plot.sha256).map_err(|cause| refuse(&cause))
}

/// At most one byte more than is taken, so that a longer file is not taken for a whole one.
fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn checked(bytes: &[u8], sha256: &str) -> Result<Vec<u8>, String> {
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("it is longer than {BYTES_MAX} bytes"));
    }
    let found = digest::of_bytes(bytes);
    if found != sha256 {
        return Err(format!(
            "its SHA-256 is {found:.12} and the receipt says {sha256:.12}"
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())?;
    let (begin, end) = ELEMENT;
    if !text.starts_with(begin) || !text.trim_end().ends_with(end) {
        return Err(format!("it is no `{begin}` element"));
    }
    Ok([BEGINNING.as_bytes(), bytes].concat())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SVG: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n";

    fn of(bytes: &[u8]) -> Result<Vec<u8>, String> {
        checked(bytes, &digest::of_bytes(bytes))
    }

    #[test]
    fn a_whole_picture_is_handed_over_behind_its_mark() {
        let file = String::from_utf8(of(SVG).unwrap()).unwrap();
        assert!(file.starts_with(BEGINNING));
        assert!(file.ends_with("</svg>\n"));
    }

    #[test]
    fn what_is_no_picture_is_named() {
        let table: [(&[u8], &str); 4] = [
            (b"", "no `<svg` element"),
            (b"<html></html>", "no `<svg` element"),
            (&SVG[..SVG.len() - 4], "no `<svg` element"),
            (b"<svg>\xff</svg>", "UTF-8"),
        ];
        for (bytes, cause) in table {
            let reason = of(bytes).unwrap_err();
            assert!(reason.contains(cause), "{reason}");
        }
        let reason = checked(SVG, &"0".repeat(64)).unwrap_err();
        assert!(reason.contains("receipt says 000000000000"), "{reason}");
    }

    #[test]
    fn a_picture_that_is_too_long_or_not_there_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let plot = Artifact {
            kind: "plot".into(),
            file: "plot.svg".into(),
            sha256: digest::of_bytes(SVG),
            description: String::new(),
        };
        assert!(
            read(folder.path(), &plot)
                .unwrap_err()
                .contains("`plot.svg`")
        );
        let file = File::create(folder.path().join("plot.svg")).unwrap();
        file.set_len(BYTES_MAX + 1).unwrap();
        let reason = read(folder.path(), &plot).unwrap_err();
        assert!(reason.contains("longer than"), "{reason}");
    }
}
