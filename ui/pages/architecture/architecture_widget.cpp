#include "ui/pages/architecture/architecture_widget.h"

#include "ui/pages/architecture/architecture_paint.h"
#include "ui/widgets/readable.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace headscope::ui {

namespace {

ReadableTable readableOf(const ArchitectureWidget& diagram)
{
    const ArchitectureContent& content = diagram.content();
    ReadableTable table;
    table.rows = static_cast<int>(content.parts.boxes.size());
    table.columns = 1;
    table.words = [&content](HeatmapCell cell) {
        return describeBox(content.parts.boxes[static_cast<std::size_t>(cell.row)]);
    };
    table.place = [&diagram](HeatmapCell cell) { return diagram.layoutNow().boxRect(cell.row); };
    if (content.current)
        table.current = {*content.current, 0};
    return table;
}

} // namespace

ArchitectureWidget::ArchitectureWidget(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setAccessibleName(tr("Data flow of the model"));
    makeReadableList(*this, [this] { return readableOf(*this); });
}

void ArchitectureWidget::setContent(ArchitectureContent content)
{
    const bool known =
        m_content.current && *m_content.current < static_cast<int>(content.parts.boxes.size());
    content.current = known ? m_content.current : std::nullopt;
    m_content = std::move(content);
    fitHeight();
    update();
}

ArchitectureLayout ArchitectureWidget::layoutNow() const
{
    return ArchitectureLayout(width(), m_content, Theme::of(*this));
}

/// The scroll area gives the width; the height follows from it.
void ArchitectureWidget::fitHeight()
{
    setMinimumHeight(static_cast<int>(std::ceil(layoutNow().height())));
}

void ArchitectureWidget::setCurrent(std::optional<int> box)
{
    if (box == m_content.current)
        return;
    m_content.current = box;
    setAccessibleDescription(
        box ? describeBox(m_content.parts.boxes[static_cast<std::size_t>(*box)]) : QString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    if (hasFocus())
        announceCurrent(*this);
    update();
}

bool ArchitectureWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto box = layoutNow().boxAt(help->pos());
        QToolTip::showText(help->globalPos(),
                           box ? describeBox(m_content.parts.boxes[static_cast<std::size_t>(*box)])
                               : QString(),
                           this);
        return true;
    }
    if (event->type() == QEvent::ApplicationFontChange)
        fitHeight();
    return QWidget::event(event);
}

void ArchitectureWidget::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface);
    paintArchitecture(painter, {}, layoutNow(), m_content, theme);
}

void ArchitectureWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

void ArchitectureWidget::mousePressEvent(QMouseEvent* event)
{
    const auto box = layoutNow().boxAt(event->position());
    if (!box || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    setCurrent(box);
    emit boxOpened(*box);
}

void ArchitectureWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto box = layoutNow().boxAt(event->position());
    const bool leads =
        box && (!m_content.parts.boxes[static_cast<std::size_t>(*box)].page.isEmpty() ||
                m_content.parts.boxes[static_cast<std::size_t>(*box)].layer >= 0);
    setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ArchitectureWidget::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (m_content.parts.boxes.empty())
        return QWidget::keyPressEvent(event);
    if (arrow) {
        setCurrent(m_content.current ? layoutNow().neighbour(*m_content.current, key) : 0);
        emit boxMoved(*m_content.current);
    } else if (key == Qt::Key_Home || key == Qt::Key_End) {
        setCurrent(key == Qt::Key_Home ? 0 : static_cast<int>(m_content.parts.boxes.size()) - 1);
        emit boxMoved(*m_content.current);
    } else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_content.current) {
        emit boxOpened(*m_content.current);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
