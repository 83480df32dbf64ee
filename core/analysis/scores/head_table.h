#pragma once

#include "core/analysis/scores/head_measures.h"
#include "core/trace/head_id.h"
#include "core/trace/trace.h"

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Scores of all heads of one attention kind on one text. NaN: not defined; why() gives the reason.
struct HeadScoreTable
{
    using Row = std::vector<double>; ///< In the order of headScoreInfos().

    AttentionKind attention = AttentionKind::Self;
    int layers = 0;
    int heads = 0;
    std::vector<Row> values;          ///< Layer-major.
    std::vector<std::string> reasons; ///< Reason for each score without a value: one sentence.

    double at(HeadId head, HeadScore score) const; ///< Value by layer and head; NaN out of range.

    double at(int layer, int head, HeadScore score) const
    {
        return at({attention, layer, head}, score);
    }

    void put(HeadId head, HeadScore score, double value);

    bool isEmpty() const { return values.empty(); }

    bool has(HeadScore score) const; ///< True if some head has a value.

    std::vector<HeadId> measuredHeads() const; ///< Heads with a value, in the model's order.

    /// Reason why no head has this score; empty when one has.
    std::string why(HeadScore score) const;

    /// Heads by this score, largest first (smallest first when `rising`), undefined ones last;
    /// equal ones in the model's order.
    std::vector<HeadId> ranked(HeadScore score, bool rising = false) const;

    /// Median of the heads that have a value; NaN without any.
    double median(HeadScore score) const;
};

using HeadScoreTables = std::map<AttentionKind, HeadScoreTable>;
using HeadScoreTablesPtr = std::shared_ptr<const HeadScoreTables>;

struct HeadScoreOptions
{
    double inductionThreshold = 0.01; ///< Weights below count as 0 in InductionOnText.

    /// If not 0, the text is `prefix` tokens, then `period` tokens repeated. Only then are the
    /// stripes (over the second round) and, with four rounds or more, prefix matching defined.
    std::int64_t period = 0;
    std::int64_t prefix = 0;

    friend bool operator==(const HeadScoreOptions&, const HeadScoreOptions&) = default;
};

/// All scores that need only the text, of all heads; reads each pattern once, heads in parallel.
/// Patterns that are not square (cross-attention) have only entropies, first token and sink. Rows
/// of a bidirectional pattern can attend to all keys, others to i + 1. Throws Cancelled.
HeadScoreTables scoreTrace(const Trace& trace, const HeadScoreOptions& options = {},
                           const std::stop_token& stop = {});

/// Fraction of all self-attention heads whose sink is above kSinkThreshold (Gu et al. 2024). NaN
/// where no head has one.
double sinkRate(const HeadScoreTables& tables);

/// Difference `b` - `a`, head by head, of the attention kinds and heads that both have; NaN where
/// either is.
HeadScoreTables differenceOf(const HeadScoreTables& a, const HeadScoreTables& b);

/// Caches the scores of the last traces. Thread-safe.
class HeadScoreCache
{
public:
    HeadScoreTablesPtr scoresOf(const TracePtr& trace, const HeadScoreOptions& options = {},
                                const std::stop_token& stop = {});

private:
    struct Entry
    {
        std::weak_ptr<const Trace> trace;
        HeadScoreOptions options;
        HeadScoreTablesPtr tables;
    };

    std::mutex m_mutex;           // guards m_entries
    std::vector<Entry> m_entries; // newest last
};

} // namespace headscope
