#pragma once

#include "core/analysis/labels/label_rules.h"
#include "core/analysis/scores/head_survey.h"

namespace headscope {

/// A number that speaks for a label, beside one to compare it with.
struct LabelMeasure
{
    std::string name; ///< "induction (stripe)"
    double value = 0.0;
    double baseline = 0.0;    ///< NaN: none
    std::string baselineName; ///< "a head that looks evenly", "median of 270 heads"
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
    double strength = 0.0; ///< first of `measures`
    std::vector<LabelMeasure> measures;
    std::string measuredOn;          ///< "4 texts of 32 random tokens said twice"
    TracePtr text;                   ///< where the cells are; null for labels of weights
    bool isOwnText = false;          ///< `text` is a sentence that can be typed, not random tokens
    std::vector<EvidenceCell> cells; ///< the heaviest that speak for it
    std::string sentence;            ///< the first measure in words, beside its baseline
};

constexpr std::size_t kEvidenceCells = 12;

struct HeadLabelTable
{
    int layers = 0;
    int heads = 0;
    std::vector<std::vector<HeadLabel>> labels;       ///< layer-major; in the order of the enum
    std::map<HeadLabelKind, std::string> notMeasured; ///< why nobody could get it: one sentence

    const std::vector<HeadLabel>& at(HeadId head) const; ///< empty outside
    const HeadLabel* find(HeadId head, HeadLabelKind kind) const;
    int count(HeadLabelKind kind) const; ///< heads that have it
};

using HeadLabelTables = std::map<AttentionKind, HeadLabelTable>;

/// By what the model does on standard texts and by its weights. Throws Cancelled.
HeadLabelTables labelHeads(const HeadSurvey& survey, const std::stop_token& stop = {});

/// By one text alone, for captured traces: what needs random repeats, samples or weights is not
/// measured, and duplicates and induction are found where the text repeats itself.
HeadLabelTables labelHeads(const TracePtr& trace, const HeadScoreTables& tables,
                           const std::stop_token& stop = {});

} // namespace headscope
