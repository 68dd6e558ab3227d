//! The native library's own tests, run through ctest.

use crate::library;

#[test]
fn the_tests_of_the_native_library_pass() {
    library::run_ctest();
}
