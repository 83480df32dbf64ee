#pragma once

#include "ui/session/view_snapshot.h"

#include <QWidget>

namespace headscope::ui {

class BarsWidget;
class TextLabel;

/// What A's mask lets each query see and what that costs, in the place of B while its mask is as
/// trained.
class MaskAsTrained : public QWidget
{
    Q_OBJECT

public:
    explicit MaskAsTrained(QWidget* parent = nullptr);

    /// `window`: keys of the window whose loss is told.
    void refresh(const ViewSnapshot& view, const HeatmapMatrix& pattern, int window);

private:
    BarsWidget* m_bars;
    TextLabel* m_cost;
    TextLabel* m_loss;
};

} // namespace headscope::ui
