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
        Constant,   ///< a setting or a sine, `scale` its value: nothing lies behind it
        Sum,        ///< scale * the sum of `parts`, divided by the sum of `over` where there is any
        Product,    ///< scale * the product of `parts`
        Length,     ///< root of the sum of the squares of `parts`
        Exponential,  ///< of a score, the largest of its row taken away; indexed as the scores
        LensLogit,    ///< [token, id]: what the stream `key` (Resid...) would predict as the last
        Probability,  ///< [token, id]: softmax of the logits, or of the lens of the stream `key`
        Contribution, ///< [query, key, channel]: what a token adds by attention of key's layer
        Sinusoid,     ///< [position, dimension, dimensions] with the base `scale`
    };

    Kind kind = Kind::Activation;
    TraceKey key;     ///< of Normed and NormInput: only its stack and layer count
    std::string name; ///< of Parameter, Normed, NormInput; in words of Sum, Product, Length
    std::vector<std::int64_t> index;
    double scale = 1.0;
    std::vector<NumberRef> parts = {};
    std::vector<NumberRef> over = {};

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
