#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// Mask of a case.
enum class CaseMask {
    None,
    Causal,
    Window, ///< |query position - key position| < window
    CausalWindow,
    KeyPadding,   ///< Every batch entry ends early: one row of bytes for all its queries.
    LeftPadding,  ///< Causal, every batch entry starts late: its first queries see nothing.
    Scattered,    ///< Arbitrary bytes, some rows without any key.
    PaddingWindow ///< KeyPadding and a window both ways.
};

/// Memory layout of the tokens of every operand and result.
enum class CaseMemory {
    Dense,     ///< Dense: [batch, head, token, dim].
    TokenRows, ///< Rows of tokens: [batch, token, head, dim] with a gap after each token.
    Cache,     ///< KV cache: [batch, head, capacity, dim]: each head has room for more tokens.
    FusedRows  ///< Like TokenRows, with queries, keys and values of a token in one row.
};

/// One attention layer to test: shape, mask, rare operands, wanted outputs, allowed error. This
/// single list feeds correctness, gradients and `headscope devices --check` of every backend.
struct AttentionCase
{
    std::string name;
    std::int64_t batch = 1;
    std::int64_t queryHeads = 1;
    std::int64_t keyHeads = 1;
    std::int64_t queryTokens = 1;
    std::int64_t keyTokens = 1;
    std::int64_t headDim = 1;
    std::int64_t valueDim = 1;
    CaseMask mask = CaseMask::None;
    std::int64_t window = 0;
    bool bias = false;
    bool alibi = false;
    bool sinks = false;
    float softCap = 0.0F;
    float dropout = 0.0F;
    bool wantMaps = true; ///< Requests pattern and scores.
    CaseMemory memory = CaseMemory::Dense;
    float spread = 1.0F;    ///< Standard deviation of queries and keys.
    double absolute = 5e-6; ///< Allowed: |error| <= absolute + relative * |reference|.
    double relative = 2e-5;
};

const std::vector<AttentionCase>& attentionCases();

} // namespace headscope
