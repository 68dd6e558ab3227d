//! The view of what `optics.h` has for modes in a guide. It came to area `optics` later, so a
//! library may be without it.

use std::mem::{offset_of, size_of};

use super::{FftWisdom, FieldLayout, Handle, Stepper, entry, field_size};

/// `LONGRUN_FIELD_REAL`.
pub const FIELD_REAL: i32 = 1;
/// `LONGRUN_FIELD_ENVELOPE`.
pub const FIELD_ENVELOPE: i32 = 2;

#[repr(C)]
pub struct Gradient {
    pub struct_size: i64,
    pub inlet_pa: f64,
    pub outlet_pa: f64,
    pub length_m: f64,
    pub temperature_k: f64,
    pub virial_m3: f64,
    pub susceptibility: *const f64,
    pub waveguide: *const f64,
    pub carrier_susceptibility: f64,
    pub susceptibility_slope: f64,
    pub carrier_waveguide: [f64; 2],
    pub waveguide_slope: [f64; 2],
    pub index_min: f64,
    pub max_loss_per_m: f64,
    pub loss: i32,
    pub over_index: i32,
}

#[repr(C)]
pub struct RateTable {
    pub struct_size: i64,
    pub first_field_v_m: f64,
    pub step_v_m: f64,
    pub cells: i64,
    pub coefficients: *const f64,
    pub ionisation_energy_j: f64,
}

#[repr(C)]
pub struct GuidedProblem {
    pub struct_size: i64,
    pub field: i32,
    pub density_follows: i32,
    pub points: i64,
    pub fine_points: i64,
    pub modes: i64,
    pub nodes: i64,
    pub time_step_s: f64,
    pub carrier_rad_s: f64,
    pub energy_scale: f64,
    pub omega: *const f64,
    pub synthesis: *const f64,
    pub projection: *const f64,
    pub linear: *const f64,
    pub gradient: *const Gradient,
    pub source: *const f64,
    pub density: f64,
    pub kerr: f64,
    pub raman_points: i64,
    pub raman: *const f64,
    pub rates: *const RateTable,
    pub absorb_spectral: *const f64,
    pub absorb_temporal: *const f64,
    pub time_window: *const f64,
    pub absorb_length_m: f64,
    pub carrier_bin: i64,
    pub harmonic: *const f64,
}

pub type GuidedCreate = unsafe extern "C" fn(
    *const GuidedProblem,
    *const Stepper,
    i64,
    *mut FftWisdom,
    *mut *mut Handle,
) -> i32;

/// That of a beam around an axis in free space. It came later still.
pub type RadialCreate = unsafe extern "C" fn(
    *const GuidedProblem,
    *const f64,
    *const Stepper,
    i64,
    *mut FftWisdom,
    *mut *mut Handle,
) -> i32;

/// This worker's layout of what a guided problem is told in.
pub fn guided_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    add_medium(&mut list);
    layout!(
        list,
        "longrun_guided_problem",
        GuidedProblem,
        [
            struct_size,
            field,
            density_follows,
            points,
            fine_points,
            modes,
            nodes,
            time_step_s,
            carrier_rad_s,
            energy_scale,
            omega,
            synthesis,
            projection,
            linear,
            gradient,
            source,
            density,
            kerr,
            raman_points,
            raman,
            rates,
            absorb_spectral,
            absorb_temporal,
            time_window,
            absorb_length_m,
            carrier_bin,
            harmonic,
        ]
    );
    list
}

fn add_medium(list: &mut Vec<FieldLayout>) {
    layout!(
        list,
        "longrun_gradient",
        Gradient,
        [
            struct_size,
            inlet_pa,
            outlet_pa,
            length_m,
            temperature_k,
            virial_m3,
            susceptibility,
            waveguide,
            carrier_susceptibility,
            susceptibility_slope,
            carrier_waveguide,
            waveguide_slope,
            index_min,
            max_loss_per_m,
            loss,
            over_index,
        ]
    );
    layout!(
        list,
        "longrun_rate_table",
        RateTable,
        [
            struct_size,
            first_field_v_m,
            step_v_m,
            cells,
            coefficients,
            ionisation_energy_j,
        ]
    );
}
