#include "ui/pages/shared/reading_width.h"

#include "ui/pages/shared/boxes.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>

#include <cmath>

namespace headscope::ui {

namespace {

class ReadingWidth : public QObject
{
public:
    explicit ReadingWidth(QLabel& label) : QObject(&label), m_label(label)
    {
        label.installEventFilter(this);
        fit();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::FontChange)
            fit();
        return QObject::eventFilter(watched, event);
    }

private:
    void fit()
    {
        const double width = QFontMetricsF(m_label.font()).averageCharWidth();
        m_label.setMaximumWidth(static_cast<int>(std::ceil(kReadableLine * width)));
    }

    QLabel& m_label;
};

} // namespace

QHBoxLayout* readableRow(QLabel* label)
{
    new ReadingWidth(*label);
    return rowOf(0, {{label, 1}, Placed::space(0)});
}

} // namespace headscope::ui
