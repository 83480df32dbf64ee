#pragma once

#include "core/analysis/derivation/derivation_source.h"

namespace headscope::derive_detail {

// Building blocks of derivations.

Term product(std::vector<Factor> factors);
Derivation sum(std::string formula, std::vector<Term> terms);
Derivation ends(std::string why); ///< Derivation with nothing below it.

/// Parameter names of a linear layer.
struct LinearNames
{
    std::string weight; ///< "h.0.attn.q.weight"
    std::string bias;   ///< May name a parameter that does not exist.
};

/// y_row = sum_c x_c W[row, c] + b[row].
Derivation linear(const Source& source, const LinearNames& names, std::int64_t row,
                  const NumberRef& input);

/// One channel of a norm's output.
Derivation deriveNorm(const Source& source, const NumberRef& number);

/// Logit of a token, from the channels of `hidden` [token, 0] through the unembedding.
Derivation unembedding(const Source& source, std::int64_t token, const NumberRef& hidden);

} // namespace headscope::derive_detail
