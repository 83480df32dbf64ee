#pragma once

#include "core/analysis/derivation/derivation_source.h"

namespace headscope::derive_detail {

// Numbers that pages show and that have no site: sums, fractions, probabilities, lenses, sines.

Derivation deriveMade(const Source& source, const NumberRef& number);
double valueOfMade(const Source& source, const NumberRef& number);

} // namespace headscope::derive_detail
