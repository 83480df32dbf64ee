#pragma once

#include "core/analysis/labels/head_labels.h"

namespace headscope {

/// One text in which evidence is looked for.
struct EvidenceText
{
    TracePtr trace;
    std::int64_t period = 0;      ///< of random tokens said twice; 0: repeats of its own
    std::vector<PairPlace> pairs; ///< marked there
};

struct Evidence
{
    TracePtr text;                   ///< null where no text shows it
    std::vector<EvidenceCell> cells; ///< that speak for the label: the heaviest, at most
    ///< kEvidenceCells
};

/// Of the text whose cells have the most weight on average.
Evidence strongestEvidence(HeadLabelKind kind, const std::vector<EvidenceText>& texts, HeadId head);

/// How far back a head looks most: the distance with the largest mean weight, and that mean.
struct UsualPlace
{
    int back = 0;
    double weight = 0.0;
};

UsualPlace usualPlace(const std::vector<EvidenceText>& texts, HeadId head);

} // namespace headscope
