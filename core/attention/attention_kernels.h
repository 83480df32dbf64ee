#pragma once

#include <cstdint>

namespace headscope {

/// Plain operands of query rows against one key head for the inner loops: no library types, so that
/// code built for one instruction set shares nothing with the rest. Rows are the tokens of one query
/// head, or the query heads of one token that share the key head. Strides count elements from one
/// row or token to the next. Null means absent or not wanted.
struct HeadOperands
{
    bool rowsAreHeads; ///< Rows are heads: all have the position of the only query token.
    std::int64_t queryTokens;
    std::int64_t keyTokens;
    std::int64_t headDim;
    std::int64_t valueDim;

    const float* queries;
    std::int64_t queryStride;
    const float* keyPanels; ///< Keys from packPanels; null: forward reads keyRows.
    const float* keyRows;
    std::int64_t keyStride;

    float scale;
    bool causal;
    std::int64_t window; ///< 0: none
    const std::uint8_t* allowed;
    std::int64_t allowedStride;
    const float* bias;
    std::int64_t biasStride;
    bool hasSlope;
    float slope; ///< ALiBi slope.
    float softCap;
    const std::uint8_t* keep; ///< Dropout mask, in rows of keyTokens bytes.
    float keepScale;
};

struct HeadForward
{
    HeadOperands operands;
    const float* valueRows; ///< Values, readable up to valueDim rounded up to lanes.
    std::int64_t valueStride;

    float* context;
    std::int64_t contextStride;
    float* pattern;
    std::int64_t patternStride;
    float* scores;
    std::int64_t scoresStride;
    float* logSumExp;

    std::int64_t queryBegin; ///< First row to compute.
    std::int64_t queryEnd;
};

struct HeadBackward
{
    HeadOperands operands;
    const float* paddedKeys; ///< Keys, rows readable up to headDim rounded up to lanes.
    std::int64_t paddedKeyStride;
    const float* valuePanels;

    const float* context;
    std::int64_t contextStride;
    const float* contextGradient;
    std::int64_t contextGradientStride;
    const float* logSumExp;

    float* queryGradient; ///< Overwritten.
    std::int64_t queryGradientStride;
    float* keySums;      ///< Added to: rows of headDim rounded up to lanes.
    float* valueSums;    ///< Added to: rows of valueDim rounded up to lanes.
    float* biasGradient; ///< Added to.
    std::int64_t biasGradientStride;

    std::int64_t queryBegin;
    std::int64_t queryEnd;
};

/// Inner loops of attention for one instruction set.
struct AttentionKernels
{
    const char* name;
    std::int64_t lanes;     ///< Padded rows are padded to this many floats.
    std::int64_t panelKeys; ///< Keys per panel.

    /// Packs rows [count, dim] into panels [count / panelKeys, dim, panelKeys], padded with zeros.
    void (*packPanels)(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t dim,
                       float* panels);

    /// Packs rows [count, dim] into rows of `dim` rounded up to lanes, padded with zeros.
    void (*packRows)(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t dim,
                     float* packed);

    /// Computes rows [count, dim] = factor * sums, which are padded rows and remain unchanged.
    void (*unpackRows)(const float* sums, float factor, std::int64_t count, std::int64_t dim,
                       float* rows, std::int64_t stride);

    /// Scratch size in floats.
    std::int64_t (*forwardScratch)(std::int64_t headDim, std::int64_t valueDim);
    void (*forward)(const HeadForward& head, float* scratch);

    /// Factor that keySums must be multiplied by at the end.
    float (*keySumsFactor)(const HeadOperands& operands);
    std::int64_t (*backwardScratch)(std::int64_t headDim, std::int64_t valueDim);
    void (*backward)(const HeadBackward& head, float* scratch);
};

/// Kernels for the widest instruction set of this processor, or the level of HEADSCOPE_ISA_LEVEL.
const AttentionKernels& attentionKernels();

/// Kernels by name ("baseline", "avx2", "avx512"), or null when this build or processor lacks them.
const AttentionKernels* attentionKernelsFor(const char* name);

} // namespace headscope
