#include "core/io/adapters/stored_adapter.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

void requireFinite(const Tensor& values, const StoredLoraPair& pair, const std::string& path)
{
    const auto numbers = values.values();
    if (!std::all_of(numbers.begin(), numbers.end(), [](float v) { return std::isfinite(v); }))
        throw FormatError(
            fmt::format("the update of {} has a number that is not finite", inQuotes(pair.module)),
            path, std::nullopt, "Save the adapter again");
}

} // namespace

void checkPairs(const StoredAdapter& adapter)
{
    if (adapter.pairs.empty())
        throw FormatError("an adapter without updates", adapter.path, std::nullopt,
                          "Give a LoRA adapter with pairs of matrices A and B");
    for (const StoredLoraPair& pair : adapter.pairs) {
        const Shape& a = pair.a.shape();
        const Shape& b = pair.b.shape();
        if (a.rank() != 2 || b.rank() != 2 || a[0] == 0 || a[0] != b[1])
            throw FormatError(fmt::format("the matrices A {} and B {} of {} do not fit",
                                          a.toString(), b.toString(), inQuotes(pair.module)),
                              adapter.path, std::nullopt, "A is [r, inputs], B is [outputs, r]");
        if (!std::isfinite(pair.scale))
            throw FormatError(fmt::format("the factor of {} is not finite", inQuotes(pair.module)),
                              adapter.path, std::nullopt, "Give a finite alpha");
        requireFinite(pair.a, pair, adapter.path);
        requireFinite(pair.b, pair, adapter.path);
    }
}

Tensor transposed(const Tensor& matrix)
{
    Tensor result(Shape{matrix.shape()[1], matrix.shape()[0]});
    for (std::int64_t row = 0; row < matrix.shape()[0]; ++row)
        for (std::int64_t column = 0; column < matrix.shape()[1]; ++column)
            result.view()(column, row) = matrix.view()(row, column);
    return result;
}

} // namespace headscope
