//! Reading the request, writing the receipt and what lies beside it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use longrun_protocol::PROTOCOL_VERSION;
use longrun_protocol::receipt::{Artifact, Receipt};
use longrun_protocol::request::Request;
use serde_json::Value;

use crate::witness::sha256_hex;

/// Largest request that is read: a million replayed steps take about 25 MB.
const REQUEST_BYTES_MAX: u64 = 256 << 20;

/// Reads a request.
///
/// One of another protocol version is refused here if this version cannot read it; if it can, the
/// refusal goes into a receipt.
pub fn read_request(path: &Path) -> Result<Request, String> {
    let refuse = |cause: String| format!("failed to read request `{}`: {cause}", path.display());
    let size = fs::metadata(path)
        .map_err(|error| refuse(error.to_string()))?
        .len();
    if size > REQUEST_BYTES_MAX {
        return Err(refuse(format!(
            "{size} bytes are more than {REQUEST_BYTES_MAX}"
        )));
    }
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    request_of(&text).map_err(refuse)
}

fn request_of(text: &str) -> Result<Request, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let version = value.get("protocol_version").and_then(Value::as_u64);
    serde_json::from_value(value).map_err(|error| match version {
        Some(other) if other != u64::from(PROTOCOL_VERSION) => format!(
            "it has protocol version {other} and this worker speaks version {PROTOCOL_VERSION}; \
             build worker and `xtask` from one revision"
        ),
        _ => error.to_string(),
    })
}

/// The folder that a file lies in.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes the receipt under a temporary name in the same folder, syncs it and renames it, so that
/// a receipt that exists is whole.
pub fn write_receipt(path: &Path, receipt: &Receipt) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(receipt)
        .map_err(|error| format!("failed to write receipt `{}`: {error}", path.display()))?;
    text.push('\n');
    write_whole(path, text.as_bytes())
}

/// Writes an array as an artifact beside the receipt and describes it.
pub fn write_artifact(
    folder: &Path,
    kind: &str,
    bytes: &[u8],
    description: String,
) -> Result<Artifact, String> {
    write_artifact_as(folder, (kind, "npy"), bytes, description)
}

/// Writes an artifact, whose file is named by its kind and the ending of its format.
pub fn write_artifact_as(
    folder: &Path,
    (kind, ending): (&str, &str),
    bytes: &[u8],
    description: String,
) -> Result<Artifact, String> {
    let file = format!("{kind}.{ending}");
    write_whole(&folder.join(&file), bytes)?;
    Ok(Artifact {
        kind: kind.to_owned(),
        file,
        sha256: sha256_hex(bytes),
        description,
    })
}

/// Writes a file under a temporary name in the same folder, syncs it and renames it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    let temporary: PathBuf = folder_of(path).join(name);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        // The name is durable when the folder is.
        File::open(folder_of(path))?.sync_all()
    });
    written.map_err(|error| format!("failed to write `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_without_folder_lies_in_the_current_one() {
        assert_eq!(folder_of(Path::new("receipt.json")), Path::new("."));
        assert_eq!(folder_of(Path::new("/a/b.json")), Path::new("/a"));
    }

    #[test]
    fn a_written_file_leaves_nothing_else_behind() {
        let folder = tempfile::tempdir().unwrap();
        let artifact = write_artifact(folder.path(), "final_state", b"abc", "d".into()).unwrap();
        assert_eq!(artifact.file, "final_state.npy");
        assert_eq!(artifact.sha256, sha256_hex(b"abc"));
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(names.len(), 1);
        assert_eq!(
            fs::read(folder.path().join("final_state.npy")).unwrap(),
            b"abc"
        );
    }

    #[test]
    fn a_request_of_a_later_protocol_is_refused_by_its_version() {
        let reason = request_of(r#"{"protocol_version": 7, "shape": "new"}"#).unwrap_err();
        assert!(reason.contains("protocol version 7"), "{reason}");
        let reason = request_of(r#"{"protocol_version": 1, "shape": "new"}"#).unwrap_err();
        assert!(reason.contains("shape"), "{reason}");
    }

    #[test]
    fn a_folder_that_does_not_exist_is_named() {
        let reason = write_whole(Path::new("/nowhere/at/all.json"), b"").unwrap_err();
        assert!(reason.contains("`/nowhere/at/all.json`"), "{reason}");
    }
}
