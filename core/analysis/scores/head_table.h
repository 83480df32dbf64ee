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

/// All heads of one kind of attention, measured on one text. NaN: not defined there; why() tells.
struct HeadScoreTable
{
    using Row = std::vector<double>; ///< as headScoreInfos()

    AttentionKind attention = AttentionKind::Self;
    int layers = 0;
    int heads = 0;
    std::vector<Row> values;          ///< layer-major
    std::vector<std::string> reasons; ///< of each score: one sentence where it has no value

    double at(HeadId head, HeadScore score) const; ///< by layer and head; NaN outside the table

    double at(int layer, int head, HeadScore score) const
    {
        return at({attention, layer, head}, score);
    }

    void put(HeadId head, HeadScore score, double value);

    bool isEmpty() const { return values.empty(); }

    bool has(HeadScore score) const; ///< some head has a value

    std::vector<HeadId> measuredHeads() const; ///< those with a value, in the model's order

    /// Why no head has this score; empty when one has.
    std::string why(HeadScore score) const;

    /// Heads by this score, largest first (smallest first when `rising`), undefined ones last;
    /// equal ones in the model's order.
    std::vector<HeadId> ranked(HeadScore score, bool rising = false) const;

    /// Of the heads that have a value; NaN without any.
    double median(HeadScore score) const;
};

using HeadScoreTables = std::map<AttentionKind, HeadScoreTable>;
using HeadScoreTablesPtr = std::shared_ptr<const HeadScoreTables>;

struct HeadScoreOptions
{
    double inductionThreshold = 0.01; ///< weights below count as 0 in InductionOnText

    /// The text is `prefix` tokens, then `period` tokens said again and again: the stripes, over
    /// the second round, and with four rounds or more prefix matching are defined then alone.
    std::int64_t period = 0;
    std::int64_t prefix = 0;

    friend bool operator==(const HeadScoreOptions&, const HeadScoreOptions&) = default;
};

/// Every score that a text alone gives, of all heads, reading each pattern once, heads in parallel.
/// Of maps that are not square (cross attention) entropies, first token and sink alone. Rows of a
/// pattern that looks ahead have all keys to choose from, others i + 1. Throws Cancelled.
HeadScoreTables scoreTrace(const Trace& trace, const HeadScoreOptions& options = {},
                           const std::stop_token& stop = {});

/// Fraction of all heads of self-attention whose sink is above kSinkThreshold (Gu et al. 2024). NaN
/// where no head has one.
double sinkRate(const HeadScoreTables& tables);

/// `b` less `a`, head by head, of the kinds of attention and heads that both have; NaN where either is.
HeadScoreTables differenceOf(const HeadScoreTables& a, const HeadScoreTables& b);

/// Remembers the tables of the last traces. Any thread may use it.
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
