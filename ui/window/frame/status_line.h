#pragma once

#include <QStatusBar>

namespace headscope::ui {

class TextLabel;

/// Where attention ran, how long it took, how long painting took, and what the keys do here.
class StatusLine : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setDevice(const QString& text);
    void setForward(const QString& text);
    void setPaintMs(double elapsedMs);
    void hideTimes();
    void setHints(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_device;
    TextLabel* m_forward;
    TextLabel* m_paint;
    TextLabel* m_hints;
};

} // namespace headscope::ui
