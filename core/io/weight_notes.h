#pragma once

#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace headscope {

/// Collects oddities in the attention weights of a file that are no reason to reject it.
class WeightNotes
{
public:
    /// Replaces NaN in a pattern [h, n, m] by 0, and counts rows that do not sum to 1, or to more
    /// than 1 where the rest is an attention sink's.
    void check(const std::string& name, Tensor& pattern, bool hasSinks = false);

    std::vector<std::string> sentences() const;

private:
    struct Oddity
    {
        std::int64_t count = 0;
        std::string first; ///< Tensor in which it was found first.

        void note(const std::string& name);
    };

    Oddity m_noNumbers;
    Oddity m_otherSums;
};

} // namespace headscope
