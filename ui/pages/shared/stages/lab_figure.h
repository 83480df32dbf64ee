#pragma once

#include "core/lessons/labs/lab.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/tables/number_cards.h"

namespace headscope::ui {

/// Result of a lab and its request.
struct LabState
{
    std::shared_ptr<const LabResult> result;
    QString title;
    QString settings;        ///< Settings text: "KV heads 8 · length 4 096".
    QString sentence;        ///< The user's sentence, where the lab uses it.
    std::vector<int> frames; ///< Frame of each panel, see LabPlotWidget::frame().
};

/// Settings text: "KV heads 8 · causal mask on".
QString settingsText(const LabSettings& settings);

/// The numbers below the panels.
std::vector<NumberCard> labCards(const LabResult& result);

/// Figure of all panels, each with title and caption, and the numbers below. Empty without a
/// result.
Figure labFigure(const LabState& shown);

} // namespace headscope::ui
