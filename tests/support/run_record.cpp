#include "tests/support/run_record.h"

#include "tests/support/small_models.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headscope::test {

namespace {

void append(TensorView view, float*& out)
{
    if (view.shape.rank() <= 1) {
        out = std::copy_n(view.data, view.shape.elementCount(), out);
        return;
    }
    for (std::int64_t i = 0; i < view.shape[0]; ++i)
        append(view[i], out);
}

std::span<const float> row(TensorView view)
{
    return {view.data, static_cast<std::size_t>(view.shape.elementCount())};
}

/// Rows of [heads, queries, keys]: the same weights for the keys that were there, no other keys.
std::string patternDifference(const RunRecord::Rows& got, const Tensor& expected, Site site,
                              Exactness exactness)
{
    const TensorView a = got.values.view();
    const TensorView b = expected.view();
    const bool scores = site == Site::AttnScores || site == Site::CrossScores;
    const float masked = scores ? -std::numeric_limits<float>::infinity() : 0.0F;
    const auto keys = static_cast<std::size_t>(a.shape[2]);
    for (std::int64_t head = 0; head < a.shape[0]; ++head)
        for (std::int64_t query = 0; query < a.shape[1]; ++query) {
            const std::span<const float> all = row(b[head][got.first + query]);
            const std::string problem = difference(row(a[head][query]), all.first(keys), exactness);
            if (!problem.empty())
                return fmt::format("head {}, query {}: {}", head, got.first + query, problem);
            for (const float cell : all.subspan(keys))
                if (cell != masked)
                    return fmt::format("head {}, query {} sees a later key", head, query);
        }
    return {};
}

std::string rowsDifference(TraceKey key, const RunRecord::Rows& got, const Tensor& expected,
                           Exactness exactness)
{
    if (hasQueryRowsPerHead(key.site))
        return patternDifference(got, expected, key.site, exactness);
    const auto width = static_cast<std::size_t>(expected.view().stride(0));
    const auto first = static_cast<std::size_t>(got.first) * width;
    if (first + got.values.size() > expected.size())
        return "there are more rows than expected";
    return difference(got.values.values(), expected.values().subspan(first, got.values.size()),
                      exactness);
}

} // namespace

Tensor contiguous(TensorView view)
{
    Tensor copy(view.shape);
    float* out = copy.data();
    append(view, out);
    return copy;
}

void RunRecord::record(TraceKey key, TensorView activation, std::int64_t firstRow)
{
    m_all[key] = {contiguous(activation), firstRow};
}

std::string difference(std::span<const float> got, std::span<const float> expected,
                       Exactness exactness)
{
    if (got.size() != expected.size())
        return fmt::format("{} values where {} were expected", got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::bit_cast<std::uint32_t>(got[i]) == std::bit_cast<std::uint32_t>(expected[i]))
            continue;
        const double b = static_cast<double>(expected[i]);
        const double distance = std::abs(static_cast<double>(got[i]) - b);
        if (!(distance <= exactness.tolerance * (1.0 + std::abs(b))) || exactness.tolerance == 0.0)
            return fmt::format("value {} is {} where {} was expected", i, got[i], expected[i]);
    }
    return {};
}

std::string difference(const RunRecord& got, const RunRecord& expected, Exactness exactness)
{
    for (const auto& [key, rows] : got.all()) {
        const auto found = expected.all().find(key);
        const std::string problem =
            found == expected.all().end()
                ? "nothing was expected"
                : rowsDifference(key, rows, found->second.values, exactness);
        if (!problem.empty())
            return toString(key) + ": " + problem;
    }
    return {};
}

RunText randomText(const ModelConfig& config, std::uint64_t seed, std::size_t tokens)
{
    RunText text{randomIds(seed, tokens, config.vocabularySize), {}};
    if (config.isEncoderDecoder())
        text.source = randomIds(seed + 1000, 9, config.vocabularySize);
    return text;
}

KvCache cacheFor(const Model& model, const RunText& text, AttentionBackend& backend,
                 ForwardOptions options)
{
    KvCache cache(model.config());
    if (!text.source.empty())
        model.encode(text.source, backend, cache, options);
    return cache;
}

WholePass wholePass(const Model& model, const RunText& text, std::size_t tokens,
                    AttentionBackend& backend, ForwardOptions options)
{
    WholePass pass;
    options.observer = &pass.record;
    KvCache cache = cacheFor(model, text, backend, options);
    pass.logits = model.forward(std::span(text.ids).first(tokens), backend, cache, options);
    return pass;
}

} // namespace headscope::test
