#pragma once

#include "ui/pages/causal/causal_choice.h"
#include "ui/pages/causal/marked_map.h"

namespace headscope::ui {

/// One step of causal tracing.
struct StepContent
{
    QString title;
    QString words;
    MarkedMap shown;
};

int stepCount(const FactPath& path);
QStringList stepTitles(const FactPath& path);
StepContent stepContent(const ViewSnapshot& view, const FactPath& path, int step);

} // namespace headscope::ui
