#pragma once

#include <QWidget>

namespace headscope::ui {

/// Black over everything, until a key or a click.
class BlankScreen : public QWidget
{
public:
    explicit BlankScreen(QWidget& window);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headscope::ui
