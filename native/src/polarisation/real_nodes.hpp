// Nodes of real fields: half spectra, and a fine grid for the harmonics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fft/plan.hpp"
#include "polarisation/excesses.hpp"
#include "polarisation/ionisation.hpp"
#include "polarisation/nodes.hpp"
#include "polarisation/response.hpp"

namespace longrun::polarisation {

class RealNodes final : public Nodes {
 public:
    /// As `make_nodes`.
    RealNodes(Arena& arena, const Planner& planner, const Setting& setting, int threads,
              PartClock& clock, Complex* spectrum, Complex* out);

    int64_t spectrum_size() const noexcept override { return fine_ / 2 + 1; }
    void polarise(const Worker& worker, double scale, Complex* spectrum,
                  Complex* out) noexcept override;
    void transforms(const Worker& worker, Complex* spectrum, Complex* out) noexcept override;
    void refresh(const Worker& worker, Complex* spectrum) noexcept override;
    Excess take_excess() noexcept override;
    std::string plans() const override;
    int64_t bytes() const noexcept override;

 private:
    /// Work arrays of a thread: the field, and where there is plasma what it does.
    struct Lane {
        double* field;
        double* growth;
        double* release;
    };

    const Lane& lane(const Worker& worker) const noexcept {
        return lanes_[static_cast<std::size_t>(worker.rank())];
    }

    PartClock& clock_;
    Range bins_; /* that come in */
    int64_t fine_;
    double step_s_; /* between samples of the fine grid */
    double kerr_;
    const double* window_;
    std::vector<Lane> lanes_;
    RealBackwardPlan backward_;
    RealForwardPlan forward_;
    std::optional<Response> response_;
    std::optional<Ionisation> ionisation_;
    Excesses excesses_;
};

}  // namespace longrun::polarisation
