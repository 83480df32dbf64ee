#pragma once

#include "core/attention/attention_geometry.h"
#include "core/attention/attention_kernels.h"

namespace headscope {

/// Allocates pieces of a workspace, each a whole number of cache lines. Without a workspace it only
/// counts.
class WorkspacePieces
{
public:
    explicit WorkspacePieces(float* workspace) : m_workspace(workspace) {}

    float* take(std::int64_t floats)
    {
        float* piece = m_workspace == nullptr ? nullptr : m_workspace + m_size;
        m_size += (floats + 15) / 16 * 16;
        return piece;
    }

    std::int64_t size() const { return m_size; } ///< Size in floats.

private:
    float* m_workspace;
    std::int64_t m_size = 0;
};

/// One key head of one batch entry, shared by a group of query heads.
struct KeyHead
{
    std::int64_t batch = 0;
    std::int64_t keyHead = 0;
};

/// Rows of one head, readable up to a whole vector.
struct PackedRows
{
    const float* data = nullptr;
    std::int64_t stride = 0;
};

/// Operands of one call in the form the kernels take. Views both arguments.
class CpuLayer
{
public:
    CpuLayer(const AttentionInputs& inputs, const AttentionKernels& kernels)
        : m_inputs(inputs)
        , m_geometry(inputs)
        , m_kernels(kernels)
    {
    }

    const AttentionGeometry& geometry() const { return m_geometry; }

    const AttentionKernels& kernels() const { return m_kernels; }

    std::int64_t panelFloats(std::int64_t dim) const; ///< Panels of all keys of a head.
    std::int64_t rowFloats(std::int64_t dim) const;

    TensorView keys(const KeyHead& head) const { return m_inputs.keys[head.batch][head.keyHead]; }

    TensorView values(const KeyHead& head) const
    {
        return m_inputs.values[head.batch][head.keyHead];
    }

    void packPanels(const TensorView& tokens, float* panels) const;

    /// Rows in place where they are dense and padded already, else a copy in `memory`: large
    /// strides of a power of two would map all rows to the same few cache sets.
    PackedRows packedRows(const TensorView& tokens, float* memory) const;

    /// Rows in place if that is readable up to whole vectors, else as packedRows.
    PackedRows rowsInPlace(const TensorView& tokens, float* memory) const;

    /// True when the heads that share a key head can be the rows of one job, which reads the keys
    /// once: those of a single query token, without slopes, which differ between heads.
    bool canTakeHeadsAsRows() const;

    /// Takes `keyPanels`, or null to make the kernel read the keys in place.
    HeadOperands operands(std::int64_t batch, std::int64_t queryHead, const float* keyPanels) const;

    /// The same with the heads from `queryHead` on as rows; see canTakeHeadsAsRows.
    HeadOperands operandsOfHeads(std::int64_t batch, std::int64_t queryHead,
                                 const float* keyPanels) const;

private:
    const AttentionInputs& m_inputs;
    AttentionGeometry m_geometry;
    const AttentionKernels& m_kernels;
};

} // namespace headscope
