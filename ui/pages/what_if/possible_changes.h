#pragma once

#include "ui/session/view_snapshot.h"

namespace headscope::ui {

/// One change that could be made to B.
struct PossibleChange
{
    QString title;   ///< Title, such as "Ablate head 1.3".
    QString meaning; ///< What it does, as a sentence.
    QString step;    ///< Name of its undo step.
    Changes changes; ///< B's changes with this one.

    friend bool operator==(const PossibleChange&, const PossibleChange&) = default;
};

/// Changes that fit the model, the active head and the selected pair; empty without a model or text.
std::vector<PossibleChange> possibleChanges(const ViewSnapshot& view);

} // namespace headscope::ui
