#include "ui/window/lessons/lesson_marks.h"

#include "ui/widgets/style/theme.h"

#include <QEvent>
#include <QPainter>

namespace headscope::ui {

namespace {

constexpr int kReach = 6; // distance between ring and marked widget

/// Ring around a part of the window, transparent to the mouse.
class Ring : public QWidget
{
public:
    Ring(QWidget& target, QWidget& window) : QWidget(&window), m_target(&target)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        target.installEventFilter(this);
        window.installEventFilter(this);
        follow();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(*this).accent, 3.0));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 8, 8);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        switch (event->type()) {
        case QEvent::Move:
        case QEvent::Resize:
        case QEvent::Show:
        case QEvent::Hide:
        case QEvent::LayoutRequest:
            QMetaObject::invokeMethod(
                this, [this] { follow(); }, Qt::QueuedConnection);
            break;
        default:
            break;
        }
        return QWidget::eventFilter(watched, event);
    }

private:
    void follow()
    {
        setVisible(m_target && m_target->isVisible());
        if (!m_target)
            return;
        const QRect place(m_target->mapTo(parentWidget(), QPoint()), m_target->size());
        setGeometry(
            place.adjusted(-kReach, -kReach, kReach, kReach).intersected(parentWidget()->rect()));
        raise();
    }

    QPointer<QWidget> m_target;
};

} // namespace

LessonMarks::LessonMarks(QWidget& window, QWidget& pages)
    : QObject(&window)
    , m_window(window)
    , m_pages(pages)
{
}

/// Searches the page in front first, then the whole frame.
QWidget* LessonMarks::find(const QString& name) const
{
    for (const QWidget* place : {&m_pages, &m_window}) {
        for (QWidget* widget : place->findChildren<QWidget*>()) {
            const bool isMeant = widget->objectName() == name || widget->accessibleName() == name;
            if (isMeant && widget->isVisible())
                return widget;
        }
    }
    return nullptr;
}

void LessonMarks::point(const QStringList& names)
{
    for (const QString& name : names) {
        if (QWidget* target = find(name))
            m_rings.emplace_back(new Ring(*target, m_window));
    }
}

void LessonMarks::putAway(const QStringList& names)
{
    for (const QString& name : names) {
        if (QWidget* widget = find(name)) {
            widget->hide();
            m_away.emplace_back(widget);
        }
    }
}

void LessonMarks::clear()
{
    for (const QPointer<QWidget>& ring : m_rings)
        delete ring.data();
    m_rings.clear();
    for (const QPointer<QWidget>& widget : m_away) {
        if (widget)
            widget->show();
    }
    m_away.clear();
}

} // namespace headscope::ui
