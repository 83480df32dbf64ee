#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// Which keys a case hides.
enum class CaseMask {
    None,
    Causal,
    Window, ///< |query position - key position| < window
    CausalWindow,
    KeyPadding,   ///< every batch entry ends early: one row of bytes for all its queries
    LeftPadding,  ///< causal, every batch entry starts late: its first queries see nothing
    Scattered,    ///< arbitrary bytes, some rows without any key
    PaddingWindow ///< as KeyPadding, and a window both ways
};

/// How the tokens of every operand and result lie in memory.
enum class CaseMemory {
    Dense,     ///< [batch, head, token, dim]
    TokenRows, ///< [batch, token, head, dim] with a gap after each token
    Cache,     ///< [batch, head, capacity, dim]: each head has room for more tokens
    FusedRows  ///< as TokenRows; queries, keys and values of a token lie in one row
};

/// One attention layer to try: shape, mask, rare operands, wanted outputs, allowed error. The one
/// table of them feeds correctness, gradients and `headscope devices --check` of every backend.
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
    float softCap = 0.0F;
    float dropout = 0.0F;
    bool wantMaps = true; ///< pattern and scores
    CaseMemory memory = CaseMemory::Dense;
    float spread = 1.0F;    ///< standard deviation of queries and keys
    double absolute = 5e-6; ///< allowed: |error| <= absolute + relative * |reference|
    double relative = 2e-5;
};

const std::vector<AttentionCase>& attentionCases();

} // namespace headscope
