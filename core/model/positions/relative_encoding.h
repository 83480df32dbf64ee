#pragma once

#include "core/model/positions/position_encoding.h"

namespace headscope {

/// A learned bias of the score for each bucket of distances and each head (T5).
class RelativeEncoding final : public PositionEncoding
{
public:
    RelativeEncoding();

    void checkSettings(const ModelConfig& config) const override;
    void check(const ModelConfig& config) const override;
    std::optional<PositionParameter> parameter(const ModelConfig& config) const override;
    void bias(const ModelConfig& config, const BiasedScores& scores, TensorView table,
              MutableTensorView bias) const override;
    void biasBackward(const ModelConfig& config, const BiasedScores& scores,
                      TensorView biasGradient, MutableTensorView tableGradient) const override;
};

} // namespace headscope
