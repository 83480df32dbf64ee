#pragma once

#include "core/analysis/weights/weight_reader.h"

#include <string>

namespace headscope {

/// Why the singular values of a matrix are not computed: it is too large. Empty where they are.
std::string whyNoSingularValues(const WeightMatrix& matrix);

/// Singular values, largest first: square roots of the eigenvalues of W W^T or W^T W, whichever is
/// smaller, by Householder tridiagonalisation (Golub and Van Loan 2013, section 8.3). Values below
/// 1e-7 of the largest are rounding. Throws Cancelled, and Error for weights that are not finite.
std::vector<double> singularValues(const WeightReader& reader, const std::stop_token& stop = {});

/// Number of the largest values that hold `fraction` of the sum of squares.
std::size_t valuesHolding(const std::vector<double>& values, double fraction);

} // namespace headscope
