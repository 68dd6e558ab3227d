//! What the two processes of a pair amount to. Pure.

use longrun_protocol::Receipt;
use longrun_protocol::duet::Side;
use longrun_protocol::registry::Metric;

use crate::ab::kept::record::{Outcome, PairSide};

/// What one process of a pair measured, once its receipt was judged complete.
pub fn side_of(receipt: &Receipt, metric: Metric) -> Result<PairSide, String> {
    let (Some(sample), Some(witness)) = (receipt.samples.first(), receipt.witnesses.first()) else {
        return Err("the receipt has no time".to_owned());
    };
    if metric == Metric::Cpu && sample.cpu_ns.is_none() {
        return Err("the receipt has no CPU time".to_owned());
    }
    Ok(PairSide {
        sample: *sample,
        resolved: receipt.resolved.clone(),
        accepted: witness.accepted,
        evaluations: witness.evaluations,
        iterations: witness.iterations,
        converged: witness.converged,
        digest: witness.digest.clone(),
    })
}

/// The observation of two processes that did what they were asked.
pub fn outcome(baseline: &Receipt, candidate: &Receipt, metric: Metric) -> Outcome {
    let sides = [
        (Side::Baseline, side_of(baseline, metric)),
        (Side::Candidate, side_of(candidate, metric)),
    ];
    match sides {
        [(_, Ok(first)), (_, Ok(second))] => Outcome::Pair {
            baseline: Box::new(first),
            candidate: Box::new(second),
            relative_l2: distance(sketch(baseline), sketch(candidate)),
        },
        [(side, Err(reason)), _] | [_, (side, Err(reason))] => Outcome::Failed {
            side: Some(side),
            reason,
        },
    }
}

fn sketch(receipt: &Receipt) -> &[f64] {
    let last = receipt.witnesses.last();
    last.map_or(&[][..], |witness| &witness.sketch)
}

/// Relative L2 distance of two final states, estimated from their sketches: the squares of equal
/// projections of a difference have its squared norm for their mean (`docs/worker-protocol.md`).
/// `None` where that cannot be said.
fn distance(baseline: &[f64], candidate: &[f64]) -> Option<f64> {
    if baseline.is_empty() || baseline.len() != candidate.len() {
        return None;
    }
    let norm: f64 = baseline.iter().map(|value| value * value).sum();
    let apart = baseline.iter().zip(candidate).map(|(then, now)| now - then);
    let apart: f64 = apart.map(|value| value * value).sum();
    if apart == 0.0 {
        return Some(0.0);
    }
    let relative = (apart / norm).sqrt();
    relative.is_finite().then_some(relative)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::ab::made;

    fn receipt(change: impl FnOnce(&mut Receipt)) -> Receipt {
        let mut receipt = made::receipt(&made::request("a"));
        change(&mut receipt);
        receipt
    }

    #[test]
    fn two_receipts_become_one_observation() {
        let baseline = receipt(|_| ());
        let candidate = receipt(|receipt| {
            receipt.samples[0].interval_ns = 2_000_000;
            receipt.witnesses[0].accepted = Some(101);
            receipt.witnesses[0].sketch[0] = 1.0 + 16e-3;
        });
        let Outcome::Pair {
            baseline,
            candidate,
            relative_l2,
        } = outcome(&baseline, &candidate, Metric::Cpu)
        else {
            panic!("no pair");
        };
        assert_eq!(baseline.sample.interval_ns, 1_000_000);
        assert_eq!(
            (candidate.sample.interval_ns, candidate.accepted),
            (2_000_000, Some(101))
        );
        assert!(
            (relative_l2.unwrap() - 1e-3).abs() < 1e-9,
            "{relative_l2:?}"
        );
    }

    #[test]
    fn a_side_without_the_time_that_decides_fails_by_name() {
        let timeless = receipt(|receipt| receipt.samples[0].cpu_ns = None);
        let sound = receipt(|_| ());
        let side = |outcome: Outcome| match outcome {
            Outcome::Failed { side, .. } => side,
            _ => None,
        };
        assert_eq!(
            side(outcome(&timeless, &sound, Metric::Cpu)),
            Some(Side::Baseline)
        );
        assert_eq!(
            side(outcome(&sound, &timeless, Metric::Cpu)),
            Some(Side::Candidate)
        );
        assert!(matches!(
            outcome(&timeless, &sound, Metric::Wall),
            Outcome::Pair { .. }
        ));
        let empty = receipt(|receipt| receipt.samples.clear());
        assert_eq!(
            side(outcome(&empty, &sound, Metric::Wall)),
            Some(Side::Baseline)
        );
    }

    #[test]
    fn a_distance_is_a_number_or_unknown() {
        assert_eq!(distance(&[1.0, 2.0], &[1.0, 2.0]), Some(0.0));
        assert_eq!(distance(&[0.0], &[0.0]), Some(0.0));
        for (then, now) in [
            (&[0.0][..], &[1.0][..]),
            (&[1.0], &[f64::NAN]),
            (&[1.0], &[1.0, 2.0]),
            (&[], &[]),
        ] {
            assert_eq!(distance(then, now), None, "{then:?} {now:?}");
        }
    }
}
