//! Single operations of the native library: what goes in, and what must come out.
//!
//! The library has the loops and transforms of a propagation as kernels, which can be called alone
//! (`native/include/longrun/kernels.h`). Here each has an example: seeded input of the size that a
//! case asks for, and the output as plain Rust computes it from the formulas of that header. Both
//! are arrays of real numbers in the order of the header.

mod operator;
mod pack;
mod parameters;
mod source;
mod steps;
mod transforms;
mod windows;

use std::ops::RangeInclusive;

use crate::engine::EngineError;
use pack::Draw;

/// Seed of every input. Another one would be another definition of every case.
const SEED: u64 = 0x6b65_726e_656c;

/// How far an output may be from the example's, in relative L2.
///
/// Both sides round: a transform of a million values by less than 2e-15, everything else by less
/// than 1e-15. What is written to a wrong place, or not at all, is far beyond it.
pub const BOUND: f64 = 1e-14;

/// Which operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Complex transform to frequency.
    FftForward,
    /// Complex transform to time.
    FftInverse,
    /// Real transform to frequency.
    RfftForward,
    /// Real transform to time.
    RfftInverse,
    /// Squared modulus, and padding.
    Intensity,
    /// Convolution of the squared modulus with a response.
    RamanConvolution,
    /// Product of two half spectra.
    RamanProduct,
    /// Nonlinear polarisation.
    Polarise,
    /// Exponentials of a new step.
    Exponentials,
    /// Moments of the exponential of a new step.
    Moments,
    /// Sum of squared moduli.
    SumSquares,
    /// A stage of Dormand-Prince.
    RkStage,
    /// Prediction of the multistep method.
    AdamsPredict,
    /// Correction of the multistep method.
    AdamsCorrect,
    /// Windows after a step.
    Absorb,
    /// End of a step of Dormand-Prince.
    RkError,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 16] = [
        Kind::FftForward,
        Kind::FftInverse,
        Kind::RfftForward,
        Kind::RfftInverse,
        Kind::Intensity,
        Kind::RamanConvolution,
        Kind::RamanProduct,
        Kind::Polarise,
        Kind::Exponentials,
        Kind::Moments,
        Kind::SumSquares,
        Kind::RkStage,
        Kind::AdamsPredict,
        Kind::AdamsCorrect,
        Kind::Absorb,
        Kind::RkError,
    ];

    /// The word used in the registry.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::FftForward => "fft_forward",
            Kind::FftInverse => "fft_inverse",
            Kind::RfftForward => "rfft_forward",
            Kind::RfftInverse => "rfft_inverse",
            Kind::Intensity => "intensity",
            Kind::RamanConvolution => "raman_convolution",
            Kind::RamanProduct => "raman_product",
            Kind::Polarise => "polarise",
            Kind::Exponentials => "exponentials",
            Kind::Moments => "moments",
            Kind::SumSquares => "sum_squares",
            Kind::RkStage => "rk_stage",
            Kind::AdamsPredict => "adams_predict",
            Kind::AdamsCorrect => "adams_correct",
            Kind::Absorb => "absorb",
            Kind::RkError => "rk_error",
        }
    }

    /// The kind of a word.
    pub fn from_name(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The orders that it has, where it has any.
    fn orders(self) -> Option<RangeInclusive<u32>> {
        match self {
            Kind::Moments | Kind::AdamsPredict => Some(1..=6),
            Kind::RkStage => Some(1..=5),
            _ => None,
        }
    }

    /// Whether the length of the convolution is part of it.
    fn convolves(self) -> bool {
        matches!(
            self,
            Kind::Intensity | Kind::RamanConvolution | Kind::RamanProduct
        )
    }
}

/// An operation of a certain size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Which operation.
    pub kind: Kind,
    /// Samples of the grid: n of the header. Even.
    pub points: usize,
    /// Length of the convolution: m of the header, n or 2 n; none where it is no part of it.
    pub raman_points: Option<usize>,
    /// p of the header; none where it is no part of it.
    pub order: Option<u32>,
}

/// An operation that can be done over and over from the same input, which it has.
pub trait Routine {
    /// Does it `ops` times, at least once.
    fn run(&mut self, ops: u64) -> Result<(), EngineError>;

    /// Copies what it has put out; `values` are as many as there are.
    fn output(&self, values: &mut [f64]) -> Result<(), EngineError>;

    /// What one operation does.
    fn work(&self) -> Result<Work, EngineError>;

    /// One line for each FFT plan in use; empty without one.
    fn fft_plans(&self) -> String;
}

/// What one operation does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Floating-point operations, counted by hand.
    pub flops: Option<f64>,
    /// Bytes that are read and written, counted by hand.
    pub bytes: Option<f64>,
    /// Distinct threads that have worked on it.
    pub threads_observed: Option<u32>,
}

/// What goes in, and what must come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Input of the operation.
    pub input: Vec<f64>,
    /// Its output.
    pub output: Vec<f64>,
}

impl Kernel {
    /// The example of this size; the same numbers in every process.
    pub fn example(&self) -> Example {
        let mut draw = Draw::from_seed(SEED);
        let (n, p) = (self.points, self.order.unwrap_or(0) as usize);
        let m = self.raman_points.unwrap_or(0);
        match self.kind {
            Kind::FftForward => transforms::forward(n, &mut draw),
            Kind::FftInverse => transforms::inverse(n, &mut draw),
            Kind::RfftForward => transforms::real_forward(n, &mut draw),
            Kind::RfftInverse => transforms::real_inverse(n, &mut draw),
            Kind::Intensity => source::intensity(n, m, &mut draw),
            Kind::RamanConvolution => source::convolution(n, m, &mut draw),
            Kind::RamanProduct => source::product(m, &mut draw),
            Kind::Polarise => source::polarise(n, &mut draw),
            Kind::Exponentials => operator::exponentials(n),
            Kind::Moments => operator::moments(n, p),
            Kind::SumSquares => steps::sum_squares(n, &mut draw),
            Kind::RkStage => steps::rk_stage(n, p, &mut draw),
            Kind::AdamsPredict => steps::adams_predict(n, p, &mut draw),
            Kind::AdamsCorrect => steps::adams_correct(n, &mut draw),
            Kind::Absorb => windows::absorb(n, &mut draw),
            Kind::RkError => steps::rk_error(n, &mut draw),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Each kind at each of its orders, small.
    fn small() -> Vec<Kernel> {
        let mut kernels = Vec::new();
        for kind in Kind::ALL {
            let orders: Vec<Option<u32>> = match kind.orders() {
                Some(orders) => orders.map(Some).collect(),
                None => vec![None],
            };
            for order in orders {
                kernels.push(Kernel {
                    kind,
                    points: 12,
                    raman_points: kind.convolves().then_some(24),
                    order,
                });
            }
        }
        kernels
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!(Kind::from_name("fft"), None);
    }

    #[test]
    fn an_example_is_finite_and_the_same_each_time() {
        for kernel in small() {
            let example = kernel.example();
            assert_eq!(example, kernel.example());
            for values in [&example.input, &example.output] {
                assert!(!values.is_empty());
                assert!(values.iter().all(|value| value.is_finite()), "{kernel:?}");
            }
        }
    }

    #[test]
    fn the_arrays_have_the_lengths_of_the_header() {
        // n = 12, m = 24, p the order; in doubles.
        let lengths = |kernel: Kernel| {
            let p = kernel.order.unwrap_or(0) as usize;
            match kernel.kind {
                Kind::FftForward | Kind::FftInverse => (24, 24),
                Kind::RfftForward => (12, 14),
                Kind::RfftInverse => (14, 12),
                Kind::Intensity => (24, 24),
                Kind::RamanConvolution => (26 + 24, 24),
                Kind::RamanProduct => (52, 26),
                Kind::Polarise => (1 + 24 + 12 + 12, 24),
                Kind::Exponentials => (1 + 12, 24),
                Kind::Moments => (1 + 12, 24 * (p + 2)),
                Kind::SumSquares => (24, 1),
                Kind::RkStage => (1 + 24 * (5 + p), 24 * if p == 5 { 3 } else { 2 }),
                Kind::AdamsPredict => (p + 24 * (2 + 2 * p), 48),
                Kind::AdamsCorrect => (5 * 24, 2 + 48),
                Kind::Absorb => (12 + 12 + 24, 1 + 24),
                Kind::RkError => (1 + 3 * 24, 1 + 48),
            }
        };
        for kernel in small() {
            let example = kernel.example();
            let found = (example.input.len(), example.output.len());
            assert_eq!(found, lengths(kernel), "{kernel:?}");
        }
    }
}
