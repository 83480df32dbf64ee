#pragma once

#include "core/model/pass/gradient_trace.h"

#include <functional>
#include <vector>

namespace headscope {

/// First-order importance of each head for a target: z . dL/dz with z the head's output (Michel et
/// al. 2019, "Are Sixteen Heads Really Better than One?", section 2.2). Layer-major, [layers *
/// heads] of the stack that predicts (for an encoder: of the only one). Not normalised by layer.
struct HeadImportance
{
    int layers = 0;
    int heads = 0;
    std::int64_t texts = 0;
    std::int64_t positions = 0; ///< Number of positions of all texts.
    /// Mean over texts of dL / d gate, the head's output being gate * z at all positions; signed.
    std::vector<double> gate;
    std::vector<double> byGate;     ///< Mean over texts of |dL / d gate|: the paper's I_h.
    std::vector<double> byPosition; ///< Mean over positions of |z_i . dL/dz_i|: the paper's code.
};

struct ImportanceText
{
    GradientText text;
    GradientTarget target; ///< The paper uses the loss.
};

/// Throws as traceGradients, and Error without any text. `progress` may be empty and receives 0 to
/// 1.
HeadImportance headImportance(const Model& model, std::span<const ImportanceText> texts,
                              AttentionBackend& backend, const Interventions* interventions = {},
                              const std::stop_token& stop = {},
                              const std::function<void(double)>& progress = {});

} // namespace headscope
