#include "core/runs/resized_batches.h"

#include "core/base/random.h"

#include <utility>

namespace headscope {

namespace {

void appendRows(Batch& batch, const Batch& more)
{
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    append(batch.inputs, more.inputs);
    append(batch.targets, more.targets);
    append(batch.keyMask, more.keyMask);
    append(batch.segments, more.segments);
    append(batch.nextSentence, more.nextSentence);
    append(batch.sources, more.sources);
    append(batch.sourceKeyMask, more.sourceKeyMask);
    batch.rows += more.rows;
}

} // namespace

ResizedBatches::ResizedBatches(std::shared_ptr<const BatchSource> source, std::int64_t rows)
    : m_source(std::move(source))
    , m_rows(rows)
{
}

Batch ResizedBatches::trainingBatch(std::uint64_t seed, std::int64_t step) const
{
    Batch batch = m_source->trainingBatch(seed, step);
    for (std::uint64_t draw = 1; batch.rows < m_rows; ++draw)
        appendRows(batch, m_source->trainingBatch(mixBits(mixBits(seed) + draw), step));
    return batch.rows == m_rows ? batch : batchRows(batch, 0, m_rows);
}

} // namespace headscope
