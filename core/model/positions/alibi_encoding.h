#pragma once

#include "core/model/positions/position_encoding.h"

namespace headscope {

/// Far keys lose some of their score, each head at a rate of its own (Press et al. 2022).
class AlibiEncoding final : public PositionEncoding
{
public:
    AlibiEncoding();

    void check(const ModelConfig& config) const override;
    void checkInstead(const ModelConfig& config, const PositionsChoice& choice) const override;
    Tensor slopes(const ModelConfig& config) const override;
};

} // namespace headscope
