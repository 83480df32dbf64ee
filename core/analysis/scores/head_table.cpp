#include "core/analysis/scores/head_table.h"

#include "core/analysis/scores/head_pass.h"
#include "core/analysis/scores/undefined.h"
#include "core/base/error.h"
#include "core/base/median.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kRemembered = 6; // Number of traces: A, B and a few steps back.

/// One head's pattern in either representation of the trace; null where there is none.
struct OnePattern
{
    std::shared_ptr<const Tensor> owner;
    TensorView view;

    OnePattern(const Trace& trace, TraceKey key, int head)
    {
        if (trace.retainedPatterns().contains(key)) {
            owner = trace.findHead(key, head);
            view = owner ? owner->view() : TensorView();
        } else if (owner = trace.find(key); owner && head < owner->shape()[0]) {
            view = owner->view()[head];
        }
    }
};

std::string whyNoRepeats(const TextRepeats& repeats)
{
    if (repeats.repeated > 0)
        return {};
    return "No token of this text is repeated, so induction is not defined. Try random repeats.";
}

std::string whyNot(const HeadScoreInfo& info, AttentionKind attention, const TextRepeats& repeats,
                   std::size_t tokens)
{
    if (info.needs == HeadScoreNeeds::RandomRepeats)
        return "This is measured on repeated random tokens.";
    if (info.needs == HeadScoreNeeds::Samples)
        return "This is measured on the sample texts.";
    if (info.needs == HeadScoreNeeds::Weights)
        return "This is measured on the model's weights.";
    if (attention == AttentionKind::Cross)
        return "Query and key are in different texts, so only entropy and first token are "
               "defined.";
    if (tokens < 2)
        return "A single token has no earlier token to attend to.";
    if (info.score == HeadScore::Retrieval && !repeats.needle)
        return "This text repeats no three tokens in a row, so there is nothing to retrieve. Repeat "
               "a sentence of it at its end.";
    if (const std::string why = whyNoRepeats(repeats); !why.empty())
        return why;
    return "This score is not defined here.";
}

void checkShape(TensorView pattern, std::size_t ids)
{
    const bool isSquare = pattern.shape.rank() == 2 && pattern.shape[0] == pattern.shape[1];
    if (!isSquare || pattern.shape[0] != static_cast<std::int64_t>(ids))
        throw ShapeError(
            fmt::format("a pattern of shape {} for {} tokens", pattern.shape.toString(), ids),
            "head table", "Give [n, n] and n ids");
}

HeadScoreTable scoreKind(const Trace& trace, AttentionKind attention,
                         const HeadScoreOptions& options, const std::stop_token& stop)
{
    HeadScoreTable table;
    table.attention = attention;
    table.layers = trace.layerCount(attention);
    table.heads = trace.headCount(attention);
    table.values.assign(static_cast<std::size_t>(table.layers) *
                            static_cast<std::size_t>(table.heads),
                        HeadScoreTable::Row(headScoreInfos().size(), kUndefined));
    const TokenSequence& tokens = trace.queryTokens(attention);
    const TextRepeats repeats(attention == AttentionKind::Cross ? TokenSequence() : tokens);
    const bool ahead = attention != AttentionKind::Cross && seesAhead(trace, attention);
    parallelForEach(table.values.size(), 4 * workerCount(), stop, [&](std::size_t place) {
        const int layer = static_cast<int>(place) / table.heads;
        const OnePattern one(trace, patternKey(attention, layer),
                             static_cast<int>(place) % table.heads);
        if (!one.view)
            return;
        if (attention != AttentionKind::Cross)
            checkShape(one.view, tokens.size());
        table.values[place] = attention == AttentionKind::Cross
                                  ? scoreCross(one.view)
                                  : scoreSquare(one.view, repeats, options, ahead);
    });
    for (const HeadScoreInfo& info : headScoreInfos())
        table.reasons.push_back(table.has(info.score)
                                    ? std::string()
                                    : whyNot(info, attention, repeats, tokens.size()));
    return table;
}

} // namespace

double HeadScoreTable::at(HeadId head, HeadScore score) const
{
    if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= heads)
        return kUndefined;
    return values[static_cast<std::size_t>(head.layer * heads + head.head)]
                 [static_cast<std::size_t>(score)];
}

void HeadScoreTable::put(HeadId head, HeadScore score, double value)
{
    values.at(static_cast<std::size_t>(head.layer * heads + head.head))
        .at(static_cast<std::size_t>(score)) = value;
}

bool HeadScoreTable::has(HeadScore score) const
{
    return std::ranges::any_of(values, [score](const Row& row) {
        return !std::isnan(row[static_cast<std::size_t>(score)]);
    });
}

std::vector<HeadId> HeadScoreTable::measuredHeads() const
{
    std::vector<HeadId> measured;
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head) {
            const Row& row = values[static_cast<std::size_t>(layer * heads + head)];
            if (!std::ranges::all_of(row, [](double value) { return std::isnan(value); }))
                measured.push_back({attention, layer, head});
        }
    return measured;
}

std::string HeadScoreTable::why(HeadScore score) const
{
    if (has(score))
        return {};
    const auto index = static_cast<std::size_t>(score);
    if (index < reasons.size() && !reasons[index].empty())
        return reasons[index];
    return "This score is not defined here.";
}

std::vector<HeadId> HeadScoreTable::ranked(HeadScore score, bool rising) const
{
    std::vector<HeadId> order;
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            order.push_back({attention, layer, head});
    std::ranges::stable_sort(order, [&](HeadId one, HeadId other) {
        const double a = at(one, score);
        const double b = at(other, score);
        if (std::isnan(a) || std::isnan(b))
            return !std::isnan(a) && std::isnan(b);
        return rising ? a < b : a > b;
    });
    return order;
}

double HeadScoreTable::median(HeadScore score) const
{
    std::vector<double> known;
    for (const Row& row : values)
        if (const double value = row[static_cast<std::size_t>(score)]; !std::isnan(value))
            known.push_back(value);
    return headscope::median(std::move(known));
}

HeadScoreTables scoreTrace(const Trace& trace, const HeadScoreOptions& options,
                           const std::stop_token& stop)
{
    HeadScoreTables tables;
    for (const AttentionKind attention : trace.attentionKinds())
        tables[attention] = scoreKind(trace, attention, options, stop);
    return tables;
}

double sinkRate(const HeadScoreTables& tables)
{
    double sinks = 0.0;
    double heads = 0.0;
    for (const auto& [attention, table] : tables) {
        for (const HeadScoreTable::Row& row : table.values) {
            const double mass = row[static_cast<std::size_t>(HeadScore::Sink)];
            if (attention == AttentionKind::Cross || std::isnan(mass))
                continue;
            sinks += mass > kSinkThreshold ? 1.0 : 0.0;
            heads += 1.0;
        }
    }
    return heads > 0.0 ? sinks / heads : kUndefined;
}

HeadScoreTables differenceOf(const HeadScoreTables& a, const HeadScoreTables& b)
{
    HeadScoreTables difference;
    for (const auto& [attention, table] : b) {
        const auto before = a.find(attention);
        if (before == a.end())
            continue;
        HeadScoreTable& made = difference[attention] = table;
        for (int layer = 0; layer < table.layers; ++layer)
            for (int head = 0; head < table.heads; ++head)
                for (const HeadScoreInfo& info : headScoreInfos())
                    made.put({layer, head}, info.score,
                             table.at(layer, head, info.score) -
                                 before->second.at(layer, head, info.score));
    }
    return difference;
}

HeadScoreTablesPtr HeadScoreCache::scoresOf(const TracePtr& trace, const HeadScoreOptions& options,
                                            const std::stop_token& stop)
{
    {
        const std::lock_guard lock(m_mutex);
        for (const Entry& entry : m_entries)
            if (trace && entry.trace.lock() == trace && entry.options == options)
                return entry.tables;
    }
    if (!trace)
        return std::make_shared<const HeadScoreTables>();
    const auto tables = std::make_shared<const HeadScoreTables>(scoreTrace(*trace, options, stop));
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_entries, [](const Entry& entry) { return entry.trace.expired(); });
    if (m_entries.size() >= kRemembered)
        m_entries.erase(m_entries.begin());
    m_entries.push_back({trace, options, tables});
    return tables;
}

} // namespace headscope
