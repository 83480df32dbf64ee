#pragma once

#include "core/analysis/derivation/derivation_source.h"

namespace headscope::derive_detail {

/// Derives sites of a head: vectors, scores, patterns, contexts.
Derivation deriveAttention(const Source& source, const NumberRef& number);

} // namespace headscope::derive_detail
