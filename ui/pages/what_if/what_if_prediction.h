#pragma once

#include "ui/pages/shared/maps/shown_number.h"

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;

/// Bars of the most probable next tokens of A and B after the selected query.
class WhatIfPrediction : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfPrediction(QWidget* parent = nullptr);

    void clear();
    void refresh(const ViewSnapshot& view, int count); ///< View of a trace A.

    /// Bar at a position; without one, the current bar of a focused chart.
    std::optional<int> barAt(std::optional<QPoint> place) const;

    MaybeNumber number(const ViewSnapshot& view, int bar) const; ///< Number of a bar in B.

private:
    TextLabel* m_after;
    BarsWidget* m_bars;
};

} // namespace headscope::ui
