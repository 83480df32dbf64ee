#pragma once

#include "core/attention/attention_backend.h"

#include <array>
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

/// Where an operand [batch, head, token, dim] has its elements, `gap` elements after each token of
/// rows or tokens after each head of a cache left free.
struct CaseLayout
{
    std::array<std::int64_t, Shape::kMaxRank> strides{};
    std::int64_t floats = 0;
};

CaseLayout layoutOf(CaseMemory memory, const Shape& shape, std::int64_t gap);

/// Values for a case, the same for one seed on every machine. Owns what inputs() looks at.
class AttentionOperands
{
public:
    AttentionOperands(const AttentionCase& test, std::uint64_t seed);

    AttentionInputs inputs() const;

    TensorView contextGradient() const { return m_contextGradient; }

private:
    void fuseRows(std::int64_t tokens);
    void makeMask(const AttentionCase& test, std::uint64_t seed);

    Tensor m_storage[4];
    TensorView m_queries;
    TensorView m_keys;
    TensorView m_values;
    TensorView m_contextGradient;
    Tensor m_bias;
    Tensor m_slopes;
    std::vector<std::uint8_t> m_keep;
    std::vector<std::uint8_t> m_allowed;
    AttentionMask m_mask;
    float m_scale = 1.0F;
    float m_softCap = 0.0F;
    float m_dropout = 0.0F;
};

struct AttentionComparison
{
    bool supported = true;     ///< false: the backend declined these operands, nothing was run
    double largestError = 0.0; ///< absolute, over all results
    std::string problem;       ///< "" or the worst mismatch: which result, where, both values
};

/// Runs forward and backward and compares context, pattern, scores, log-sum-exp and every gradient
/// with ReferenceAttention. Results start as NaN, so an unwritten element is a mismatch; elements
/// beside the results must stay untouched.
AttentionComparison compareWithReference(AttentionBackend& backend, const AttentionCase& test,
                                         std::uint64_t seed = 1);

/// As above: "" when all is well or not supported, else the worst mismatch.
std::string checkCase(AttentionBackend& backend, const AttentionCase& test, std::uint64_t seed = 1);

} // namespace headscope
