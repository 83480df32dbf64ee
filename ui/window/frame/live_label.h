#pragma once

#include <QWidget>

namespace headscope::ui {

class TextLabel;

/// Live indicator: a filled dot while the view is up to date, a ring while it is being computed.
class LiveLabel : public QWidget
{
    Q_OBJECT

public:
    LiveLabel();

    void setState(bool live, const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_text;
    bool m_live = false;
};

/// Accent line, 2 px, along the top of its parent while something is being computed.
class BusyLine : public QWidget
{
    Q_OBJECT

public:
    explicit BusyLine(QWidget* parent);

    void setBusy(bool busy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headscope::ui
