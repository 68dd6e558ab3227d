//! The command line: two flags, both required.

use std::ffi::OsString;
use std::path::PathBuf;

/// How the worker is called.
pub const USAGE: &str = "usage: longrun-optics --request request.json --receipt receipt.json";

/// What the command line says.
#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    /// File to read the request from.
    pub request: PathBuf,
    /// File to write the receipt to; artifacts go beside it.
    pub receipt: PathBuf,
}

/// Reads the arguments after the program's name.
pub fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let (mut request, mut receipt) = (None, None);
    while let Some(flag) = arguments.next() {
        let place = match flag.to_str() {
            Some("--request") => &mut request,
            Some("--receipt") => &mut receipt,
            _ => return Err(format!("unknown argument `{}`", flag.display())),
        };
        let value = arguments
            .next()
            .ok_or_else(|| format!("`{}` needs a file", flag.display()))?;
        if place.replace(PathBuf::from(value)).is_some() {
            return Err(format!("`{}` is given twice", flag.display()));
        }
    }
    Ok(Arguments {
        request: request.ok_or("`--request` is missing")?,
        receipt: receipt.ok_or("`--receipt` is missing")?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(words: &[&str]) -> Result<Arguments, String> {
        parse(words.iter().map(OsString::from))
    }

    #[test]
    fn the_two_flags_may_come_in_any_order() {
        let expected = Arguments {
            request: "a.json".into(),
            receipt: "b.json".into(),
        };
        assert_eq!(
            of(&["--receipt", "b.json", "--request", "a.json"]),
            Ok(expected)
        );
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for (words, named) in [
            (&[][..], "`--request`"),
            (&["--request", "a"], "`--receipt`"),
            (&["--request"], "`--request` needs"),
            (&["--request", "a", "--request", "b"], "twice"),
            (&["--verbose"], "`--verbose`"),
        ] {
            let reason = of(words).unwrap_err();
            assert!(reason.contains(named), "{reason}");
        }
    }
}
