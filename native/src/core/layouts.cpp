// Sizes and offsets of every structure of the ABI, so that a caller can check its own view.
#include <cstddef>

#include "longrun/core.h"
#include "longrun/fft.h"
#include "longrun/kernels.h"
#include "longrun/optics.h"

// Names and offsets come from one word, so that they cannot disagree.
#define LONGRUN_WHOLE(structure) \
    { #structure, "", 0, static_cast < int64_t>(sizeof(structure)) }
#define LONGRUN_FIELD(structure, field)                                         \
    {                                                                           \
#structure, #field, static_cast < int64_t>(offsetof(structure, field)), \
            static_cast < int64_t>(sizeof(structure::field))                    \
    }

namespace {

constexpr longrun_layout kLayouts[] = {
    LONGRUN_WHOLE(longrun_identity),
    LONGRUN_FIELD(longrun_identity, magic),
    LONGRUN_FIELD(longrun_identity, build_key),
    LONGRUN_FIELD(longrun_identity, abi),

    LONGRUN_WHOLE(longrun_layout),
    LONGRUN_FIELD(longrun_layout, structure),
    LONGRUN_FIELD(longrun_layout, field),
    LONGRUN_FIELD(longrun_layout, offset),
    LONGRUN_FIELD(longrun_layout, size),

    LONGRUN_WHOLE(longrun_stepper),
    LONGRUN_FIELD(longrun_stepper, struct_size),
    LONGRUN_FIELD(longrun_stepper, kind),
    LONGRUN_FIELD(longrun_stepper, order),
    LONGRUN_FIELD(longrun_stepper, length_m),
    LONGRUN_FIELD(longrun_stepper, rtol),
    LONGRUN_FIELD(longrun_stepper, atol),
    LONGRUN_FIELD(longrun_stepper, initial_step_m),
    LONGRUN_FIELD(longrun_stepper, max_step_m),
    LONGRUN_FIELD(longrun_stepper, schedule_m),
    LONGRUN_FIELD(longrun_stepper, schedule_count),

    LONGRUN_WHOLE(longrun_gnlse_problem),
    LONGRUN_FIELD(longrun_gnlse_problem, struct_size),
    LONGRUN_FIELD(longrun_gnlse_problem, points),
    LONGRUN_FIELD(longrun_gnlse_problem, time_step_s),
    LONGRUN_FIELD(longrun_gnlse_problem, carrier_rad_s),
    LONGRUN_FIELD(longrun_gnlse_problem, linear),
    LONGRUN_FIELD(longrun_gnlse_problem, source),
    LONGRUN_FIELD(longrun_gnlse_problem, time_window),
    LONGRUN_FIELD(longrun_gnlse_problem, kerr_fraction),
    LONGRUN_FIELD(longrun_gnlse_problem, raman_fraction),
    LONGRUN_FIELD(longrun_gnlse_problem, raman_points),
    LONGRUN_FIELD(longrun_gnlse_problem, raman),
    LONGRUN_FIELD(longrun_gnlse_problem, absorb_spectral),
    LONGRUN_FIELD(longrun_gnlse_problem, absorb_temporal),

    LONGRUN_WHOLE(longrun_gradient),
    LONGRUN_FIELD(longrun_gradient, struct_size),
    LONGRUN_FIELD(longrun_gradient, inlet_pa),
    LONGRUN_FIELD(longrun_gradient, outlet_pa),
    LONGRUN_FIELD(longrun_gradient, length_m),
    LONGRUN_FIELD(longrun_gradient, temperature_k),
    LONGRUN_FIELD(longrun_gradient, virial_m3),
    LONGRUN_FIELD(longrun_gradient, susceptibility),
    LONGRUN_FIELD(longrun_gradient, waveguide),
    LONGRUN_FIELD(longrun_gradient, carrier_susceptibility),
    LONGRUN_FIELD(longrun_gradient, susceptibility_slope),
    LONGRUN_FIELD(longrun_gradient, carrier_waveguide),
    LONGRUN_FIELD(longrun_gradient, waveguide_slope),
    LONGRUN_FIELD(longrun_gradient, index_min),
    LONGRUN_FIELD(longrun_gradient, max_loss_per_m),
    LONGRUN_FIELD(longrun_gradient, loss),
    LONGRUN_FIELD(longrun_gradient, over_index),

    LONGRUN_WHOLE(longrun_rate_table),
    LONGRUN_FIELD(longrun_rate_table, struct_size),
    LONGRUN_FIELD(longrun_rate_table, first_field_v_m),
    LONGRUN_FIELD(longrun_rate_table, step_v_m),
    LONGRUN_FIELD(longrun_rate_table, cells),
    LONGRUN_FIELD(longrun_rate_table, coefficients),
    LONGRUN_FIELD(longrun_rate_table, ionisation_energy_j),

    LONGRUN_WHOLE(longrun_guided_problem),
    LONGRUN_FIELD(longrun_guided_problem, struct_size),
    LONGRUN_FIELD(longrun_guided_problem, field),
    LONGRUN_FIELD(longrun_guided_problem, density_follows),
    LONGRUN_FIELD(longrun_guided_problem, points),
    LONGRUN_FIELD(longrun_guided_problem, fine_points),
    LONGRUN_FIELD(longrun_guided_problem, modes),
    LONGRUN_FIELD(longrun_guided_problem, nodes),
    LONGRUN_FIELD(longrun_guided_problem, time_step_s),
    LONGRUN_FIELD(longrun_guided_problem, carrier_rad_s),
    LONGRUN_FIELD(longrun_guided_problem, energy_scale),
    LONGRUN_FIELD(longrun_guided_problem, omega),
    LONGRUN_FIELD(longrun_guided_problem, synthesis),
    LONGRUN_FIELD(longrun_guided_problem, projection),
    LONGRUN_FIELD(longrun_guided_problem, linear),
    LONGRUN_FIELD(longrun_guided_problem, gradient),
    LONGRUN_FIELD(longrun_guided_problem, source),
    LONGRUN_FIELD(longrun_guided_problem, density),
    LONGRUN_FIELD(longrun_guided_problem, kerr),
    LONGRUN_FIELD(longrun_guided_problem, raman_points),
    LONGRUN_FIELD(longrun_guided_problem, raman),
    LONGRUN_FIELD(longrun_guided_problem, rates),
    LONGRUN_FIELD(longrun_guided_problem, absorb_spectral),
    LONGRUN_FIELD(longrun_guided_problem, absorb_temporal),
    LONGRUN_FIELD(longrun_guided_problem, time_window),
    LONGRUN_FIELD(longrun_guided_problem, absorb_length_m),
    LONGRUN_FIELD(longrun_guided_problem, carrier_bin),
    LONGRUN_FIELD(longrun_guided_problem, harmonic),

    LONGRUN_WHOLE(longrun_cartesian_problem),
    LONGRUN_FIELD(longrun_cartesian_problem, struct_size),
    LONGRUN_FIELD(longrun_cartesian_problem, points),
    LONGRUN_FIELD(longrun_cartesian_problem, fine_points),
    LONGRUN_FIELD(longrun_cartesian_problem, first_bin),
    LONGRUN_FIELD(longrun_cartesian_problem, bins),
    LONGRUN_FIELD(longrun_cartesian_problem, columns_x),
    LONGRUN_FIELD(longrun_cartesian_problem, columns_y),
    LONGRUN_FIELD(longrun_cartesian_problem, time_step_s),
    LONGRUN_FIELD(longrun_cartesian_problem, energy_scale),
    LONGRUN_FIELD(longrun_cartesian_problem, frame_s_per_m),
    LONGRUN_FIELD(longrun_cartesian_problem, evanescent_max_per_m),
    LONGRUN_FIELD(longrun_cartesian_problem, grazing),
    LONGRUN_FIELD(longrun_cartesian_problem, omega),
    LONGRUN_FIELD(longrun_cartesian_problem, wavenumber),
    LONGRUN_FIELD(longrun_cartesian_problem, strength),
    LONGRUN_FIELD(longrun_cartesian_problem, k_x),
    LONGRUN_FIELD(longrun_cartesian_problem, k_y),
    LONGRUN_FIELD(longrun_cartesian_problem, density),
    LONGRUN_FIELD(longrun_cartesian_problem, kerr),
    LONGRUN_FIELD(longrun_cartesian_problem, rates),
    LONGRUN_FIELD(longrun_cartesian_problem, absorb_spectral),
    LONGRUN_FIELD(longrun_cartesian_problem, absorb_temporal),
    LONGRUN_FIELD(longrun_cartesian_problem, absorb_x),
    LONGRUN_FIELD(longrun_cartesian_problem, absorb_y),
    LONGRUN_FIELD(longrun_cartesian_problem, time_window),
    LONGRUN_FIELD(longrun_cartesian_problem, absorb_length_m),

    LONGRUN_WHOLE(longrun_propagation_counts),
    LONGRUN_FIELD(longrun_propagation_counts, struct_size),
    LONGRUN_FIELD(longrun_propagation_counts, accepted),
    LONGRUN_FIELD(longrun_propagation_counts, rejected),
    LONGRUN_FIELD(longrun_propagation_counts, evaluations),
    LONGRUN_FIELD(longrun_propagation_counts, absorptions),
    LONGRUN_FIELD(longrun_propagation_counts, observations),
    LONGRUN_FIELD(longrun_propagation_counts, absorb_ns),
    LONGRUN_FIELD(longrun_propagation_counts, observe_ns),
    LONGRUN_FIELD(longrun_propagation_counts, threads_observed),

    LONGRUN_WHOLE(longrun_propagation_parts),
    LONGRUN_FIELD(longrun_propagation_parts, struct_size),
    LONGRUN_FIELD(longrun_propagation_parts, fft_ns),
    LONGRUN_FIELD(longrun_propagation_parts, pointwise_ns),
    LONGRUN_FIELD(longrun_propagation_parts, stepper_ns),
    LONGRUN_FIELD(longrun_propagation_parts, absorb_ns),
    LONGRUN_FIELD(longrun_propagation_parts, observe_ns),

    LONGRUN_WHOLE(longrun_plane_statistics),
    LONGRUN_FIELD(longrun_plane_statistics, struct_size),
    LONGRUN_FIELD(longrun_plane_statistics, z_m),
    LONGRUN_FIELD(longrun_plane_statistics, energy_j),
    LONGRUN_FIELD(longrun_plane_statistics, photon_number),
    LONGRUN_FIELD(longrun_plane_statistics, peak_power_w),
    LONGRUN_FIELD(longrun_plane_statistics, peak_time_s),
    LONGRUN_FIELD(longrun_plane_statistics, mean_omega_rad_s),
    LONGRUN_FIELD(longrun_plane_statistics, rms_duration_s),

    LONGRUN_WHOLE(longrun_fft_counts),
    LONGRUN_FIELD(longrun_fft_counts, struct_size),
    LONGRUN_FIELD(longrun_fft_counts, plans),
    LONGRUN_FIELD(longrun_fft_counts, missing),
    LONGRUN_FIELD(longrun_fft_counts, added),

    LONGRUN_WHOLE(longrun_kernel_problem),
    LONGRUN_FIELD(longrun_kernel_problem, struct_size),
    LONGRUN_FIELD(longrun_kernel_problem, kind),
    LONGRUN_FIELD(longrun_kernel_problem, order),
    LONGRUN_FIELD(longrun_kernel_problem, points),
    LONGRUN_FIELD(longrun_kernel_problem, raman_points),

    LONGRUN_WHOLE(longrun_kernel_work),
    LONGRUN_FIELD(longrun_kernel_work, struct_size),
    LONGRUN_FIELD(longrun_kernel_work, flops),
    LONGRUN_FIELD(longrun_kernel_work, bytes),
    LONGRUN_FIELD(longrun_kernel_work, threads_observed),
};

}  // namespace

extern "C" const longrun_layout* longrun_layouts(int64_t* count) {
    if (count != nullptr)
        *count = static_cast<int64_t>(sizeof(kLayouts) / sizeof(kLayouts[0]));
    return kLayouts;
}
