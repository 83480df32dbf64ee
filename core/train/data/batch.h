#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope {

constexpr TokenId kIgnoredTarget = -100;

/// One training batch: `rows` sequences of `length` tokens, row-major, and the target of each
/// position (kIgnoredTarget: no loss there). The other fields may stay empty: no padding, no
/// source, segment 0, the model's own mask.
struct Batch
{
    std::int64_t rows = 0;
    std::int64_t length = 0;
    std::vector<TokenId> inputs;  ///< Token ids [rows * length].
    std::vector<TokenId> targets; ///< Target ids [rows * length].
    /// Key mask [rows * length]: 0 hides a padding token as a key.
    std::vector<std::uint8_t> keyMask = {};
    std::vector<std::int32_t> segments = {}; ///< Segments [rows * length] (BERT's token types).
    /// Labels [rows]: 0 follows, 1 does not, kIgnoredTarget.
    std::vector<std::int32_t> nextSentence = {};
    std::vector<std::uint8_t> mask = {}; ///< Mask [length * length] for all rows: 1 = may attend.
    std::int64_t sourceLength = 0;       ///< Source length of encoder-decoders.
    std::vector<TokenId> sources = {};   ///< Source ids [rows * sourceLength].
    std::vector<std::uint8_t> sourceKeyMask = {}; ///< Source key mask [rows * sourceLength].
};

/// Rows [begin, end) with all their fields.
Batch batchRows(const Batch& batch, std::int64_t begin, std::int64_t end);

/// One row of a field with `length` entries per row; empty stays empty.
template<class Value>
std::span<const Value> batchRow(const std::vector<Value>& field, std::int64_t length,
                                std::int64_t row)
{
    return field.empty() ? std::span<const Value>()
                         : std::span(field).subspan(row * length, length);
}

/// Entries of one row up to the last unmasked one; all of them without a mask.
template<class Value>
std::span<const Value> unpaddedRow(const std::vector<Value>& field,
                                   const std::vector<std::uint8_t>& mask, std::int64_t length,
                                   std::int64_t row)
{
    const auto masks = batchRow(mask, length, row);
    auto entries = batchRow(field, length, row);
    while (!masks.empty() && entries.size() > 1 && masks[entries.size() - 1] == 0)
        entries = entries.first(entries.size() - 1);
    return entries;
}

/// Ids of one row that are not masked.
std::vector<TokenId> unmaskedIds(const std::vector<TokenId>& ids,
                                 const std::vector<std::uint8_t>& mask, std::int64_t length,
                                 std::int64_t row);

/// Provides batches by number, so that a resumed training run sees the same batches as an
/// uninterrupted one.
class BatchSource
{
public:
    virtual ~BatchSource() = default;

    /// Depends only on (seed, step). Thread-safe.
    virtual Batch trainingBatch(std::uint64_t seed, std::int64_t step) const = 0;

    /// Number of held-out batches, 0 .. validationBatchCount() - 1, always the same.
    virtual std::int64_t validationBatchCount() const = 0;
    virtual Batch validationBatch(std::int64_t index) const = 0;
};

/// Visits every row of the held-out batches: visit(batch, row).
template<class Visit>
void forEachHeldOutRow(const BatchSource& batches, Visit visit)
{
    for (std::int64_t index = 0; index < batches.validationBatchCount(); ++index) {
        const Batch batch = batches.validationBatch(index);
        for (std::int64_t row = 0; row < batch.rows; ++row)
            visit(batch, row);
    }
}

} // namespace headscope
