//! One loaded native library.

mod later;

pub(super) use later::{CrossSection, Parts};

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::abi;
use crate::engine::EngineError;

/// What a library must be before it is used.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Build key that it must carry.
    pub build_key: &'a str,
}

/// A native library: loaded, checked, never closed.
pub struct NativeLibrary {
    // Leaked on purpose: the library's threads and its FFT provider's state outlive any handle.
    library: &'static Library,
    path: PathBuf,
    build_key: String,
    abi_versions: [i32; 16],
    layouts: Vec<abi::FieldLayout>,
    last_error: abi::Text,
    fft_provider: String,
    optics: OnceLock<Optics>,
    fft: OnceLock<Fft>,
    kernels: OnceLock<Kernels>,
}

/// What a library must have of an area before it is used.
struct Area {
    name: &'static str,
    index: usize,
    version: i32,
    layouts: fn() -> Vec<abi::FieldLayout>,
}

static OPTICS: Area = Area {
    name: "optics",
    index: abi::AREA_OPTICS,
    version: abi::OPTICS_ABI,
    layouts: abi::optics_layouts,
};

static FFT: Area = Area {
    name: "fft",
    index: abi::AREA_FFT,
    version: abi::FFT_ABI,
    layouts: abi::fft_layouts,
};

static KERNELS: Area = Area {
    name: "kernels",
    index: abi::AREA_KERNELS,
    version: abi::KERNELS_ABI,
    layouts: abi::kernel_layouts,
};

/// The functions of area `fft`.
#[derive(Clone, Copy)]
pub(super) struct Fft {
    pub wisdom_import: abi::WisdomImport,
    pub wisdom_export: abi::WisdomExport,
    pub wisdom_counts: abi::WisdomCounts,
    pub wisdom_destroy: abi::WisdomDestroy,
    pub last_error: abi::Text,
}

/// The functions of area `optics`.
#[derive(Clone, Copy)]
pub(super) struct Optics {
    pub gnlse_create: abi::GnlseCreate,
    pub destroy: abi::Destroy,
    pub size: abi::Size,
    pub set_state: abi::SetState,
    pub advance: abi::Advance,
    pub observe: abi::Observe,
    pub get_state: abi::GetState,
    pub get_counts: abi::GetCounts,
    pub get_steps: abi::GetSteps,
    pub fft_plans: abi::FftPlans,
    pub bare_evaluations: abi::Bare,
    pub bare_transforms: abi::Bare,
    pub source_bytes: abi::Size,
    pub last_error: abi::Text,
}

/// The functions of area `kernels`.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    pub create: abi::KernelCreate,
    pub destroy: abi::KernelDestroy,
    pub inputs: abi::KernelLength,
    pub outputs: abi::KernelLength,
    pub set_input: abi::KernelSetInput,
    pub run: abi::KernelRun,
    pub get_output: abi::KernelGetOutput,
    pub get_work: abi::KernelGetWork,
    pub fft_plans: abi::KernelFftPlans,
    pub last_error: abi::Text,
}

impl NativeLibrary {
    /// Loads the library at `path` and checks magic, ABI of area `core`, layouts and build key.
    pub fn load(path: &Path, expected: Expected<'_>) -> Result<Self, EngineError> {
        let refuse = |cause: String| {
            EngineError::new(
                format!("load the native library `{}`", path.display()),
                cause,
            )
        };
        // SAFETY: loading runs the initialisers of the file that the request names as a native
        // library; they are those of its C++ runtime and FFT provider, which have no precondition.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
            .map_err(|error| refuse(format!("{error}; build it with `cargo xtask build`")))?;
        let library: &'static Library = Box::leak(Box::new(library));
        let core = Core::resolve(library).map_err(&refuse)?;
        let (build_key, abi_versions) = core.identity().map_err(&refuse)?;
        check_abi("core", abi_versions[abi::AREA_CORE], abi::CORE_ABI).map_err(&refuse)?;
        let layouts = core.layouts();
        check_layouts(&abi::core_layouts(), &layouts).map_err(&refuse)?;
        if build_key != expected.build_key {
            return Err(refuse(format!(
                "it carries the build key `{build_key}` and the request asks for `{}`; build it \
                 anew with `cargo xtask build`",
                expected.build_key
            )));
        }
        Ok(NativeLibrary {
            library,
            path: path.to_owned(),
            build_key,
            abi_versions,
            layouts,
            last_error: core.last_error,
            fft_provider: core.fft_provider(),
            optics: OnceLock::new(),
            fft: OnceLock::new(),
            kernels: OnceLock::new(),
        })
    }

    /// Build key that the library carries.
    pub fn build_key(&self) -> &str {
        &self.build_key
    }

    /// FFT provider and version, as the library names it.
    pub fn fft_provider(&self) -> &str {
        &self.fft_provider
    }

    /// Version of each area that this worker uses and the library has, by name.
    pub fn abi(&self) -> BTreeMap<String, i32> {
        let core = [("core", abi::AREA_CORE)];
        let others = [&OPTICS, &FFT, &KERNELS].map(|area| (area.name, area.index));
        core.into_iter()
            .chain(others)
            .map(|(name, index)| (name.to_owned(), self.abi_versions[index]))
            .filter(|(_, version)| *version != 0)
            .collect()
    }

    /// The functions of an area, checked and resolved at the first call.
    fn area<T: Copy>(
        &self,
        area: &Area,
        known: &OnceLock<T>,
        resolve: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, EngineError> {
        if let Some(functions) = known.get() {
            return Ok(*functions);
        }
        let resolved = check_abi(area.name, self.abi_versions[area.index], area.version)
            .and_then(|()| check_layouts(&(area.layouts)(), &self.layouts))
            .and_then(|()| resolve());
        match resolved {
            Ok(functions) => Ok(*known.get_or_init(|| functions)),
            Err(cause) => {
                let attempt = format!("use area `{}` of `{}`", area.name, self.path.display());
                Err(EngineError::new(attempt, cause))
            }
        }
    }

    /// The functions of area `fft`.
    pub(super) fn fft(&self) -> Result<Fft, EngineError> {
        self.area(&FFT, &self.fft, || self.resolve_fft())
    }

    fn resolve_fft(&self) -> Result<Fft, String> {
        let library = self.library;
        // SAFETY: each type is the one that `fft.h` of the ABI version just checked declares for
        // the name beside it, and the library is never closed.
        unsafe {
            Ok(Fft {
                wisdom_import: symbol(library, "longrun_fft_wisdom_import")?,
                wisdom_export: symbol(library, "longrun_fft_wisdom_export")?,
                wisdom_counts: symbol(library, "longrun_fft_wisdom_counts")?,
                wisdom_destroy: symbol(library, "longrun_fft_wisdom_destroy")?,
                last_error: self.last_error,
            })
        }
    }

    /// The functions of area `optics`.
    pub(super) fn optics(&self) -> Result<Optics, EngineError> {
        self.area(&OPTICS, &self.optics, || self.resolve_optics())
    }

    /// The functions of area `kernels`.
    pub(super) fn kernels(&self) -> Result<Kernels, EngineError> {
        self.area(&KERNELS, &self.kernels, || self.resolve_kernels())
    }

    fn resolve_kernels(&self) -> Result<Kernels, String> {
        let library = self.library;
        // SAFETY: each type is the one that `kernels.h` of the ABI version just checked declares
        // for the name beside it, and the library is never closed.
        unsafe {
            Ok(Kernels {
                create: symbol(library, "longrun_kernel_create")?,
                destroy: symbol(library, "longrun_kernel_destroy")?,
                inputs: symbol(library, "longrun_kernel_inputs")?,
                outputs: symbol(library, "longrun_kernel_outputs")?,
                set_input: symbol(library, "longrun_kernel_set_input")?,
                run: symbol(library, "longrun_kernel_run")?,
                get_output: symbol(library, "longrun_kernel_get_output")?,
                get_work: symbol(library, "longrun_kernel_get_work")?,
                fft_plans: symbol(library, "longrun_kernel_fft_plans")?,
                last_error: self.last_error,
            })
        }
    }

    fn resolve_optics(&self) -> Result<Optics, String> {
        let library = self.library;
        // SAFETY: each type is the one that `optics.h` of the ABI version just checked declares
        // for the name beside it, and the library is never closed.
        unsafe {
            Ok(Optics {
                gnlse_create: symbol(library, "longrun_gnlse_create")?,
                destroy: symbol(library, "longrun_propagation_destroy")?,
                size: symbol(library, "longrun_propagation_size")?,
                set_state: symbol(library, "longrun_propagation_set_state")?,
                advance: symbol(library, "longrun_propagation_advance")?,
                observe: symbol(library, "longrun_propagation_observe")?,
                get_state: symbol(library, "longrun_propagation_get_state")?,
                get_counts: symbol(library, "longrun_propagation_get_counts")?,
                get_steps: symbol(library, "longrun_propagation_get_steps")?,
                fft_plans: symbol(library, "longrun_propagation_fft_plans")?,
                bare_evaluations: symbol(library, "longrun_propagation_bare_evaluations")?,
                bare_transforms: symbol(library, "longrun_propagation_bare_transforms")?,
                source_bytes: symbol(library, "longrun_propagation_source_bytes")?,
                last_error: self.last_error,
            })
        }
    }
}

/// The functions of area `core`.
struct Core {
    get_identity: abi::GetIdentity,
    layouts: abi::Layouts,
    last_error: abi::Text,
    fft_provider: abi::Text,
}

impl Core {
    fn resolve(library: &'static Library) -> Result<Self, String> {
        // SAFETY: each type is the one that `core.h` declares for the name beside it, and the
        // library is never closed.
        unsafe {
            Ok(Core {
                get_identity: symbol(library, "longrun_get_identity")?,
                layouts: symbol(library, "longrun_layouts")?,
                last_error: symbol(library, "longrun_last_error")?,
                fft_provider: symbol(library, "longrun_fft_provider")?,
            })
        }
    }

    /// Build key and ABI versions, if the magic is right.
    fn identity(&self) -> Result<(String, [i32; 16]), String> {
        // SAFETY: the function takes nothing and returns null or a static identity.
        let identity = unsafe { (self.get_identity)().as_ref() }
            .ok_or("it has no identity; it is not a library of Longrun")?;
        if !identity
            .magic
            .iter()
            .map(|c| c.cast_unsigned())
            .eq(*abi::MAGIC)
        {
            return Err("its identity has another magic; it is not a library of Longrun".into());
        }
        let bytes: Vec<u8> = identity
            .build_key
            .iter()
            .map(|c| c.cast_unsigned())
            .take_while(|byte| *byte != 0)
            .collect();
        Ok((String::from_utf8_lossy(&bytes).into_owned(), identity.abi))
    }

    fn layouts(&self) -> Vec<abi::FieldLayout> {
        let mut count = 0_i64;
        // SAFETY: `count` is a valid place for the number that the function writes.
        let first = unsafe { (self.layouts)(&raw mut count) };
        let count = usize::try_from(count).unwrap_or(0);
        if first.is_null() {
            return Vec::new();
        }
        // SAFETY: the function returns a static table of `count` entries.
        let entries = unsafe { std::slice::from_raw_parts(first, count) };
        let layout = |entry: &abi::Layout| abi::FieldLayout {
            structure: text(entry.structure),
            field: text(entry.field),
            offset: entry.offset,
            size: entry.size,
        };
        entries.iter().map(layout).collect()
    }

    fn fft_provider(&self) -> String {
        // SAFETY: the function takes nothing and returns a static text.
        text(unsafe { (self.fft_provider)() })
    }
}

/// A text that the library owns, copied; empty for null.
pub(super) fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: every text of the ABI is null or ends with a zero byte, and lives until the next
    // call into the library by this thread at least.
    unsafe { CStr::from_ptr(pointer) }
        .to_string_lossy()
        .into_owned()
}

/// An error with the sentence of the library, unless `status` is 0.
pub(super) fn check_status(
    last_error: abi::Text,
    status: i32,
    attempt: &str,
) -> Result<(), EngineError> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the function takes nothing and returns a text of this thread's last failure.
    let sentence = text(unsafe { last_error() });
    let cause = format!(
        "{sentence} ({}, status {status})",
        abi::status_words(status)
    );
    Err(EngineError::new(attempt, cause))
}

/// A length as the ABI counts. Lengths of slices always fit.
pub(super) fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// A function of the library as a plain pointer.
///
/// # Safety
///
/// `T` is the type of the pointer to the function `name`.
unsafe fn symbol<T: Copy>(library: &'static Library, name: &str) -> Result<T, String> {
    // SAFETY: the caller states the type of the function.
    let found = unsafe { library.get::<T>(name.as_bytes()) };
    found
        .map(|symbol| *symbol)
        .map_err(|error| format!("it has no function `{name}` ({error})"))
}

fn check_layouts(ours: &[abi::FieldLayout], theirs: &[abi::FieldLayout]) -> Result<(), String> {
    match abi::layout_difference(ours, theirs) {
        None => Ok(()),
        Some(difference) => Err(format!(
            "{difference}; build worker and library from one revision"
        )),
    }
}

fn check_abi(area: &str, library: i32, worker: i32) -> Result<(), String> {
    if library == worker {
        return Ok(());
    }
    let has = match library {
        0 => format!("it has no area `{area}`"),
        _ => format!("it has version {library} of area `{area}`"),
    };
    Err(format!(
        "{has} and this worker uses version {worker}; build both from one revision"
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_area_of_another_version_is_refused_with_both_versions() {
        assert_eq!(check_abi("optics", 1, 1), Ok(()));
        let missing = check_abi("optics", 0, 1).unwrap_err();
        assert!(missing.contains("no area `optics`"), "{missing}");
        let newer = check_abi("optics", 3, 1).unwrap_err();
        assert!(
            newer.contains("version 3") && newer.contains("version 1"),
            "{newer}"
        );
    }

    #[test]
    fn a_file_that_does_not_exist_is_named() {
        let expected = Expected { build_key: "k" };
        let error = NativeLibrary::load(Path::new("/nowhere/lib.so"), expected)
            .err()
            .unwrap();
        assert!(error.to_string().contains("`/nowhere/lib.so`"), "{error}");
    }
}
