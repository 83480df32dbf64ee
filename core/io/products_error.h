#pragma once

#include "core/model/pass/tracer.h"

#include <optional>
#include <stop_token>
#include <string>

namespace headscope {

/// Difference that Products::Integer makes to the logits of new tokens.
struct ProductsError
{
    std::int64_t tokens = 0;   ///< Tokens of the text that was measured.
    std::int64_t agreeing = 0; ///< Tokens after which the most probable next token is the same.
    /// Root mean square of the difference, relative to that of the exact logits; each token's
    /// logits less their mean, which softmax ignores.
    double relativeRms = 0.0;

    std::string text() const; ///< One line for display.
};

/// Short English text, or ids 1 to 16 for a model without a tokenizer.
TokenSequence probeTokens(const LoadedModel& model);

/// Measures it on probeTokens: all exact logits, then the same text token by token with integer
/// products. Nothing for a model without a language head in a decoder, or whose weights are not
/// multiplied as integers on this machine. Throws Cancelled.
std::optional<ProductsError> measureProductsError(const LoadedModel& model,
                                                  const std::stop_token& stop = {});

} // namespace headscope
