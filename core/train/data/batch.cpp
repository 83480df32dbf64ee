#include "core/train/data/batch.h"

namespace headscope {

namespace {

/// Elements [begin, end) of a list with `width` values per row; empty stays empty.
template<class Value>
std::vector<Value> rowsOf(const std::vector<Value>& values, std::int64_t width, std::int64_t begin,
                          std::int64_t end)
{
    if (values.empty())
        return {};
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin * width);
    return {first, first + static_cast<std::ptrdiff_t>((end - begin) * width)};
}

} // namespace

Batch batchRows(const Batch& batch, std::int64_t begin, std::int64_t end)
{
    Batch part;
    part.rows = end - begin;
    part.length = batch.length;
    part.sourceLength = batch.sourceLength;
    part.mask = batch.mask;
    part.inputs = rowsOf(batch.inputs, batch.length, begin, end);
    part.targets = rowsOf(batch.targets, batch.length, begin, end);
    part.keyMask = rowsOf(batch.keyMask, batch.length, begin, end);
    part.segments = rowsOf(batch.segments, batch.length, begin, end);
    part.nextSentence = rowsOf(batch.nextSentence, 1, begin, end);
    part.sources = rowsOf(batch.sources, batch.sourceLength, begin, end);
    part.sourceKeyMask = rowsOf(batch.sourceKeyMask, batch.sourceLength, begin, end);
    return part;
}

std::vector<TokenId> unmaskedIds(const std::vector<TokenId>& ids,
                                 const std::vector<std::uint8_t>& mask, std::int64_t length,
                                 std::int64_t row)
{
    std::vector<TokenId> shown;
    for (std::int64_t i = row * length; i < (row + 1) * length; ++i) {
        const auto place = static_cast<std::size_t>(i);
        if (mask.empty() || mask[place] != 0)
            shown.push_back(ids[place]);
    }
    return shown;
}

} // namespace headscope
