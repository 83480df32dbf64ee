#pragma once

#include "core/model/positions/position_encoding.h"

#include <span>
#include <string>

namespace headscope {

/// All encodings, in the order in which they are offered.
std::span<const PositionEncoding* const> positionEncodings();

const PositionEncoding& encodingOf(Positions kind);

inline const PositionEncoding& encodingOf(const ModelConfig& config)
{
    return encodingOf(config.positions);
}

/// Choices for the user: "learned, sinusoidal[:N], none, rope[:THETA], alibi or relative".
std::string positionsSyntax();

} // namespace headscope
