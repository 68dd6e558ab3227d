//! Whether an output is what must come out.

use longrun_protocol::sampling::ReferenceReport;

use crate::kernels::Example;
use crate::witness;

/// How far an output is from the example's, in relative L2; none where that is no finite number.
pub fn distance(output: &[f64], example: &Example) -> Option<f64> {
    witness::relative_l2_real(output, &example.output).filter(|distance| distance.is_finite())
}

/// The distance of an output, which must be within `bound`.
pub fn reference(output: &[f64], example: &Example, bound: f64) -> Result<ReferenceReport, String> {
    if !output.iter().all(|value| value.is_finite()) {
        return Err("the output is not finite; the library is wrong".to_owned());
    }
    let report = ReferenceReport {
        relative_l2: distance(output, example),
        bound,
    };
    match (report.passed(), report.relative_l2) {
        (true, _) => Ok(report),
        (false, Some(distance)) => Err(format!(
            "the output is {distance:.2e} (relative L2) from the reference and the bound is \
             {bound:.0e}; what computes wrongly has no time"
        )),
        (false, None) => Err("the output has no distance from the reference".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn example() -> Example {
        Example {
            input: Vec::new(),
            output: vec![3.0, 4.0],
        }
    }

    #[test]
    fn an_output_within_the_bound_passes_with_its_distance() {
        let report = reference(&[3.0, 4.0], &example(), 1e-14).unwrap();
        assert_eq!(report.relative_l2, Some(0.0));
        let report = reference(&[3.0, 4.5], &example(), 0.1).unwrap();
        assert_eq!((report.relative_l2, report.bound), (Some(0.1), 0.1));
    }

    #[test]
    fn an_output_beyond_it_is_refused_with_both_numbers() {
        let reason = reference(&[3.0, 5.0], &example(), 1e-14).unwrap_err();
        assert!(
            reason.contains("2.00e-1") && reason.contains("1e-14"),
            "{reason}"
        );
    }

    #[test]
    fn an_output_that_is_no_number_is_refused_whatever_the_bound() {
        for value in [f64::NAN, f64::INFINITY] {
            let reason = reference(&[3.0, value], &example(), f64::INFINITY).unwrap_err();
            assert!(reason.contains("not finite"), "{reason}");
            assert_eq!(distance(&[3.0, value], &example()), None);
        }
    }
}
