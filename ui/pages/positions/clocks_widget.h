#pragma once

#include "ui/pages/positions/positions_content.h"

#include <QWidget>

namespace headscope::ui {

/// Pairs of dimensions as clock hands.
class ClocksWidget : public QWidget
{
    Q_OBJECT

public:
    explicit ClocksWidget(QWidget* parent = nullptr);

    void setContent(PositionsContent content);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PositionsContent m_content;
};

} // namespace headscope::ui
