#pragma once

#include "core/train/data/batch.h"

#include <memory>

namespace headscope {

/// Batches with a different number of rows from a source whose batches all have one shape: the
/// first rows of the source's own batch, then those of further batches. Still depends only on
/// (seed, step). Held-out batches are those of the source.
class ResizedBatches final : public BatchSource
{
public:
    ResizedBatches(std::shared_ptr<const BatchSource> source, std::int64_t rows);

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_source->validationBatchCount(); }

    Batch validationBatch(std::int64_t index) const override
    {
        return m_source->validationBatch(index);
    }

private:
    std::shared_ptr<const BatchSource> m_source;
    std::int64_t m_rows;
};

} // namespace headscope
