// Variable-step Adams predictor-corrector with an exact linear part: `multistep` and
// `multistep-interaction`.
//
// A step predicts the new state from the slopes behind it, evaluates the source there, corrects,
// and, once it is accepted, evaluates again at the new state (PECE): two evaluations for an
// accepted step, one for a rejected one, and one at the start of a history. The first step has
// predictor order 1, each further one an order more up to that of the stepper. The corrector is of
// one order more and is what is kept. The error estimate is its distance from the predictor, or
// from the corrector of one order less (L. F. Shampine and M. K. Gordon, Computer Solution of
// Ordinary Differential Equations, 1975). Both see the same surplus of the source over what the
// history says, and their weights differ by a factor that is taken without L. The first holds
// tolerances on smooth problems. A source with small kinks, as ionisation has, makes it many times
// too large: the extrapolation to the end of the step multiplies a kink by up to 2^k
// (docs/native.md).
//
// What is interpolated by a polynomial in z is e^{-K z} N, and e^{(L - K) h} acts on the polynomial
// exactly. Any K(w) has the same solution; it decides what the polynomial has to follow.
//   K = 0  exponential time differencing, `multistep`: the source itself, which changes slowly
//          where the pulse drives it. S. M. Cox and P. C. Matthews, J. Comput. Phys. 176, 430
//          (2002).
//   K = L  interaction picture, `multistep-interaction`: a source that turns with L. J. D. Lawson,
//          SIAM J. Numer. Anal. 4, 372 (1967).
// `multistep` on a real field takes K = a multiple of L(w0) (`carrier_shift.hpp`): its moments are
// those of L - K, and each slope is turned by K over its distance from the end of the step.
//
// All that depends on h and on the spacing of the history is combined into one complex weight for
// each frequency and slope. The moments of e^{Lh} behind them are kept as well: they change with h
// only, while the weights also change in the `order` steps after it.
//
// The slope at the end of a step is evaluated after the windows were applied. Unlike `rk`, whose
// estimate has a small weight for that slope, a multistep method takes the difference between a
// state and its absorbed self for an error of the next step, and shortens steps that it will repeat
// at every one of them: the history is that of the states that steps start from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "steppers/adams.hpp"
#include "steppers/adams_sums.hpp"
#include "steppers/carrier_shift.hpp"
#include "steppers/slope_history.hpp"
#include "steppers/stepper.hpp"

namespace longrun {

class Multistep final : public Stepper {
 public:
    /// The frame in which slopes are interpolated: K = 0 or the shift, or K = L.
    enum class Frame { kNone, kLinear };

    /// What the corrected state is held against.
    enum class Estimate { kPredictor, kLowerCorrector };

    /// `order` of 1 to `kAdamsOrderMax`. `shift` may be null, is of `kNone` only, and must outlive
    /// this.
    Multistep(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
              const ActiveSet& active, int64_t points, int order, Frame frame, Estimate estimate,
              const CarrierShift* shift = nullptr);

    void restart() noexcept override;
    void operator_changed() noexcept override { h_m_ = 0; }
    Attempt attempt(double z_m, double h_m) noexcept override;
    void accept() noexcept override;
    int64_t settle(Since since) noexcept override;
    void interpolate(const Worker& worker, double theta, Complex* out) const noexcept override;
    Complex* scratch() noexcept override { return expected_; }

 private:
    void prepare(double h_m) noexcept;
    void turn_shift() noexcept;
    const ShiftFactors* factors(int64_t block) const noexcept;
    void renew(Range range, int64_t block) noexcept;
    void combine(Range range, int64_t block) noexcept;
    template <int Order>
    void combine_moments(Range range, int64_t block) noexcept;
    void combine_phases(Range range) noexcept;
    PredictionArrays prediction_arrays() const noexcept;
    CorrectionArrays correction_arrays() const noexcept;
    void keep_slope(Range range) noexcept;
    void dense_sum(Range range, int64_t block, double theta, Complex* out) const noexcept;
    void dense_sum_turned(Range range, double theta, Complex* out) const noexcept;

    const int order_max_;
    const Frame frame_;
    const Estimate estimate_;
    const CarrierShift* const shift_;
    std::vector<ShiftFactors> factors_; /* of each multiple of the shift, for the weights */
    SlopeHistory history_;

    Complex* turn_;                                  /* e^{Lh} */
    std::array<Complex*, kMomentMax + 1> moments_{}; /* not for K = L */
    std::array<Complex*, kAdamsOrderMax> weights_{}; /* of the slopes behind, newest first */
    Complex* correction_; /* weight of the surplus in the new state; not for K = L */
    Complex* expected_;   /* source at the end of the step as the history has it */
    Complex* surplus_;    /* what it is beyond that at the predicted state */
    double* error_sums_;

    double start_m_ = 0; /* of the attempt */
    double h_m_ = 0;     /* of the attempt, and of the tables; 0: none */
    int order_ = 0;      /* of the attempt, and of the weights */
    Nodes nodes_{};      /* history of the attempt, and of the weights */
    AdamsStep step_{};
    bool renew_ = false;   /* whether the attempt needs new moments */
    bool combine_ = false; /* and new weights */
};

}  // namespace longrun
