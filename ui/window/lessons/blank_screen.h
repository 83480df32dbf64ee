#pragma once

#include <QWidget>

namespace headscope::ui {

/// Black screen over the whole window until a key or a click.
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
