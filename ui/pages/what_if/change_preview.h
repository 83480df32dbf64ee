#pragma once

#include "core/analysis/causal/trace_change.h"
#include "ui/pages/what_if/possible_changes.h"

#include <stop_token>
#include <string>

namespace headscope::ui {

/// What a change would do to the active head and to the prediction.
struct ChangePreview
{
    ThumbnailPtr thumbnail;              ///< Pattern of the active head in B.
    std::optional<double> moved;         ///< Weight moved per row of that pattern; 0 to 1.
    std::optional<NextTokenChange> next; ///< As in the bar of changes.
    std::string problem;                 ///< Why B is not available; else empty.
};

/// Forward pass of B with these changes, on the calling thread. Throws Cancelled.
ChangePreview previewOf(const ViewSnapshot& view, const Changes& changes,
                        const std::stop_token& stop);

} // namespace headscope::ui
