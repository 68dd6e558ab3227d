#include "kernels/kinds.hpp"

#include "core/error.hpp"
#include "core/limits.hpp"
#include "kernels/operations.hpp"
#include "steppers/adams.hpp"
#include "steppers/dormand_prince_stage.hpp"

namespace longrun::kernels {
namespace {

constexpr int32_t kStage = dormand_prince::kLastSum;
constexpr auto kNever = Sharing::kNever;
constexpr auto kLarge = Sharing::kLargeOnes;
constexpr auto kAlways = Sharing::kAlways;

constexpr Kind kKinds[] = {
    {LONGRUN_KERNEL_FFT_FORWARD, 0, false, kNever, complex_transform, make_fft_forward},
    {LONGRUN_KERNEL_FFT_INVERSE, 0, false, kNever, complex_transform, make_fft_inverse},
    {LONGRUN_KERNEL_RFFT_FORWARD, 0, false, kNever, real_forward, make_rfft_forward},
    {LONGRUN_KERNEL_RFFT_INVERSE, 0, false, kNever, real_backward, make_rfft_inverse},
    {LONGRUN_KERNEL_INTENSITY, 0, true, kLarge, intensity_and_padding, make_intensity},
    {LONGRUN_KERNEL_RAMAN_CONVOLUTION, 0, true, kLarge, raman_convolution, make_raman_convolution},
    {LONGRUN_KERNEL_RAMAN_PRODUCT, 0, true, kLarge, raman_product, make_raman_product},
    {LONGRUN_KERNEL_POLARISE, 0, false, kLarge, polarisation, make_polarise},
    {LONGRUN_KERNEL_EXPONENTIALS, 0, false, kAlways, exponentials, make_exponentials},
    {LONGRUN_KERNEL_MOMENTS, kMomentMax, false, kAlways, moments, make_moments},
    {LONGRUN_KERNEL_SUM_SQUARES, 0, false, kAlways, sum_of_squares, make_sum_squares},
    {LONGRUN_KERNEL_RK_STAGE, kStage, false, kAlways, rk_stage, make_rk_stage},
    {LONGRUN_KERNEL_ADAMS_PREDICT, kAdamsOrderMax, false, kAlways, adams_prediction,
     make_adams_predict},
    {LONGRUN_KERNEL_ADAMS_CORRECT, 0, false, kAlways, adams_correction, make_adams_correct},
    {LONGRUN_KERNEL_ABSORB, 0, false, kLarge, absorption, make_absorb},
    {LONGRUN_KERNEL_RK_ERROR, 0, false, kAlways, rk_error, make_rk_error},
};

int32_t refuse(const char* name, const char* wanted) noexcept {
    return fail(LONGRUN_INVALID_ARGUMENT, "creating a kernel failed: `%s` must be %s", name,
                wanted);
}

int32_t check_order(const Kind& kind, int32_t order) noexcept {
    if (kind.order_max == 0)
        return order == 0 ? LONGRUN_OK : refuse("order", "0 for a kind that takes none");
    if (order >= 1 && order <= kind.order_max)
        return LONGRUN_OK;
    return fail(LONGRUN_INVALID_ARGUMENT,
                "creating a kernel failed: `order` must be from 1 to %d for this kind",
                static_cast<int>(kind.order_max));
}

int32_t check_raman_points(const Kind& kind, int64_t points, int64_t padded) noexcept {
    if (!kind.convolves)
        return padded == 0 ? LONGRUN_OK : refuse("raman_points", "0 for a kind that takes none");
    return padded == points || padded == 2 * points
               ? LONGRUN_OK
               : refuse("raman_points", "`points` or twice `points` for this kind");
}

}  // namespace

const Kind* find_kind(int32_t kind) noexcept {
    for (const Kind& known : kKinds)
        if (known.kind == kind)
            return &known;
    return nullptr;
}

int32_t check_problem(const longrun_kernel_problem& problem) noexcept {
    const int32_t size =
        check_size("longrun_kernel_problem", problem.struct_size, sizeof(longrun_kernel_problem));
    if (size != LONGRUN_OK)
        return size;
    const Kind* kind = find_kind(problem.kind);
    if (kind == nullptr)
        return refuse("kind", "one of `LONGRUN_KERNEL_...`");
    const int64_t points = problem.points;
    if (points < 4 || points > kPointsMax || points % 2 != 0)
        return refuse("points", "even, at least 4 and at most 268435456");
    if (const int32_t order = check_order(*kind, problem.order); order != LONGRUN_OK)
        return order;
    return check_raman_points(*kind, points, problem.raman_points);
}

int32_t check_threads(int64_t threads) noexcept {
    return threads >= 1 && threads <= kThreadsMax ? LONGRUN_OK
                                                  : refuse("threads", "between 1 and 1024");
}

int team_size(const Kind& kind, int64_t points, int threads) noexcept {
    const bool shared = kind.sharing == Sharing::kAlways ||
                        (kind.sharing == Sharing::kLargeOnes && points >= Team::kShareFrom);
    return shared ? threads : 1;
}

}  // namespace longrun::kernels
