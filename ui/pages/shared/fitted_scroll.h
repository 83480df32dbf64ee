#pragma once

#include "ui/pages/shared/column_scroll.h"

namespace headscope::ui {

/// Scroll area that is as high as its content where there is room, and scrolls elsewhere, to the
/// focused widget too.
class FittedScroll : public ColumnScroll
{
    Q_OBJECT

public:
    /// `leastHeight`: least height in logical pixels at scale 1 while the content is higher.
    FittedScroll(QWidget* content, int leastHeight, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int contentHeight() const;

    int m_leastHeight;
};

} // namespace headscope::ui
