#include "core/model/positions/position_encodings.h"

#include "core/model/positions/alibi_encoding.h"
#include "core/model/positions/learned_encoding.h"
#include "core/model/positions/relative_encoding.h"
#include "core/model/positions/rotary_encoding.h"
#include "core/model/positions/sinusoidal_encoding.h"

#include <array>
#include <fmt/format.h>

namespace headscope {

std::span<const PositionEncoding* const> positionEncodings()
{
    static const LearnedEncoding learned;
    static const SinusoidalEncoding sinusoidal;
    static const PositionEncoding none({Positions::None, "none", "no positions"});
    static const RotaryEncoding rotary;
    static const AlibiEncoding alibi;
    static const RelativeEncoding relative;
    static const std::array<const PositionEncoding*, 6> all{&learned, &sinusoidal, &none,
                                                            &rotary,  &alibi,      &relative};
    return all;
}

const PositionEncoding& encodingOf(Positions kind)
{
    const auto all = positionEncodings();
    for (const PositionEncoding* encoding : all)
        if (encoding->traits().kind == kind)
            return *encoding;
    return *all.front();
}

std::string positionsSyntax()
{
    std::string text;
    const auto all = positionEncodings();
    for (const PositionEncoding* encoding : all) {
        if (encoding != all.front())
            text += encoding == all.back() ? " or " : ", ";
        text += encoding->traits().name;
        if (!encoding->traits().base.empty())
            text += fmt::format("[:{}]", encoding->traits().base);
    }
    return text;
}

} // namespace headscope
