#pragma once

#include "core/model/positions/position_encoding.h"

namespace headscope {

/// One learned vector per position (GPT-2, BERT).
class LearnedEncoding final : public PositionEncoding
{
public:
    LearnedEncoding();

    std::optional<PositionParameter> parameter(const ModelConfig& config) const override;
};

} // namespace headscope
