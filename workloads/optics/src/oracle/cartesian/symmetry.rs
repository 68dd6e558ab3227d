//! A round beam in an isotropic glass stays what it is when it is turned or mirrored.

use longrun_protocol::receipt::OracleLine;

use crate::cartesian::Cartesian;
use crate::fourier::Complex64;
use crate::oracle::evidence::Evidence;
use crate::oracle::line::Quantity;

/// What rounding may do.
const TOLERANCE: f64 = 1e-12;

const TURNED: Quantity = Quantity {
    oracle: "symmetry",
    name: "final field, relative L2 difference from itself with x and y exchanged",
    unit: "",
};

const MIRRORED: Quantity = Quantity {
    oracle: "symmetry",
    name: "final field, relative L2 difference from itself with x mirrored",
    unit: "",
};

/// How far the final field is from its images.
pub fn lines(evidence: &Evidence<'_, Cartesian>) -> Vec<OracleLine> {
    let columns = evidence.case.plane.columns();
    let away = |image: fn(usize, (usize, usize)) -> (usize, usize)| {
        distance(columns, &evidence.end, image)
    };
    // The mirror image of sample i of an axis, and of its wavenumber i, is -i.
    let mirrored = away(|columns, (iy, ix)| (iy, (columns - ix) % columns));
    vec![
        TURNED.at_most(TOLERANCE, away(|_, (iy, ix)| (ix, iy))),
        MIRRORED.at_most(TOLERANCE, mirrored),
    ]
}

/// Relative L2 distance of a state from an image of it in each plane.
fn distance(
    columns: usize,
    state: &[Complex64],
    image: impl Fn(usize, (usize, usize)) -> (usize, usize),
) -> Option<f64> {
    let (mut apart, mut whole) = (0.0, 0.0);
    for plane in state.chunks_exact(columns * columns) {
        for (i, value) in plane.iter().enumerate() {
            let (iy, ix) = image(columns, (i / columns, i % columns));
            apart += (value - plane[iy * columns + ix]).norm_sqr();
            whole += value.norm_sqr();
        }
    }
    (whole > 0.0).then(|| (apart / whole).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::testing::evidence;
    use super::*;
    use crate::cartesian::testing::small;

    #[test]
    fn the_launch_is_symmetric_and_one_value_too_much_is_seen() {
        let case = small();
        let mut evidence = evidence(&case);
        assert!(lines(&evidence).iter().all(OracleLine::passed));
        // On the diagonal, which turning leaves where it is; mirroring does not.
        let value = &mut evidence.end[3 * 16 + 3];
        *value *= 1.0 + 1e-6;
        let passed: Vec<bool> = lines(&evidence).iter().map(OracleLine::passed).collect();
        assert_eq!(passed, [true, false]);
        // Of the middle columns, which mirroring leaves where they are.
        evidence.end[2 * 16] *= 1.0 + 1e-6;
        let passed: Vec<bool> = lines(&evidence).iter().map(OracleLine::passed).collect();
        assert_eq!(passed, [false, false]);
        evidence.end.fill(Complex64::default());
        assert!(lines(&evidence).iter().all(|line| line.obtained.is_none()));
    }
}
