#pragma once

#include "core/analysis/derivation/derivation_source.h"

namespace headscope::derive_detail {

/// Sites that are no head's: embeddings, the stream, what is added to it, logits.
Derivation deriveStream(const Source& source, const NumberRef& number);

} // namespace headscope::derive_detail
