//! FFT plans that outlive a process.

use std::ptr::{self, NonNull};

use super::abi;
use super::library::{Fft, NativeLibrary, check_status, count};
use crate::engine::EngineError;

/// What is done for a transform that the wisdom does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// It is planned as without wisdom; the wisdom stays as it is.
    Run,
    /// It is planned with more effort, and added.
    Prepare,
}

/// FFT wisdom of one library. Freed when dropped.
pub struct Wisdom {
    fft: Fft,
    handle: NonNull<abi::FftWisdom>,
}

/// What has been planned with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WisdomCounts {
    /// Plans made with it.
    pub plans: u32,
    /// Of these, how many it did not hold.
    pub missing: u32,
    /// Transforms that it holds more than when it was read.
    pub added: u32,
}

impl Wisdom {
    /// Wisdom from the bytes of an earlier [`Wisdom::export`]; none: nothing is known.
    pub fn import(
        library: &NativeLibrary,
        bytes: &[u8],
        effort: Effort,
    ) -> Result<Self, EngineError> {
        let attempt = "import FFT wisdom";
        let fft = library.fft()?;
        let effort = match effort {
            Effort::Run => abi::FFT_RUN,
            Effort::Prepare => abi::FFT_PREPARE,
        };
        let mut handle = ptr::null_mut();
        // SAFETY: the text has as many bytes as are said, and `handle` is a place for a pointer.
        let status = unsafe {
            let (text, length) = (bytes.as_ptr().cast(), count(bytes.len()));
            (fft.wisdom_import)(text, length, effort, &raw mut handle)
        };
        check_status(fft.last_error, status, attempt)?;
        let handle = NonNull::new(handle)
            .ok_or_else(|| EngineError::new(attempt, "the library returned no handle"))?;
        Ok(Wisdom { fft, handle })
    }

    /// Everything that is known, for a later [`Wisdom::import`].
    pub fn export(&mut self) -> Result<Vec<u8>, EngineError> {
        let attempt = "export FFT wisdom";
        let (mut text, mut length) = (ptr::null(), 0_i64);
        // SAFETY: the handle is live, and the two places are for a pointer and a number.
        let status = unsafe {
            (self.fft.wisdom_export)(self.handle.as_ptr(), &raw mut text, &raw mut length)
        };
        check_status(self.fft.last_error, status, attempt)?;
        let length = usize::try_from(length)
            .map_err(|_| EngineError::new(attempt, format!("its length is {length}")))?;
        if text.is_null() {
            return Err(EngineError::new(attempt, "the library returned no text"));
        }
        // SAFETY: the text has `length` bytes and lives until the next call with the handle.
        Ok(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) }.to_vec())
    }

    /// What has been planned since the import.
    pub fn counts(&self) -> Result<WisdomCounts, EngineError> {
        let attempt = "read the counts of FFT wisdom";
        let mut counts = abi::FftCounts {
            struct_size: count(size_of::<abi::FftCounts>()),
            ..Default::default()
        };
        // SAFETY: the handle is live and `counts` says its size.
        let status = unsafe { (self.fft.wisdom_counts)(self.handle.as_ptr(), &raw mut counts) };
        check_status(self.fft.last_error, status, attempt)?;
        let natural = |value: i64| {
            u32::try_from(value)
                .map_err(|_| EngineError::new(attempt, format!("a count is {value}")))
        };
        Ok(WisdomCounts {
            plans: natural(counts.plans)?,
            missing: natural(counts.missing)?,
            added: natural(counts.added)?,
        })
    }

    pub(super) fn handle(&mut self) -> *mut abi::FftWisdom {
        self.handle.as_ptr()
    }
}

impl Drop for Wisdom {
    fn drop(&mut self) {
        // SAFETY: the handle is live, and nothing uses it after this: engines keep none of it.
        unsafe { (self.fft.wisdom_destroy)(self.handle.as_ptr()) }
    }
}
