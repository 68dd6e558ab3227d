//! The view of `kernels.h`: single operations of the library.

use std::ffi::{c_char, c_void};
use std::mem::{offset_of, size_of};

use super::{FftWisdom, FieldLayout, entry, field_size};

/// Version of area `kernels` that this view is of.
pub const KERNELS_ABI: i32 = 1;

#[repr(C)]
pub struct KernelProblem {
    pub struct_size: i64,
    pub kind: i32,
    pub order: i32,
    pub points: i64,
    pub raman_points: i64,
}

#[repr(C)]
#[derive(Default)]
pub struct KernelWork {
    pub struct_size: i64,
    pub flops: f64,
    pub bytes: f64,
    pub threads_observed: i64,
}

/// A kernel; only ever behind a pointer.
#[repr(C)]
pub struct KernelHandle {
    _opaque: [u8; 0],
    _not_send: std::marker::PhantomData<*mut c_void>,
}

pub type KernelCreate =
    unsafe extern "C" fn(*const KernelProblem, i64, *mut FftWisdom, *mut *mut KernelHandle) -> i32;
pub type KernelDestroy = unsafe extern "C" fn(*mut KernelHandle);
pub type KernelLength = unsafe extern "C" fn(*const KernelHandle) -> i64;
pub type KernelSetInput = unsafe extern "C" fn(*mut KernelHandle, *const f64, i64) -> i32;
pub type KernelRun = unsafe extern "C" fn(*mut KernelHandle, i64) -> i32;
pub type KernelGetOutput = unsafe extern "C" fn(*const KernelHandle, *mut f64, i64) -> i32;
pub type KernelGetWork = unsafe extern "C" fn(*const KernelHandle, *mut KernelWork) -> i32;
pub type KernelFftPlans = unsafe extern "C" fn(*const KernelHandle) -> *const c_char;

/// This worker's layout of the structures of area `kernels`.
pub fn kernel_layouts() -> Vec<FieldLayout> {
    let mut list = Vec::new();
    layout!(
        list,
        "longrun_kernel_problem",
        KernelProblem,
        [struct_size, kind, order, points, raman_points]
    );
    layout!(
        list,
        "longrun_kernel_work",
        KernelWork,
        [struct_size, flops, bytes, threads_observed]
    );
    list
}
