//! Writing one quantity of an oracle down as a line of the receipt.

use longrun_protocol::receipt::{OracleLine, Relation};

/// What is measured: the oracle, the quantity in words, the unit (empty for a ratio).
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Name of the oracle.
    pub oracle: &'static str,
    /// The quantity in words.
    pub name: &'static str,
    /// Unit of all numbers.
    pub unit: &'static str,
}

impl Quantity {
    /// At most `tolerance` away from `expected`.
    pub fn within(self, expected: f64, tolerance: f64, obtained: Option<f64>) -> OracleLine {
        self.line(Relation::Within, expected, tolerance, obtained)
    }

    /// An error: not above `bound`.
    pub fn at_most(self, bound: f64, obtained: Option<f64>) -> OracleLine {
        self.line(Relation::AtMost, 0.0, bound, obtained)
    }

    fn line(
        self,
        relation: Relation,
        expected: f64,
        tolerance: f64,
        obtained: Option<f64>,
    ) -> OracleLine {
        OracleLine {
            oracle: self.oracle.to_owned(),
            quantity: self.name.to_owned(),
            unit: self.unit.to_owned(),
            relation,
            expected,
            obtained: obtained.filter(|value| value.is_finite()),
            tolerance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERROR: Quantity = Quantity {
        oracle: "a",
        name: "error",
        unit: "",
    };

    #[test]
    fn an_error_passes_up_to_its_bound() {
        assert!(ERROR.at_most(0.5, Some(0.5)).passed());
        assert!(!ERROR.at_most(0.5, Some(0.6)).passed());
    }

    #[test]
    fn what_is_no_number_is_absent() {
        assert_eq!(ERROR.within(1.0, 0.1, Some(f64::NAN)).obtained, None);
        assert_eq!(ERROR.within(1.0, 0.1, Some(f64::INFINITY)).obtained, None);
        assert_eq!(ERROR.within(1.0, 0.1, Some(1.05)).obtained, Some(1.05));
    }
}
