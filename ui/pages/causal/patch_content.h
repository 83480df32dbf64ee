#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/pages/causal/marked_map.h"

namespace headscope::ui {

/// Patched activations and the fraction of the difference each restores. Cells that the selected
/// patch can reach are marked.
struct PatchContent
{
    MarkedMap shown;
    QString title;
    QString words;   ///< Text of the selected cell.
    QString problem; ///< Why the fraction is not defined; empty otherwise.
};

PatchContent patchContent(const ViewSnapshot& view, const CausalChoice& choice,
                          const PatchGrid& grid);

/// All cells of a grid, without marks.
MarkedMap patchMap(const ViewSnapshot& view, const PatchGrid& grid);

} // namespace headscope::ui
