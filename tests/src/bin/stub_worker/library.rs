//! What the stub worker reads in the bytes of a native library: its identity, and its words.
//!
//! A made library computes nothing. It says in a text what its code would come to:
//! `stub-work: cost=1.05 steps@a=11`. Two revisions of it differ in that text. A word with the name
//! of a case is for that case alone.

use std::collections::BTreeMap;
use std::fs;

use longrun_protocol::receipt::LibraryReport;
use longrun_protocol::request::Library;

use crate::Outcome;

/// Begins the identity that every library of Longrun carries.
const IDENTITY: &[u8] = b"longrun-identity";

/// Bytes of the build key in it, ended by a zero where it is shorter.
const KEY_LENGTH: usize = 72;

/// Begins the words.
const WORDS: &[u8] = b"stub-work: ";

/// A library, read.
pub struct Made {
    /// What a receipt says of it.
    pub report: LibraryReport,
    words: BTreeMap<String, String>,
    case: String,
}

impl Made {
    /// Reads the library's file for a case. It must carry the key that was asked for.
    pub fn read(library: &Library, case: &str) -> Outcome<Made> {
        let bytes = fs::read(&library.path)?;
        let start = position(&bytes, IDENTITY).ok_or("the library has no identity")?;
        let key = text_at(&bytes, start, KEY_LENGTH)?;
        if key != library.build_key {
            return Err(format!("it carries the build key {key}").into());
        }
        let abi = bytes.get(start + KEY_LENGTH..start + KEY_LENGTH + 4);
        let abi = i32::from_ne_bytes(abi.ok_or("the identity is cut")?.try_into()?);
        let words = match position(&bytes, WORDS) {
            Some(start) => text_at(&bytes, start, bytes.len())?,
            None => String::new(),
        };
        let word = |word: &str| word.split_once('=').map(|(k, v)| (k.into(), v.into()));
        Ok(Made {
            report: LibraryReport {
                build_key: key,
                abi: BTreeMap::from([("core".to_owned(), abi)]),
                fft: None,
            },
            words: words.split_whitespace().filter_map(word).collect(),
            case: case.to_owned(),
        })
    }

    /// A word of it.
    pub fn word(&self, name: &str) -> Option<&str> {
        let own = self.words.get(&format!("{name}@{}", self.case));
        own.or_else(|| self.words.get(name)).map(String::as_str)
    }

    /// A number among its words, `default` if there is none.
    pub fn number(&self, name: &str, default: f64) -> Outcome<f64> {
        Ok(self.word(name).map_or(Ok(default), str::parse)?)
    }

    /// Version of the area `core`.
    pub fn core_abi(&self) -> i32 {
        self.report.abi.get("core").copied().unwrap_or_default()
    }
}

/// Where `text` ends in `bytes`.
fn position(bytes: &[u8], text: &[u8]) -> Option<usize> {
    let at = bytes.windows(text.len()).position(|part| part == text)?;
    Some(at + text.len())
}

/// The text from `start` to the next zero, at most `length` bytes of it.
fn text_at(bytes: &[u8], start: usize, length: usize) -> Outcome<String> {
    let text = bytes.iter().skip(start).take(length);
    let text = text.take_while(|byte| **byte != 0).copied().collect();
    Ok(String::from_utf8(text)?)
}
