#pragma once

#include "core/model/model.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Reference to one number of a model or trace.
struct NumberRef
{
    enum class Kind {
        /// A cell of `key`, indexed as its axes: [token, channel], [head, query, key] ...
        Activation,
        Parameter,   ///< A cell of the parameter `name`.
        Normed,      ///< [token, channel] after the norm `name` ("h.0.ln1"), which has no site.
        NormInput,   ///< Input of that norm.
        Constant,    ///< A setting or a sine with the value `scale`: not derived any further.
        Sum,         ///< Scale * sum of `parts`, divided by the sum of `over` if there is any.
        Product,     ///< Scale * product of `parts`.
        Length,      ///< Root of the sum of the squares of `parts`.
        Exponential, ///< exp(score - largest of its row), indexed as the scores.
        LensLogit,   ///< [token, id]: the logit lens of the stream `key` (Resid...).
        Probability, ///< [token, id]: softmax of the logits, or of the lens of the stream `key`.
        /// [query, key, channel]: contribution of a token by attention of key's layer.
        Contribution,
        Sinusoid, ///< [position, dimension, dimensions] with the base `scale`.
    };

    Kind kind = Kind::Activation;
    TraceKey key; ///< For Normed and NormInput only its stack and layer count.
    /// Name of Parameter, Normed, NormInput; description of Sum, Product, Length.
    std::string name;
    std::vector<std::int64_t> index;
    double scale = 1.0;
    std::vector<NumberRef> parts = {};
    std::vector<NumberRef> over = {};

    friend bool operator==(const NumberRef&, const NumberRef&) = default;
};

/// For example "blocks.0.attn.hook_pattern[1, 5, 3]".
std::string toString(const NumberRef& number);

struct Factor
{
    std::string name; ///< For example "W_Q", "x_3", "cos".
    double value = 0.0;
    NumberRef of;
};

/// A product: one summand of a number.
struct Term
{
    std::vector<Factor> factors;
    double value = 0.0;
};

/// One level of the derivation of a number.
struct Derivation
{
    NumberRef of;
    std::string formula;     ///< For example "sum over keys of pattern v", in words and symbols.
    std::vector<Term> terms; ///< Operands, each with its own derivation.
    std::vector<Factor> constants; ///< Mean, deviation, scale, largest score, sum of exponentials.
    double recorded = 0.0;         ///< Value in the trace or the weights.
    double recomputed = 0.0;       ///< Value computed from the operands, in double.
    std::string end;               ///< Reason why nothing lies below; else empty.

    /// False where an intervention has replaced the computed number.
    bool agrees(double tolerance = 1e-4) const;
};

/// Derives a number, one level down; each operand can be derived again, until weights, embeddings
/// and settings. `trace` must hold the sites of TraceRequest::everything() on the way down; a
/// missing one ends it with an explanation. Throws ShapeError for a cell that does not exist.
Derivation derive(const Trace& trace, const Model& model, const NumberRef& number);

} // namespace headscope
