#pragma once

#include "core/analysis/labels/label_rules.h"
#include "core/analysis/scores/head_survey.h"

namespace headscope {

/// A measured value that supports a label, with a baseline.
struct LabelMeasure
{
    std::string name; ///< For example "induction (stripe)".
    double value = 0.0;
    double baseline = 0.0;    ///< NaN: no baseline.
    std::string baselineName; ///< For example "uniform attention", "median of 270 heads".
};

struct EvidenceCell
{
    int query = 0;
    int key = 0;
    double weight = 0.0;

    friend bool operator==(const EvidenceCell&, const EvidenceCell&) = default;
};

struct HeadLabel
{
    HeadLabelKind kind = HeadLabelKind::PreviousToken;
    double strength = 0.0; ///< The first of `measures`.
    std::vector<LabelMeasure> measures;
    std::string measuredOn; ///< For example "4 texts of 32 random tokens, repeated".
    TracePtr text;          ///< Text of the cells; null for labels computed from weights.
    bool isOwnText = false; ///< True if `text` is a sentence that can be typed, not random tokens.
    /// Cells with the largest weights among those that support the label.
    std::vector<EvidenceCell> cells;
    std::string sentence; ///< The first measure as a sentence, with its baseline.
};

constexpr std::size_t kEvidenceCells = 12;

struct HeadLabelTable
{
    int layers = 0;
    int heads = 0;
    std::vector<std::vector<HeadLabel>> labels; ///< Layer-major; in the order of the enum.
    /// Reason why a label could not be measured: one sentence.
    std::map<HeadLabelKind, std::string> notMeasured;

    const std::vector<HeadLabel>& at(HeadId head) const; ///< Empty for a head out of range.
    const HeadLabel* find(HeadId head, HeadLabelKind kind) const;
    int count(HeadLabelKind kind) const; ///< Number of heads with that label.
};

using HeadLabelTables = std::map<AttentionKind, HeadLabelTable>;

/// Labels by behaviour on standard texts and by weights. Throws Cancelled.
HeadLabelTables labelHeads(const HeadSurvey& survey, const std::stop_token& stop = {});

/// Labels from one text alone, for captured traces: labels that need random repeats, samples or
/// weights are not measured, and duplicates and induction are found where the text repeats itself.
HeadLabelTables labelHeads(const TracePtr& trace, const HeadScoreTables& tables,
                           const std::stop_token& stop = {});

} // namespace headscope
