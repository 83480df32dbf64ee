#include "ui/pages/lessons/lesson_choice.h"

#include "ui/widgets/readable.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kMark = 28.0; // Room for the mark on the left.
constexpr double kSide = 12.0;
constexpr double kAbove = 4.0;

} // namespace

LessonChoice::LessonChoice(const QString& text, QWidget* parent)
    : QAbstractButton(parent)
    , m_blocks(lessonBlocks(text))
{
    setAccessibleName(spokenText(m_blocks));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    rebuild();
}

void LessonChoice::setMark(Mark mark)
{
    m_mark = mark;
    setAccessibleDescription(mark == Mark::Right   ? tr("correct")
                             : mark == Mark::Wrong ? tr("incorrect")
                                                   : QString());
    update();
}

void LessonChoice::rebuild()
{
    const Theme theme = Theme::of(*this);
    const double room = width() - (kMark + 2.0 * kSide) * theme.scale();
    m_document.build(m_blocks, theme, TextRole::Lesson, std::max(80.0, room));
    m_document.setTextWidth(std::max(80.0, room));
    const double tall = m_document.size().height() + 2.0 * kAbove * theme.scale();
    setFixedHeight(static_cast<int>(std::ceil(std::max(tall, 32.0 * theme.scale()))));
    update();
}

QSize LessonChoice::sizeHint() const
{
    return {240, minimumHeight()};
}

QSize LessonChoice::minimumSizeHint() const
{
    return {120, minimumHeight()};
}

void LessonChoice::resizeEvent(QResizeEvent* event)
{
    QAbstractButton::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        rebuild();
}

void LessonChoice::changeEvent(QEvent* event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        rebuild();
}

void LessonChoice::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void LessonChoice::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = m_mark != Mark::None;
    const QColor tone = m_mark == Mark::Right   ? theme.ok
                        : m_mark == Mark::Wrong ? theme.warn
                                                : theme.control;
    const bool isLit = hasFocus() || marked;
    painter.setPen(QPen(hasFocus() ? theme.accent : tone, isLit ? 2.0 : 1.0));
    painter.setBrush(underMouse() || isDown() ? theme.hover : theme.surface);
    const double inset = isLit ? 1.0 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 6, 6);
    painter.setPen(tone);
    painter.setFont(theme.bold(TextRole::Lesson));
    const QRectF sign(kSide * theme.scale(), 0, kMark * theme.scale(), height());
    if (marked)
        painter.drawText(sign, Qt::AlignVCenter | Qt::AlignLeft,
                         m_mark == Mark::Right ? QStringLiteral("\u2713")
                                               : QStringLiteral("\u2715"));
    else {
        const double radius = 6.0 * theme.scale();
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(sign.left() + radius, height() / 2.0), radius, radius);
    }
    painter.translate(sign.right(), (height() - m_document.size().height()) / 2.0);
    m_document.drawContents(&painter);
}

} // namespace headscope::ui
