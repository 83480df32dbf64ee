#pragma once

#include "core/analysis/derivation/derivation_source.h"

namespace headscope::derive_detail {

/// Derives sites outside heads: embeddings, the residual stream, sublayer outputs, logits.
Derivation deriveStream(const Source& source, const NumberRef& number);

} // namespace headscope::derive_detail
