#pragma once

#include "core/model/positions/position_encoding.h"

namespace headscope {

/// Rotates queries and keys by their position (Su et al. 2021); see RopeSettings.
class RotaryEncoding final : public PositionEncoding
{
public:
    RotaryEncoding();

    void checkSettings(const ModelConfig& config) const override;
    void check(const ModelConfig& config) const override;
    void checkInstead(const ModelConfig& config, const PositionsChoice& choice) const override;
};

} // namespace headscope
