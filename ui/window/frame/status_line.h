#pragma once

#include <QStatusBar>

namespace headscope::ui {

class TextLabel;

/// Status line: device of the attention, time of the forward pass, painting time, and the keys of
/// the page.
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
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fitHints();

    TextLabel* m_device;
    TextLabel* m_forward;
    TextLabel* m_paint;
    TextLabel* m_hints;
    QString m_allHints;
};

} // namespace headscope::ui
