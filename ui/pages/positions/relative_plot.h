#pragma once

#include "ui/pages/positions/positions_relative.h"

#include <QWidget>

namespace headscope::ui {

/// The picture of a relative scheme: one tab stop, arrows change the distance and the key.
class RelativePlot : public QWidget
{
    Q_OBJECT

public:
    explicit RelativePlot(QWidget* parent = nullptr);

    void setContent(RelativeContent content);

signals:
    void stepped(int distance, int key); ///< by arrow keys: by how much each changes

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    RelativeContent m_content;
};

} // namespace headscope::ui
