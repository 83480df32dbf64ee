#pragma once

#include "ui/pages/positions/positions_relative.h"

#include <QWidget>

namespace headscope::ui {

/// Plot of a relative scheme: single tab stop; arrows change the distance and the key.
class RelativePlot : public QWidget
{
    Q_OBJECT

public:
    explicit RelativePlot(QWidget* parent = nullptr);

    void setContent(RelativeContent content);

signals:
    void stepped(int distance, int key); ///< Emitted by arrow keys with the change of each.

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    RelativeContent m_content;
};

} // namespace headscope::ui
