#pragma once

#include "core/analysis/labels/head_labels.h"

namespace headscope {

/// One text that is searched for evidence.
struct EvidenceText
{
    TracePtr trace;
    std::int64_t period = 0; ///< Number of random tokens that are repeated; 0: repeats of its own.
    std::vector<PairPosition> pairs; ///< Pairs marked in the text.
};

struct Evidence
{
    TracePtr text; ///< Null where no text shows it.
    /// Cells that support the label: the heaviest, at most kEvidenceCells.
    std::vector<EvidenceCell> cells;
};

/// Evidence from the text whose cells have the most weight on average.
Evidence strongestEvidence(HeadLabelKind kind, const std::vector<EvidenceText>& texts, HeadId head);

/// The distance to which a head attends most, with the mean weight there.
struct UsualPlace
{
    int back = 0;
    double weight = 0.0;
};

UsualPlace usualPlace(const std::vector<EvidenceText>& texts, HeadId head);

} // namespace headscope
