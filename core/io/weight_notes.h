#pragma once

#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace headscope {

/// What is odd about the attention weights of a file, but no reason to refuse it.
class WeightNotes
{
public:
    /// Makes 0 of what is no number, and counts rows that do not sum to 1. [h, n, m]
    void check(const std::string& name, Tensor& pattern);

    std::vector<std::string> sentences() const;

private:
    struct Oddity
    {
        std::int64_t count = 0;
        std::string first; ///< the tensor that it was found in

        void note(const std::string& name);
    };

    Oddity m_noNumbers;
    Oddity m_otherSums;
};

} // namespace headscope
