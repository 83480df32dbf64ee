#pragma once

#include "core/model/positions/position_encoding.h"

namespace headscope {

/// Sines and cosines of the position (Vaswani et al. 2017).
class SinusoidalEncoding final : public PositionEncoding
{
public:
    SinusoidalEncoding();

    void check(const ModelConfig& config) const override;
    void checkInstead(const ModelConfig& config, const PositionsChoice& choice) const override;
    Tensor vectors(const ModelConfig& config, std::int64_t count, double base) const override;
};

} // namespace headscope
