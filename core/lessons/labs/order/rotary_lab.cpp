#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/rope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kChannels = 8;
constexpr std::int64_t kPairs = kChannels / 2;
constexpr std::int64_t kFarthest = 200; ///< Maximum of each control.
constexpr std::uint64_t kSeed = 3;

/// Query and key at any pair of positions.
class TurnedPair
{
public:
    explicit TurnedPair(RopeSettings::Layout layout)
        : m_table(settingsWith(layout), kChannels, 2 * kFarthest + 1, 2 * kFarthest + 1)
        , m_rows(randomRows(Shape{2, kChannels}, kSeed))
    {
    }

    TensorView query() const { return m_rows.view()[0]; }

    TensorView key() const { return m_rows.view()[1]; }

    Tensor turned(TensorView row, std::int64_t position) const
    {
        Tensor result(Shape{kChannels});
        std::copy_n(row.data, kChannels, result.data());
        rope(m_table, {result.data(), 1, kChannels, 1, kChannels, position, 1});
        return result;
    }

    /// Contribution of pair i to the score.
    double part(std::int64_t pair, std::int64_t queryPosition, std::int64_t keyPosition) const
    {
        const Tensor q = turned(query(), queryPosition);
        const Tensor k = turned(key(), keyPosition);
        double sum = 0.0;
        for (const std::int64_t channel : channelsOf(pair))
            sum += static_cast<double>(q.view()(channel)) * static_cast<double>(k.view()(channel));
        return sum;
    }

    double score(std::int64_t queryPosition, std::int64_t keyPosition) const
    {
        double sum = 0.0;
        for (std::int64_t pair = 0; pair < kPairs; ++pair)
            sum += part(pair, queryPosition, keyPosition);
        return sum;
    }

    std::array<std::int64_t, 2> channelsOf(std::int64_t pair) const
    {
        if (m_table.layout == RopeSettings::Layout::Half)
            return {pair, pair + kPairs};
        return {2 * pair, 2 * pair + 1};
    }

private:
    static RopeSettings settingsWith(RopeSettings::Layout layout)
    {
        RopeSettings settings;
        settings.layout = layout;
        return settings;
    }

    RopeTable m_table;
    Tensor m_rows;
};

struct Places
{
    std::int64_t query = 0;
    std::int64_t key = 0;
    std::int64_t slide = 0;
};

LabPanel vectors(const TurnedPair& pair, const Places& at)
{
    Tensor rows(Shape{4, kChannels});
    const Tensor query = pair.turned(pair.query(), at.query + at.slide);
    const Tensor key = pair.turned(pair.key(), at.key + at.slide);
    for (std::int64_t i = 0; i < kChannels; ++i) {
        rows.view()(0, i) = pair.query()(i);
        rows.view()(1, i) = query.view()(i);
        rows.view()(2, i) = pair.key()(i);
        rows.view()(3, i) = key.view()(i);
    }
    LabMatrix matrix = matrixOf("vector", "channel", rows.view(), true);
    matrix.rowLabels = {"query", fmt::format("query at {}", at.query + at.slide), "key",
                        fmt::format("key at {}", at.key + at.slide)};
    for (std::string& label : matrix.rowLabels)
        label = message(label);
    return {"Before and after the rotation",
            fmt::format("Dimensions {} and {} rotate together", pair.channelsOf(0)[0],
                        pair.channelsOf(0)[1]),
            std::move(matrix)};
}

/// Scores when both slide and when only the key slides.
LabChart slides(const TurnedPair& pair, const Places& at)
{
    LabChart chart{"shift", "score"};
    LabChart::Series both{"both slide", countedPlaces(kFarthest + 1)};
    LabChart::Series alone{"only the key slides", both.x, {}, true};
    for (std::int64_t step = 0; step <= kFarthest; ++step) {
        both.y.push_back(pair.score(at.query + step, at.key + step));
        alone.y.push_back(pair.score(at.query, at.key + step));
    }
    chart.series = {std::move(both), std::move(alone)};
    chart.mark = static_cast<double>(at.slide);
    chart.markText = "current shift";
    return chart;
}

LabBars parts(const TurnedPair& pair, const Places& at)
{
    LabBars bars;
    for (std::int64_t i = 0; i < kPairs; ++i) {
        const auto channels = pair.channelsOf(i);
        bars.bars.push_back({message(fmt::format("dims {}, {}", channels[0], channels[1])),
                             pair.part(i, at.query + at.slide, at.key + at.slide)});
    }
    return bars;
}

} // namespace

LabResult runRotary(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const TurnedPair pair(settings.text("layout") == "half" ? RopeSettings::Layout::Half
                                                            : RopeSettings::Layout::Interleaved);
    const Places at{integerUpTo(kFarthest, settings, "m"), integerUpTo(kFarthest, settings, "n"),
                    integerUpTo(kFarthest, settings, "slide")};
    const double start = pair.score(at.query, at.key);
    const double now = pair.score(at.query + at.slide, at.key + at.slide);

    LabResult result;
    LabChart chart = slides(pair, at);
    double largest = 0.0;
    for (const double score : chart.series.front().y)
        largest = std::max(largest, std::abs(score - start));
    result.panels = {vectors(pair, at),
                     {"Score by shift", "Flat: only the distance matters", std::move(chart)},
                     {"Contribution of each pair", "Their sum is the score", parts(pair, at)}};
    result.numbers = {{"score", "Score", now},
                      {"score_unmoved", "Score before sliding", start},
                      {"change", "Change by this slide", std::abs(now - start)},
                      {"largest_change", "Change by any slide", largest},
                      {"distance", "m \u2212 n", static_cast<double>(at.query - at.key)},
                      {"score_plain", "Score without rotation", pair.score(0, 0)}};
    result.sentence =
        fmt::format("Query at {}, key at {}: the score is {:.4f}. Sliding both together "
                    "changes it by {:.1e} at most, which is rounding.",
                    at.query + at.slide, at.key + at.slide, now, largest);
    return result;
}

} // namespace headscope
