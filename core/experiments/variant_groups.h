#pragma once

#include "core/experiments/experiment_catalogue.h"
#include "core/experiments/experiment_result.h"

#include <string_view>
#include <vector>

namespace headscope {

/// Variants that differ in their seed alone, measured.
struct VariantGroup
{
    std::string name;
    std::string label;
    std::vector<const VariantResult*> variants; ///< By seed.

    bool has(std::string_view number) const; ///< True if it was measured for every seed.
    double mean(std::string_view number) const;
    /// Standard deviation with divisor n - 1; 0 for a single seed.
    double spread(std::string_view number) const;
};

/// In the order of the experiment; refers to `result`.
std::vector<VariantGroup> variantGroups(const Experiment& experiment,
                                        const ExperimentResult& result);

/// Throws Error for an unknown name.
const VariantGroup& groupNamed(const std::vector<VariantGroup>& groups, std::string_view name);

/// True if the means differ by more than the seeds explain: Student's paired t test over the
/// differences d of equal seeds (which saw the same batches), |mean d| > t s_d / sqrt(n) with the t
/// of 95 % confidence. False for a single seed.
bool differ(const VariantGroup& one, const VariantGroup& other, std::string_view number);

} // namespace headscope
