#include "core/analysis/lens/stream_lens.h"

#include "core/analysis/lens/lens_head.h"
#include "core/analysis/lens/lens_row.h"
#include "core/analysis/lens/tuned_lens.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/model/pass/site_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

namespace headscope {

namespace {

/// Number of logits at a time (4 MiB) per thread.
constexpr std::int64_t kLogitValues = 1 << 20;

StreamLens emptyLens(const ModelConfig& config, const Trace& trace,
                     const StreamLensOptions& options)
{
    StreamLens lens;
    lens.stages = lensStages(config, options.halfSteps);
    if (!options.embeddings && !lens.stages.empty())
        lens.stages.erase(lens.stages.begin());
    const auto tokens = static_cast<int>(trace.tokens().size());
    lens.positions = options.positions;
    if (lens.positions.empty()) {
        lens.positions.resize(static_cast<std::size_t>(tokens));
        std::iota(lens.positions.begin(), lens.positions.end(), 0);
    }
    lens.top = static_cast<int>(
        std::clamp<std::int64_t>(options.top, 1, std::max<std::int64_t>(config.vocabularySize, 1)));
    for (const int position : lens.positions) {
        if (position < 0 || position >= tokens)
            throw ShapeError(fmt::format("position {} of {} tokens", position, tokens),
                             "streamLens");
        const auto index = static_cast<std::size_t>(position);
        lens.targets.push_back(index < options.targets.size() ? options.targets[index]
                                                              : std::nullopt);
        if (const auto target = lens.targets.back();
            target && static_cast<std::int64_t>(*target) >= config.vocabularySize)
            throw ShapeError(
                fmt::format("target {} of a vocabulary of {}", *target, config.vocabularySize),
                "streamLens");
    }
    const std::size_t cells = lens.positions.size() * lens.stages.size();
    lens.ids.resize(cells * static_cast<std::size_t>(lens.top));
    lens.probabilities.resize(lens.ids.size());
    lens.entropies.resize(cells);
    lens.divergences.resize(cells);
    lens.ranks.resize(cells);
    lens.logProbabilities.resize(cells, std::numeric_limits<double>::quiet_NaN());
    return lens;
}

/// Computes the cells of some rows at a time.
class LensReader
{
public:
    LensReader(const Model& model, const Trace& trace, const StreamLensOptions& options,
               StreamLens& lens, const std::stop_token& stop)
        : m_head(model)
        , m_trace(trace)
        , m_options(options)
        , m_lens(lens)
        , m_stop(stop)
    {
        for (const LensStage& stage : lens.stages) {
            if (!trace.has(stage.key))
                throw Error(fmt::format("the trace contains no {}", toString(stage.key)),
                            "logit lens", "Request it before tracing");
            m_maps.push_back(mapOf(stage));
        }
    }

    void read()
    {
        const auto rows = static_cast<std::int64_t>(m_lens.positions.size());
        if (rows == 0 || m_lens.stages.empty())
            return;
        const std::int64_t fitting = std::max<std::int64_t>(kLogitValues / m_head.vocabulary(), 1);
        const auto threads = static_cast<std::int64_t>(workerCount());
        const std::int64_t count = std::clamp<std::int64_t>((rows + threads - 1) / threads, 1,
                                                            std::min<std::int64_t>(fitting, 64));
        const std::int64_t chunks = (rows + count - 1) / count;
        parallelFor(static_cast<std::size_t>(chunks), static_cast<std::size_t>(threads),
                    [&](std::size_t begin, std::size_t end, std::size_t) {
                        for (std::size_t chunk = begin; chunk < end; ++chunk) {
                            const auto first = static_cast<std::int64_t>(chunk) * count;
                            readRows(first, std::min(count, rows - first));
                        }
                    });
    }

private:
    const TunedLens::Map* mapOf(const LensStage& stage) const
    {
        if (m_options.tuned == nullptr || stage == m_lens.stages.back())
            return nullptr;
        const TunedLens::Map* map = m_options.tuned->find(stage);
        if (map == nullptr || map->bias.shape() != Shape{m_head.width()})
            throw Error(fmt::format("the tuned lens has no map for {}", toString(stage.key)),
                        "tuned lens", "Train the lens for this model");
        return map;
    }

    /// [rows, d] of one stage, as the lens reads them.
    Tensor streamOf(std::size_t stage, std::int64_t first, std::int64_t count) const
    {
        Tensor rows({count, m_head.width()});
        for (std::int64_t row = 0; row < count;) {
            const std::int64_t following = followingPositions(first + row, first + count);
            const ActivationRows some = m_trace.findRows(
                m_lens.stages[stage].key, m_lens.positions[static_cast<std::size_t>(first + row)],
                following);
            copyPacked(some.view, rows.view()[row].data);
            row += following;
        }
        return m_maps[stage] ? translated(m_maps[stage], rows.view()) : rows;
    }

    /// How many rows from `row` on are neighbours in the text.
    std::int64_t followingPositions(std::int64_t row, std::int64_t end) const
    {
        const auto position = [&](std::int64_t at) {
            return m_lens.positions[static_cast<std::size_t>(at)];
        };
        std::int64_t next = row + 1;
        while (next < end && position(next) == position(next - 1) + 1)
            ++next;
        return next - row;
    }

    void readRows(std::int64_t first, std::int64_t count)
    {
        Tensor own({count, m_head.vocabulary()});
        Tensor logits(own.shape());
        const std::size_t last = m_lens.stages.size() - 1;
        m_head.logits(streamOf(last, first, count).view(), own.view());
        const std::vector<LensRow> ownRows = lensRows(own.view());
        for (std::size_t stage = 0; stage < m_lens.stages.size(); ++stage) {
            throwIfStopped(m_stop);
            if (stage != last)
                m_head.logits(streamOf(stage, first, count).view(), logits.view());
            const Tensor& shown = stage == last ? own : logits;
            for (std::int64_t row = 0; row < count; ++row)
                fill(static_cast<int>(first + row), static_cast<int>(stage),
                     ownRows[static_cast<std::size_t>(row)], LensRow(shown.view()[row]));
            tell(count);
        }
    }

    void fill(int row, int stage, const LensRow& own, const LensRow& shown)
    {
        const std::size_t cell = m_lens.at(row, stage);
        const std::size_t top = m_lens.topAt(row, stage);
        shown.top(
            std::span(m_lens.ids).subspan(top, static_cast<std::size_t>(m_lens.top)),
            std::span(m_lens.probabilities).subspan(top, static_cast<std::size_t>(m_lens.top)));
        m_lens.entropies[cell] = shown.entropy();
        m_lens.divergences[cell] = divergence(own, shown);
        if (const auto target = m_lens.targets[static_cast<std::size_t>(row)]) {
            m_lens.ranks[cell] = shown.rank(*target);
            m_lens.logProbabilities[cell] = shown.logProbability(*target);
        }
    }

    void tell(std::int64_t cells)
    {
        if (!m_options.progress)
            return;
        const std::lock_guard lock(m_mutex);
        m_done += cells;
        m_options.progress(m_done, static_cast<std::int64_t>(m_lens.entropies.size()));
    }

    LensHead m_head;
    const Trace& m_trace;
    const StreamLensOptions& m_options;
    StreamLens& m_lens;
    std::stop_token m_stop;
    std::vector<const TunedLens::Map*> m_maps;
    std::mutex m_mutex;
    std::int64_t m_done = 0; // guarded by m_mutex
};

} // namespace

std::vector<LensStage> lensStages(const ModelConfig& config, bool halfSteps)
{
    using Kind = LensStage::Kind;
    const Stack stack = config.mainStack();
    const auto layers = static_cast<int>(layerCount(config, stack));
    std::vector<LensStage> stages;
    if (layers > 0)
        stages.push_back({Kind::Embeddings, {Site::ResidPre, 0, stack}});
    for (int layer = 0; layer < layers; ++layer) {
        const bool crosses = stack == Stack::Decoder;
        const bool feedsForward = config.dFf > 0;
        if (halfSteps && (crosses || feedsForward))
            stages.push_back({Kind::AfterAttention, {Site::ResidMid, layer, stack}});
        if (halfSteps && crosses && feedsForward)
            stages.push_back({Kind::AfterCross, {Site::ResidMidCross, layer, stack}});
        stages.push_back({Kind::AfterLayer, {Site::ResidPost, layer, stack}});
    }
    return stages;
}

std::vector<std::string> lensSites(const ModelConfig& config, bool halfSteps)
{
    std::vector<std::string> sites;
    for (const LensStage& stage : lensStages(config, halfSteps))
        sites.push_back(toString(stage.key));
    return sites;
}

StreamLens streamLens(const Model& model, const Trace& trace, const StreamLensOptions& options,
                      const std::stop_token& stop)
{
    StreamLens lens = emptyLens(model.config(), trace, options);
    LensReader(model, trace, options, lens, stop).read();
    return lens;
}

std::vector<std::optional<TokenId>> followingTokens(const ModelConfig& config, const Trace& trace)
{
    const auto& tokens = trace.tokens().tokens;
    const std::size_t ahead = config.hasDecoder() ? 1 : 0;
    std::vector<std::optional<TokenId>> following(tokens.size());
    for (std::size_t i = 0; i + ahead < tokens.size(); ++i)
        following[i] = tokens[i + ahead].id;
    return following;
}

} // namespace headscope
