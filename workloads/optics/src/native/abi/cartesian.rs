//! The view of what `optics.h` has for a field over a plane. It came to area `optics` later, so a
//! library may be without it.

use std::mem::{offset_of, size_of};

use super::{FftWisdom, FieldLayout, Handle, RateTable, Stepper, entry, field_size};

#[repr(C)]
pub struct CartesianProblem {
    pub struct_size: i64,
    pub points: i64,
    pub fine_points: i64,
    pub first_bin: i64,
    pub bins: i64,
    pub columns_x: i64,
    pub columns_y: i64,
    pub time_step_s: f64,
    pub energy_scale: f64,
    pub frame_s_per_m: f64,
    pub evanescent_max_per_m: f64,
    pub grazing: f64,
    pub omega: *const f64,
    pub wavenumber: *const f64,
    pub strength: *const f64,
    pub k_x: *const f64,
    pub k_y: *const f64,
    pub density: f64,
    pub kerr: f64,
    pub rates: *const RateTable,
    pub absorb_spectral: *const f64,
    pub absorb_temporal: *const f64,
    pub absorb_x: *const f64,
    pub absorb_y: *const f64,
    pub time_window: *const f64,
    pub absorb_length_m: f64,
}

pub type CartesianCreate = unsafe extern "C" fn(
    *const CartesianProblem,
    *const Stepper,
    i64,
    *mut FftWisdom,
    *mut *mut Handle,
) -> i32;

/// This worker's layout of what such a problem is told in. The table of rates is of the guided
/// structures.
pub fn cartesian_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    layout!(
        list,
        "longrun_cartesian_problem",
        CartesianProblem,
        [
            struct_size,
            points,
            fine_points,
            first_bin,
            bins,
            columns_x,
            columns_y,
            time_step_s,
            energy_scale,
            frame_s_per_m,
            evanescent_max_per_m,
            grazing,
            omega,
            wavenumber,
            strength,
            k_x,
            k_y,
            density,
            kerr,
            rates,
            absorb_spectral,
            absorb_temporal,
            absorb_x,
            absorb_y,
            time_window,
            absorb_length_m,
        ]
    );
    list
}
