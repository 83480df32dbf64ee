#pragma once

#include "core/train/data/batch.h"

namespace headscope {

struct RecallTaskSettings
{
    std::int64_t rows = 32;
    std::int64_t length = 64; ///< Symbols of a row; also the largest distance.
    std::int64_t queries = 8; ///< Queries at the end of a training row.
    std::int64_t symbols = 8; ///< Number of different symbols.
    std::int64_t validationBatches = 4;
};

/// Recall over a distance: random symbols, then queries; query k asks for the symbol k places
/// before the first query, and only queries have a target. What was read says nothing about what
/// will be asked, so all of it must be kept, as in the memory task of Jaeger (2001). Token ids: the
/// symbols, then the queries from 1 to `length`.
class RecallTask final : public BatchSource
{
public:
    explicit RecallTask(RecallTaskSettings settings); ///< Throws Error for an empty task.

    const RecallTaskSettings& settings() const { return m_settings; }

    std::int64_t vocabularySize() const { return m_settings.symbols + m_settings.length; }

    /// Distances are uniform in [1, length].
    Batch trainingBatch(std::uint64_t seed, std::int64_t step) const override;

    std::int64_t validationBatchCount() const override { return m_settings.validationBatches; }

    Batch validationBatch(std::int64_t index) const override;

    /// Held-out rows with a single query, for the symbol so many places back.
    Batch validationBatchAt(std::int64_t distance, std::int64_t index) const;

private:
    Batch batch(std::uint64_t seed, std::uint64_t number, std::int64_t queries,
                std::int64_t distance) const;

    RecallTaskSettings m_settings;
};

} // namespace headscope
