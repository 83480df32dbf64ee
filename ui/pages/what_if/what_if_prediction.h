#pragma once

#include "ui/pages/shared/maps/shown_number.h"

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;

/// The most probable next tokens of A and B after the selected query, as bars.
class WhatIfPrediction : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfPrediction(QWidget* parent = nullptr);

    void clear();
    void refresh(const Looking& looking, int count); ///< of a trace A

    /// The bar there; without a place the current one of a focused chart.
    std::optional<int> barAt(std::optional<QPoint> place) const;

    MaybeNumber number(const Looking& looking, int bar) const; ///< in the run that differs

private:
    TextLabel* m_after;
    BarsWidget* m_bars;
};

} // namespace headscope::ui
