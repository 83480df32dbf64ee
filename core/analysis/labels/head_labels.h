#pragma once

#include "core/analysis/scores/head_survey.h"

namespace headscope {

/// What a head does, in plain words. A head may have several labels, or none.
enum class HeadLabelKind {
    PreviousToken,
    Induction,
    DuplicateToken,
    FirstTokenSink,
    Positional,
    Broad,
    SyntaxLike,
    CoreferenceLike,
    Copying
};

constexpr int kHeadLabelKinds = 9;

/// When a label is given. One table for all of them: labelRules().
struct LabelRule
{
    HeadLabelKind kind;
    std::string_view key;      ///< "previous_token": stable
    std::string_view name;     ///< "previous token"; the window translates it and the next two
    std::string_view meaning;  ///< one sentence: what such a head does
    std::string_view sentence; ///< "%1 of its weight ...", %1 the strength, %2 its baseline
    std::string_view measure;  ///< what is compared with the threshold
    double threshold;
    bool isUpper;            ///< given up to the threshold rather than from it on
    std::string_view reason; ///< why this threshold, and what else must hold
};

const std::array<LabelRule, kHeadLabelKinds>& labelRules();
const LabelRule& ruleOf(HeadLabelKind kind);
std::optional<HeadLabelKind> headLabelNamed(std::string_view key);

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

    const std::vector<HeadLabel>& at(HeadAt head) const; ///< empty outside
    const HeadLabel* find(HeadAt head, HeadLabelKind kind) const;
    int count(HeadLabelKind kind) const; ///< heads that have it
};

using HeadLabelTables = std::map<HeadFamily, HeadLabelTable>;

/// By what the model does on standard texts and by its weights. Throws Cancelled.
HeadLabelTables labelHeads(const HeadSurvey& survey, const std::stop_token& stop = {});

/// By one text alone, for captured traces: what needs random repeats, samples or weights is not
/// measured, and duplicates and induction are found where the text repeats itself.
HeadLabelTables labelHeads(const TracePtr& trace, const HeadScoreTables& tables,
                           const std::stop_token& stop = {});

} // namespace headscope
