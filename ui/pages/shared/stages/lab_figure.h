#pragma once

#include "core/lessons/labs/lab.h"
#include "ui/pages/shared/figures/figure.h"

namespace headscope::ui {

/// What a lab answered, and what was asked.
struct LabShown
{
    std::shared_ptr<const LabResult> result;
    QString title;
    QString settings;        ///< "KV heads 8 · length 4 096"
    QString sentence;        ///< the person's, where the lab uses it
    std::vector<int> frames; ///< of each panel, see LabPictureWidget::frame()
};

/// "KV heads 8 · causal mask on".
QString settingsWords(const LabSettings& settings);

/// All panels on one sheet, each with title and caption, and the numbers below. Empty without a
/// result.
Figure labFigure(const LabShown& shown);

} // namespace headscope::ui
