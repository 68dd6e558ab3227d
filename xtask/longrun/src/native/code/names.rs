//! Names of functions as people write them.

/// Components of a name that are read at most.
const COMPONENTS_MAX: usize = 64;

/// A C++ symbol as `namespace::function`, where it is no more than that: arguments are left out.
/// Templates, operators and what is not C++ stay as they are in the file, as does what the compiler
/// appended (`.cold`, `.constprop.0`).
///
/// Source: Itanium C++ ABI, 5.1 (`<nested-name>`, `<source-name>`).
pub fn readable(symbol: &str) -> String {
    let (mangled, part) = match symbol.find('.') {
        Some(at) if at > 0 => symbol.split_at(at),
        _ => (symbol, ""),
    };
    match demangled(mangled) {
        Some(name) => format!("{name}{part}"),
        None => symbol.to_owned(),
    }
}

fn demangled(symbol: &str) -> Option<String> {
    let rest = symbol.strip_prefix("_Z")?;
    let (mut rest, nested) = match rest.strip_prefix('N') {
        Some(rest) => (rest.trim_start_matches(['K', 'V']), true),
        // A file-local function of C++ has an `L` before its name.
        None => (rest.strip_prefix('L').unwrap_or(rest), false),
    };
    let mut names: Vec<&str> = Vec::new();
    while rest.starts_with(|letter: char| letter.is_ascii_digit()) {
        if names.len() >= COMPONENTS_MAX || (!nested && !names.is_empty()) {
            return None;
        }
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let length: usize = rest.get(..digits)?.parse().ok()?;
        let end = digits.checked_add(length)?;
        let name = rest.get(digits..end)?;
        names.push(match name.starts_with("_GLOBAL__N_") {
            true => "(anonymous)",
            false => name,
        });
        rest = rest.get(end..)?;
    }
    let class = names.last().copied();
    let special = match rest.get(..2) {
        Some("C1" | "C2") => class.map(str::to_owned),
        Some("D0" | "D1" | "D2") => class.map(|class| format!("~{class}")),
        _ => None,
    };
    let mut name = names.join("::");
    if let Some(special) = special {
        name = format!("{name}::{special}");
        rest = rest.get(2..)?;
    }
    // A nested name ends in `E`; anything else in it is more than a name.
    let whole = match nested {
        true => rest.starts_with('E'),
        false => !rest.starts_with('I'),
    };
    (whole && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nested_name_is_written_with_colons_and_without_arguments() {
        for (symbol, expected) in [
            (
                "_ZN7longrun6optics5rk4ip4stepEdl",
                "longrun::optics::rk4ip::step",
            ),
            ("_ZNK7longrun4Team4sizeEv", "longrun::Team::size"),
            ("_ZN7longrun4TeamC2Ev", "longrun::Team::Team"),
            ("_ZN7longrun4TeamD0Ev", "longrun::Team::~Team"),
            ("_ZN12_GLOBAL__N_15scaleEd", "(anonymous)::scale"),
            ("_ZL5scaled", "scale"),
            ("_Z5scaled", "scale"),
            ("_ZN1a1bEv.cold", "a::b.cold"),
            ("longrun_core_abi", "longrun_core_abi"),
            ("scale.constprop.0", "scale.constprop.0"),
            (".text", ".text"),
        ] {
            assert_eq!(readable(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn what_is_more_than_a_name_or_broken_stays_as_it_is() {
        for symbol in [
            "_ZN1aIdE1bEv",
            "_Z1aIdEvT_",
            "_ZNSt6vectorIdE9push_backEd",
            "_ZN1aplERKS_",
            "_Z",
            "_ZN",
            "_ZN99a",
            "_ZN99999999999999999999999aE",
            "_ZN4éaE",
            "",
        ] {
            assert_eq!(readable(symbol), symbol);
        }
    }
}
