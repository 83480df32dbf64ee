#pragma once

#include <cstdint>
#include <string>

namespace headscope {

/// Causal mask in which a query sees some of the keys before it.
///
/// window: the last `reach` keys (Mistral 2023). strided: these, and every reach-th key further
/// back (Child et al. 2019, "Generating Long Sequences with Sparse Transformers"). global: the
/// window and the first token (Beltagy et al. 2020, "Longformer"; Xiao et al. 2023). full: all.
struct SparseMask
{
    enum class Kind { Full, Window, Strided, Global };

    Kind kind = Kind::Full;
    std::int64_t reach = 1; ///< At least 1.

    bool sees(std::int64_t query, std::int64_t key) const;

    std::int64_t row(std::int64_t query) const;    ///< Number of keys that a query sees.
    std::int64_t cells(std::int64_t tokens) const; ///< Sum of all rows.

    /// Layers until the first of so many tokens reaches the last.
    std::int64_t layersToReach(std::int64_t tokens) const;
};

} // namespace headscope
