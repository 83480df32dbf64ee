#pragma once

#include "core/train/data/batch.h"

#include <vector>

namespace headscope {

struct RecallTaskSettings
{
    std::int64_t rows = 32;
    std::vector<std::int64_t> distances{4, 8, 16, 32, 64}; ///< Between an item and its query.
    std::int64_t items = 1;                                ///< Items that a row asks to remember.
    std::int64_t values = 8;                               ///< Values that an item can have.
    std::int64_t fillers = 8;                              ///< Tokens that mean nothing.
    std::int64_t lead = 8; ///< A row begins with fewer fillers than this.
    std::int64_t validationBatches = 20;
};

/// Recall over a distance, the long time lag problem of Hochreiter and Schmidhuber (1997): fillers,
/// an item, more fillers, and at the end a query; its target is the value of the item, so many
/// tokens back. Only the query has a target. With several items the query names one of them, and
/// the others stand in between. One distance per batch, in turn. Token ids: items * values items,
/// then the fillers, then one query per item.
class RecallTask final : public BatchSource
{
public:
    explicit RecallTask(RecallTaskSettings settings); ///< Throws Error for settings without sense.

    const RecallTaskSettings& settings() const { return m_settings; }

    std::int64_t vocabularySize() const;
    std::int64_t longestRow() const;
    std::int64_t distanceOf(std::int64_t batch) const; ///< Of training and of validation batches.

    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

private:
    Batch batch(std::uint64_t seed, std::int64_t number) const;

    RecallTaskSettings m_settings;
};

} // namespace headscope
