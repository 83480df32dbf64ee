#pragma once

#include "core/model/positions/position_encoding.h"

namespace headscope {

/// ALiBi: lowers the scores of distant keys, at a rate of its own for each head (Press et al.
/// 2022).
class AlibiEncoding final : public PositionEncoding
{
public:
    AlibiEncoding();

    void check(const ModelConfig& config) const override;
    void checkInstead(const ModelConfig& config, const PositionsChoice& choice) const override;
    Tensor slopes(const ModelConfig& config) const override;
};

} // namespace headscope
