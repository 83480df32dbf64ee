#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A number that one can point at.
struct NumberRef
{
    enum class Kind {
        Activation, ///< a cell of `key`, indexed as its axes: [token, channel], [head, query, key]
                    ///< ...
        Parameter,  ///< a cell of the parameter `name`
        Normed,     ///< [token, channel] after the norm `name` ("h.0.ln1"), which no site shows
        NormInput,  ///< what that norm reads
        Constant,   ///< a setting or a sine: nothing lies behind it
    };

    Kind kind = Kind::Activation;
    TraceKey key;     ///< of Normed and NormInput: only its stack and layer count
    std::string name; ///< of Parameter, Normed, NormInput
    std::vector<std::int64_t> index;

    friend bool operator==(const NumberRef&, const NumberRef&) = default;
};

std::string toString(const NumberRef& number); ///< "blocks.0.attn.hook_pattern[1, 5, 3]"

struct Factor
{
    std::string name; ///< "W_Q", "x_3", "cos"
    double value = 0.0;
    NumberRef of;
};

/// A product, one summand of a number.
struct Term
{
    std::vector<Factor> factors;
    double value = 0.0;
};

/// One level of where a number comes from.
struct Derivation
{
    NumberRef of;
    std::string formula;           ///< "sum over keys of pattern v", in words and symbols
    std::vector<Term> terms;       ///< the operands, each with what lies behind it
    std::vector<Factor> constants; ///< mean, deviation, scale, largest score, sum of exponentials
    double recorded = 0.0;         ///< what the trace or the weights hold
    double recomputed = 0.0;       ///< from the operands, in double
    std::string end;               ///< why there is nothing below; else empty

    /// False where an intervention has put another number in the place of the computed one.
    bool agrees(double tolerance = 1e-4) const;
};

/// Where a number comes from, one level down; each operand can be asked again, until weights,
/// embeddings and settings. `trace` must hold the sites of TraceRequest::everything() that the way
/// down meets; a missing one ends it with words. Throws ShapeError for a cell that does not exist.
Derivation derive(const Trace& trace, const Model& model, const NumberRef& number);

} // namespace headscope
