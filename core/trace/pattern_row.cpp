#include "core/trace/pattern_row.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

std::vector<float> patternRow(const Trace& trace, TraceKey pattern, int head, std::int64_t query)
{
    const auto kept = trace.retainedPatterns().find(pattern);
    if (kept != trace.retainedPatterns().end()) {
        const Tensor row = kept->second->rows(head, query, 1);
        return {row.values().begin(), row.values().end()};
    }
    const auto whole = trace.find(pattern);
    if (!whole)
        return {};
    const Shape& shape = whole->shape();
    if (head < 0 || head >= shape[0] || query < 0 || query >= shape[1])
        throw ShapeError(
            fmt::format("head {}, query {} is outside a pattern {}", head, query, shape.toString()),
            "patternRow");
    const float* row = whole->view()[head][query].data;
    return {row, row + shape[2]};
}

} // namespace headscope
