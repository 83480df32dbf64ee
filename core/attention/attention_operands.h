#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/attention_cases.h"

#include <array>
#include <vector>

namespace headscope {

/// Memory layout of an operand [batch, head, token, dim], with `gap` unused elements after each
/// token of rows or unused tokens after each head of a cache.
struct CaseLayout
{
    std::array<std::int64_t, Shape::kMaxRank> strides{};
    std::int64_t floats = 0;
};

CaseLayout layoutOf(CaseMemory memory, const Shape& shape, std::int64_t gap);

/// Values for a case, identical for one seed on every machine. Owns the memory that inputs() views.
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
    Tensor m_sinks;
    std::vector<std::uint8_t> m_keep;
    std::vector<std::uint8_t> m_allowed;
    AttentionMask m_mask;
    float m_scale = 1.0F;
    float m_softCap = 0.0F;
    float m_dropout = 0.0F;
};

} // namespace headscope
