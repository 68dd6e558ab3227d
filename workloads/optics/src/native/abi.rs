//! This worker's view of `native/include/longrun/*.h`: structures, signatures and constants.
//!
//! Nothing is called here. [`core_layouts`] and its like list sizes and offsets of every structure,
//! to be compared with the table that a library exports.

use std::ffi::{c_char, c_void};
use std::mem::{offset_of, size_of};

pub use cartesian::*;
pub use guided::*;
pub use kernels::*;

/// Version of area `core` that this view is of.
pub const CORE_ABI: i32 = 1;
/// Version of area `optics` that this view is of.
pub const OPTICS_ABI: i32 = 2;
/// Version of area `fft` that this view is of.
pub const FFT_ABI: i32 = 1;
/// Index of area `core` in [`Identity::abi`].
pub const AREA_CORE: usize = 0;
/// Index of area `optics` in [`Identity::abi`].
pub const AREA_OPTICS: usize = 1;
/// Index of area `fft` in [`Identity::abi`].
pub const AREA_FFT: usize = 2;
/// Index of area `kernels` in [`Identity::abi`].
pub const AREA_KERNELS: usize = 3;
/// The first bytes of an identity.
pub const MAGIC: &[u8; 16] = b"longrun-identity";
/// `LONGRUN_STEPPER_RK`.
pub const STEPPER_RK: i32 = 1;
/// `LONGRUN_STEPPER_RK4IP`.
pub const STEPPER_RK4IP: i32 = 2;
/// `LONGRUN_STEPPER_MULTISTEP`.
pub const STEPPER_MULTISTEP: i32 = 3;
/// `LONGRUN_STEPPER_MULTISTEP_INTERACTION`.
pub const STEPPER_MULTISTEP_INTERACTION: i32 = 4;

/// `LONGRUN_FFT_RUN`.
pub const FFT_RUN: i32 = 0;
/// `LONGRUN_FFT_PREPARE`.
pub const FFT_PREPARE: i32 = 1;

/// Meaning of a status that is not 0.
pub fn status_words(status: i32) -> &'static str {
    match status {
        1 => "invalid argument",
        2 => "out of memory",
        3 => "not finite",
        4 => "step failed",
        5 => "defect of the library",
        _ => "unknown status",
    }
}

#[repr(C)]
pub struct Identity {
    pub magic: [c_char; 16],
    pub build_key: [c_char; 72],
    pub abi: [i32; 16],
}

#[repr(C)]
pub struct Layout {
    pub structure: *const c_char,
    pub field: *const c_char,
    pub offset: i64,
    pub size: i64,
}

#[repr(C)]
pub struct Stepper {
    pub struct_size: i64,
    pub kind: i32,
    pub order: i32,
    pub length_m: f64,
    pub rtol: f64,
    pub atol: f64,
    pub initial_step_m: f64,
    pub max_step_m: f64,
    pub schedule_m: *const f64,
    pub schedule_count: i64,
}

#[repr(C)]
pub struct GnlseProblem {
    pub struct_size: i64,
    pub points: i64,
    pub time_step_s: f64,
    pub carrier_rad_s: f64,
    pub linear: *const f64,
    pub source: *const f64,
    pub time_window: *const f64,
    pub kerr_fraction: f64,
    pub raman_fraction: f64,
    pub raman_points: i64,
    pub raman: *const f64,
    pub absorb_spectral: *const f64,
    pub absorb_temporal: *const f64,
}

#[repr(C)]
#[derive(Default)]
pub struct Counts {
    pub struct_size: i64,
    pub accepted: i64,
    pub rejected: i64,
    pub evaluations: i64,
    pub absorptions: i64,
    pub observations: i64,
    pub absorb_ns: i64,
    pub observe_ns: i64,
    pub threads_observed: i64,
}

#[repr(C)]
#[derive(Default)]
pub struct PlaneStatistics {
    pub struct_size: i64,
    pub z_m: f64,
    pub energy_j: f64,
    pub photon_number: f64,
    pub peak_power_w: f64,
    pub peak_time_s: f64,
    pub mean_omega_rad_s: f64,
    pub rms_duration_s: f64,
}

#[repr(C)]
#[derive(Default)]
pub struct PropagationParts {
    pub struct_size: i64,
    pub fft_ns: i64,
    pub pointwise_ns: i64,
    pub stepper_ns: i64,
    pub absorb_ns: i64,
    pub observe_ns: i64,
}

#[repr(C)]
#[derive(Default)]
pub struct FftCounts {
    pub struct_size: i64,
    pub plans: i64,
    pub missing: i64,
    pub added: i64,
}

/// Wisdom; only ever behind a pointer.
#[repr(C)]
pub struct FftWisdom {
    _opaque: [u8; 0],
    _not_send: std::marker::PhantomData<*mut c_void>,
}

/// A propagation in progress; only ever behind a pointer.
#[repr(C)]
pub struct Handle {
    _opaque: [u8; 0],
    _not_send: std::marker::PhantomData<*mut c_void>,
}

pub type GetIdentity = unsafe extern "C" fn() -> *const Identity;
pub type Layouts = unsafe extern "C" fn(*mut i64) -> *const Layout;
pub type Text = unsafe extern "C" fn() -> *const c_char;
pub type GnlseCreate = unsafe extern "C" fn(
    *const GnlseProblem,
    *const Stepper,
    i64,
    *mut FftWisdom,
    *mut *mut Handle,
) -> i32;
pub type Destroy = unsafe extern "C" fn(*mut Handle);
pub type Size = unsafe extern "C" fn(*const Handle) -> i64;
pub type SetState = unsafe extern "C" fn(*mut Handle, f64, *const f64) -> i32;
pub type Advance = unsafe extern "C" fn(*mut Handle, f64, i64, *mut f64) -> i32;
pub type Observe = unsafe extern "C" fn(*mut Handle, f64, *mut PlaneStatistics, *mut f64) -> i32;
pub type GetState = unsafe extern "C" fn(*const Handle, *mut f64) -> i32;
pub type GetCounts = unsafe extern "C" fn(*const Handle, *mut Counts) -> i32;
pub type GetSteps = unsafe extern "C" fn(*const Handle, *mut f64, i64, *mut i64) -> i32;
pub type FftPlans = unsafe extern "C" fn(*const Handle) -> *const c_char;
pub type Bare = unsafe extern "C" fn(*mut Handle, i64, *mut i64) -> i32;
pub type TimeParts = unsafe extern "C" fn(*mut Handle, i32) -> i32;
/// May be lacking, as the next one and the function that tells the number of nodes.
pub type ObserveNodes = unsafe extern "C" fn(*mut Handle, f64, *mut f64, *mut f64) -> i32;
pub type GetEdgeEnergy = unsafe extern "C" fn(*const Handle, *mut f64) -> i32;
pub type GetParts = unsafe extern "C" fn(*const Handle, *mut PropagationParts) -> i32;

pub type WisdomImport = unsafe extern "C" fn(*const c_char, i64, i32, *mut *mut FftWisdom) -> i32;
pub type WisdomExport = unsafe extern "C" fn(*mut FftWisdom, *mut *const c_char, *mut i64) -> i32;
pub type WisdomCounts = unsafe extern "C" fn(*const FftWisdom, *mut FftCounts) -> i32;
pub type WisdomDestroy = unsafe extern "C" fn(*mut FftWisdom);

/// Size and offset of one field, or of a structure itself (`field` empty).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldLayout {
    pub structure: String,
    pub field: String,
    pub offset: i64,
    pub size: i64,
}

const fn field_size<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

fn entry(structure: &str, field: &str, offset: usize, size: usize) -> FieldLayout {
    // Sizes of structures fit; a view that did not would match no library.
    let number = |value| i64::try_from(value).unwrap_or(i64::MAX);
    FieldLayout {
        structure: structure.to_owned(),
        field: field.to_owned(),
        offset: number(offset),
        size: number(size),
    }
}

macro_rules! layout {
    ($list:ident, $name:literal, $type:ty, [$($field:ident),+ $(,)?]) => {
        $list.push(entry($name, "", 0, size_of::<$type>()));
        $($list.push(entry(
            $name,
            stringify!($field),
            offset_of!($type, $field),
            field_size(|structure: &$type| &structure.$field),
        ));)+
    };
}

mod cartesian;
mod guided;
mod kernels;

/// This worker's layout of the structures of area `core`.
pub fn core_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    layout!(list, "longrun_identity", Identity, [magic, build_key, abi]);
    layout!(
        list,
        "longrun_layout",
        Layout,
        [structure, field, offset, size]
    );
    list
}

/// This worker's layout of the structures of area `optics`.
pub fn optics_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    add_inputs(&mut list);
    add_results(&mut list);
    list
}

/// This worker's layout of what the parts of a propagation are told in. It came to area `optics`
/// later, so a library may be without it.
pub fn parts_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    layout!(
        list,
        "longrun_propagation_parts",
        PropagationParts,
        [
            struct_size,
            fft_ns,
            pointwise_ns,
            stepper_ns,
            absorb_ns,
            observe_ns,
        ]
    );
    list
}

/// This worker's layout of the structures of area `fft`.
pub fn fft_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    layout!(
        list,
        "longrun_fft_counts",
        FftCounts,
        [struct_size, plans, missing, added]
    );
    list
}

fn add_inputs(list: &mut Vec<FieldLayout>) {
    layout!(
        list,
        "longrun_stepper",
        Stepper,
        [
            struct_size,
            kind,
            order,
            length_m,
            rtol,
            atol,
            initial_step_m,
            max_step_m,
            schedule_m,
            schedule_count,
        ]
    );
    layout!(
        list,
        "longrun_gnlse_problem",
        GnlseProblem,
        [
            struct_size,
            points,
            time_step_s,
            carrier_rad_s,
            linear,
            source,
            time_window,
            kerr_fraction,
            raman_fraction,
            raman_points,
            raman,
            absorb_spectral,
            absorb_temporal,
        ]
    );
}

fn add_results(list: &mut Vec<FieldLayout>) {
    layout!(
        list,
        "longrun_propagation_counts",
        Counts,
        [
            struct_size,
            accepted,
            rejected,
            evaluations,
            absorptions,
            observations,
            absorb_ns,
            observe_ns,
            threads_observed,
        ]
    );
    layout!(
        list,
        "longrun_plane_statistics",
        PlaneStatistics,
        [
            struct_size,
            z_m,
            energy_j,
            photon_number,
            peak_power_w,
            peak_time_s,
            mean_omega_rad_s,
            rms_duration_s,
        ]
    );
}

/// The first difference between the structures in `ours` and the table of a library, in words.
///
/// Structures that only the library lists are of areas that this worker does not use.
pub fn layout_difference(ours: &[FieldLayout], theirs: &[FieldLayout]) -> Option<String> {
    for mine in ours {
        let same =
            |other: &&FieldLayout| other.structure == mine.structure && other.field == mine.field;
        let name = format!("`{}` field `{}`", mine.structure, mine.field);
        match theirs.iter().find(same) {
            None => return Some(format!("{name} is missing from the library")),
            Some(other) if other != mine => {
                return Some(format!(
                    "{name} is at {} with {} bytes in the library, at {} with {} bytes here",
                    other.offset, other.size, mine.offset, mine.size
                ));
            }
            Some(_) => {}
        }
    }
    let shared = |theirs: &&FieldLayout| ours.iter().any(|o| o.structure == theirs.structure);
    let unknown = theirs.iter().filter(shared).find(|theirs| {
        let same = |o: &FieldLayout| o.structure == theirs.structure && o.field == theirs.field;
        !ours.iter().any(same)
    });
    unknown.map(|field| {
        format!(
            "`{}` has an unknown field `{}`",
            field.structure, field.field
        )
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn layouts() -> Vec<FieldLayout> {
        let later = [
            parts_layouts(),
            guided_layouts(),
            cartesian_layouts(),
            kernel_layouts(),
        ]
        .concat();
        [core_layouts(), optics_layouts(), fft_layouts(), later].concat()
    }

    fn of(structure: &str) -> Vec<FieldLayout> {
        let all = layouts().into_iter();
        all.filter(|entry| entry.structure == structure).collect()
    }

    #[test]
    fn the_structures_have_the_sizes_that_the_headers_imply() {
        for (structure, size) in [
            ("longrun_identity", 16 + 72 + 64),
            ("longrun_layout", 32),
            ("longrun_stepper", 9 * 8),
            ("longrun_gnlse_problem", 13 * 8),
            ("longrun_propagation_counts", 9 * 8),
            ("longrun_plane_statistics", 8 * 8),
            ("longrun_fft_counts", 4 * 8),
            ("longrun_propagation_parts", 6 * 8),
            ("longrun_gradient", 17 * 8),
            ("longrun_rate_table", 6 * 8),
            ("longrun_guided_problem", 26 * 8),
            ("longrun_cartesian_problem", 26 * 8),
            ("longrun_kernel_problem", 4 * 8),
            ("longrun_kernel_work", 4 * 8),
        ] {
            let entries = of(structure);
            assert_eq!(
                (entries[0].field.as_str(), entries[0].size),
                ("", size),
                "{structure}"
            );
            let fields: i64 = entries[1..].iter().map(|entry| entry.size).sum();
            assert_eq!(fields, size, "{structure} has padding");
        }
    }

    #[test]
    fn equal_tables_do_not_differ_and_foreign_structures_are_ignored() {
        let mut theirs = layouts();
        theirs.push(entry("longrun_huber_problem", "rows", 0, 8));
        assert_eq!(layout_difference(&layouts(), &theirs), None);
    }

    #[test]
    fn a_moved_a_missing_and_an_added_field_are_named() {
        let mut moved = layouts();
        moved
            .iter_mut()
            .find(|entry| entry.field == "rtol")
            .unwrap()
            .offset = 40;
        let difference = layout_difference(&layouts(), &moved).unwrap();
        assert!(
            difference.contains("`longrun_stepper` field `rtol`"),
            "{difference}"
        );

        let mut missing = layouts();
        missing.retain(|entry| entry.field != "raman");
        let difference = layout_difference(&layouts(), &missing).unwrap();
        assert!(difference.contains("`raman` is missing"), "{difference}");

        let mut added = layouts();
        added.push(entry("longrun_stepper", "safety", 72, 8));
        let difference = layout_difference(&layouts(), &added).unwrap();
        assert!(
            difference.contains("unknown field `safety`"),
            "{difference}"
        );
    }
}
