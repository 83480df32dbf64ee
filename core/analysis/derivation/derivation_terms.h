#pragma once

#include "core/analysis/derivation/derivation_source.h"

namespace headscope::derive_detail {

// What derivations are made of.

Term product(std::vector<Factor> factors);
Derivation sum(std::string formula, std::vector<Term> terms);
Derivation ends(std::string why); ///< nothing lies below

/// A linear layer by its parameters' names.
struct LinearNames
{
    std::string weight; ///< "h.0.attn.q.weight"
    std::string bias;   ///< may not exist
};

/// y_row = sum_c x_c W[row, c] + b[row].
Derivation linear(const Source& source, const LinearNames& names, std::int64_t row,
                  const NumberRef& input);

/// One channel of a norm's output.
Derivation deriveNorm(const Source& source, const NumberRef& number);

/// Logit of a token, from the channels of `hidden` [token, 0] by the unembedding.
Derivation unembedding(const Source& source, std::int64_t token, const NumberRef& hidden);

} // namespace headscope::derive_detail
