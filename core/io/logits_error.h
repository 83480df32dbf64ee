#pragma once

#include "core/model/pass/tracer.h"

#include <optional>
#include <stop_token>
#include <string>

namespace headscope {

/// Difference of a model's logits from those of its exact weights.
struct LogitsError
{
    std::int64_t tokens = 0;   ///< Tokens of the text that was measured.
    std::int64_t agreeing = 0; ///< Tokens after which the most probable next token is the same.
    /// Root mean square of the difference, relative to that of the exact logits; each token's
    /// logits less their mean, which softmax ignores.
    double relativeRms = 0.0;

    std::string text() const; ///< One clause for display.
};

/// Short English text, or ids 1 to 16 for a model without a tokenizer.
TokenSequence probeTokens(const LoadedModel& model);

/// Measures on probeTokens what Products::Integer changes, at once: a row's products are the same
/// token by token. Nothing for a model without a language head in a decoder,
/// or whose weights are not multiplied as integers on this machine. Throws Cancelled.
std::optional<LogitsError> measureProductsError(const LoadedModel& model,
                                                const std::stop_token& stop = {});

/// Measures on probeTokens what the precision of the model's weights changes. Nothing for
/// WeightPrecision::Float32, without a language head, and for an encoder-decoder. Throws Cancelled.
std::optional<LogitsError> measurePrecisionError(const LoadedModel& model,
                                                 const std::stop_token& stop = {});

} // namespace headscope
