// Nodes of envelopes: whole spectra on one grid, and integrals over time that divide by i w.
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

class EnvelopeNodes final : public Nodes {
 public:
    /// As `make_nodes`.
    EnvelopeNodes(Arena& arena, const Planner& planner, const Setting& setting, int threads,
                  PartClock& clock, Complex* spectrum, Complex* out);

    int64_t spectrum_size() const noexcept override { return points_; }
    void polarise(const Worker& worker, double scale, Complex* spectrum,
                  Complex* out) noexcept override;
    void transforms(const Worker& worker, Complex* spectrum, Complex* out) noexcept override;
    void refresh(const Worker& worker, Complex* spectrum) noexcept override;
    Excess take_excess() noexcept override;
    std::string plans() const override;
    int64_t bytes() const noexcept override;

 private:
    /// Work arrays of a thread: the field, and where there is plasma what it does and its spectrum.
    struct Lane {
        Complex* field;
        Complex* growth;
        Complex* release;
        Complex* spectrum;
    };

    const Lane& lane(const Worker& worker) const noexcept {
        return lanes_[static_cast<std::size_t>(worker.rank())];
    }

    PartClock& clock_;
    int64_t points_;
    double kerr_;
    const double* window_;
    const double* once_;  /* 1 / w, 0 outside the valid set: with -i an integral over time */
    const double* twice_; /* -1 / w²: an integral of an integral */
    std::vector<Lane> lanes_;
    BackwardPlan backward_;
    ForwardPlan forward_;
    std::optional<Response> response_;
    std::optional<Ionisation> ionisation_;
    Excesses excesses_;
};

}  // namespace longrun::polarisation
