//! One kernel of the library, owned.

use std::ptr::{self, NonNull};

use super::abi;
use super::library::{Kernels, NativeLibrary, check_status, count, text};
use super::wisdom::Wisdom;
use crate::engine::EngineError;
use crate::kernels::{Kernel, Kind, Routine, Work};

/// A kernel with its arrays and its input. Freed when dropped; used by one thread at a time.
pub struct NativeKernel {
    kernels: Kernels,
    handle: NonNull<abi::KernelHandle>,
    outputs: usize,
}

impl NativeKernel {
    /// Allocates everything, plans the FFTs from `wisdom`, which must be of the same library, and
    /// copies the input, which must be as long as the kernel says.
    pub fn create(
        library: &NativeLibrary,
        kernel: &Kernel,
        input: &[f64],
        threads: u32,
        wisdom: Option<&mut Wisdom>,
    ) -> Result<Self, EngineError> {
        let attempt = "build the kernel";
        let kernels = library.kernels()?;
        let refuse = |cause: String| Err(EngineError::new(attempt, cause));
        let problem = abi::KernelProblem {
            struct_size: count(size_of::<abi::KernelProblem>()),
            kind: number(kernel.kind),
            order: match kernel.order.map(i32::try_from) {
                Some(Ok(order)) => order,
                Some(Err(_)) => return refuse("its order is no number of the library".to_owned()),
                None => 0,
            },
            points: count(kernel.points),
            raman_points: kernel.raman_points.map_or(0, count),
        };
        let wisdom = wisdom.map_or(ptr::null_mut(), Wisdom::handle);
        let mut handle = ptr::null_mut();
        // SAFETY: the structure has the layout that was checked when the area was first used, and
        // `handle` is a place for a pointer; `wisdom` is null or a live handle, borrowed for this.
        let status = unsafe {
            let place = &raw mut handle;
            (kernels.create)(&raw const problem, i64::from(threads), wisdom, place)
        };
        check_status(kernels.last_error, status, attempt)?;
        let Some(handle) = NonNull::new(handle) else {
            return refuse("the library returned no handle".to_owned());
        };
        let mut kernel = NativeKernel {
            kernels,
            handle,
            outputs: 0,
        };
        kernel.set_input(input)?;
        // SAFETY: the handle is live.
        let outputs = unsafe { (kernels.outputs)(handle.as_ptr()) };
        match usize::try_from(outputs) {
            Ok(outputs) => kernel.outputs = outputs,
            Err(_) => return refuse(format!("its output has {outputs} values")),
        }
        Ok(kernel)
    }

    /// Numbers of the output.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    fn set_input(&mut self, input: &[f64]) -> Result<(), EngineError> {
        let attempt = "set the input of the kernel";
        // SAFETY: the handle is live.
        let inputs = unsafe { (self.kernels.inputs)(self.handle.as_ptr()) };
        if inputs != count(input.len()) {
            let cause = format!("{} values were given, it has {inputs}", input.len());
            return Err(EngineError::new(attempt, cause));
        }
        // SAFETY: the handle is live, and `input` has as many values as the library reads.
        let status = unsafe {
            (self.kernels.set_input)(self.handle.as_ptr(), input.as_ptr(), count(input.len()))
        };
        self.check(status, attempt)
    }

    fn check(&self, status: i32, attempt: &str) -> Result<(), EngineError> {
        check_status(self.kernels.last_error, status, attempt)
    }
}

impl Routine for NativeKernel {
    fn run(&mut self, ops: u64) -> Result<(), EngineError> {
        let attempt = "run the kernel";
        let Ok(ops) = i64::try_from(ops) else {
            return Err(EngineError::new(
                attempt,
                format!("{ops} times are too many"),
            ));
        };
        // SAFETY: the handle is live.
        let status = unsafe { (self.kernels.run)(self.handle.as_ptr(), ops) };
        self.check(status, attempt)
    }

    fn output(&self, values: &mut [f64]) -> Result<(), EngineError> {
        let attempt = "read the output of the kernel";
        if values.len() != self.outputs {
            let cause = format!(
                "{} values were asked for, it has {}",
                values.len(),
                self.outputs
            );
            return Err(EngineError::new(attempt, cause));
        }
        // SAFETY: the handle is live, and `values` has as many places as the library writes.
        let status = unsafe {
            let (place, length) = (values.as_mut_ptr(), count(values.len()));
            (self.kernels.get_output)(self.handle.as_ptr(), place, length)
        };
        self.check(status, attempt)
    }

    fn work(&self) -> Result<Work, EngineError> {
        let attempt = "read the work of the kernel";
        let mut work = abi::KernelWork {
            struct_size: count(size_of::<abi::KernelWork>()),
            ..Default::default()
        };
        // SAFETY: the handle is live and `work` says its size.
        let status = unsafe { (self.kernels.get_work)(self.handle.as_ptr(), &raw mut work) };
        self.check(status, attempt)?;
        let counted = |value: f64| (value.is_finite() && value >= 0.0).then_some(value);
        Ok(Work {
            flops: counted(work.flops),
            bytes: counted(work.bytes),
            threads_observed: u32::try_from(work.threads_observed).ok(),
        })
    }

    fn fft_plans(&self) -> String {
        // SAFETY: the handle is live, and the text is copied before it can be freed.
        text(unsafe { (self.kernels.fft_plans)(self.handle.as_ptr()) })
    }
}

impl Drop for NativeKernel {
    fn drop(&mut self) {
        // SAFETY: the handle is live, and nothing uses it after this.
        unsafe { (self.kernels.destroy)(self.handle.as_ptr()) }
    }
}

/// `LONGRUN_KERNEL_…` of a kind.
fn number(kind: Kind) -> i32 {
    match kind {
        Kind::FftForward => 1,
        Kind::FftInverse => 2,
        Kind::RfftForward => 3,
        Kind::RfftInverse => 4,
        Kind::Intensity => 5,
        Kind::RamanConvolution => 6,
        Kind::RamanProduct => 7,
        Kind::Polarise => 8,
        Kind::Exponentials => 9,
        Kind::Moments => 10,
        Kind::SumSquares => 11,
        Kind::RkStage => 12,
        Kind::AdamsPredict => 13,
        Kind::AdamsCorrect => 14,
        Kind::Absorb => 15,
        Kind::RkError => 16,
    }
}
