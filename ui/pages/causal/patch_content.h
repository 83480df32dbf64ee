#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/pages/causal/marked_map.h"

namespace headscope::ui {

/// What is put back where, and how much of the difference that restores. Cells that a change of the
/// chosen one can reach are marked.
struct PatchContent
{
    MarkedMap shown;
    QString title;
    QString words;   ///< of the chosen cell
    QString problem; ///< not defined: why
};

PatchContent patchContent(const Looking& looking, const CausalChoice& choice,
                          const PatchGrid& grid);

/// All cells of a grid, without marks.
MarkedMap patchMap(const Looking& looking, const PatchGrid& grid);

} // namespace headscope::ui
